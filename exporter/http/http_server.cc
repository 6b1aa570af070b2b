#include "exporter/http/http_server.h"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <exception>
#include <utility>

#include "absl/status/status.h"
#include "exporter/http/listen_socket.h"
#include "exporter/http/session.h"

namespace ascend {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;

constexpr milliseconds kMinSweepPeriod{5};
constexpr milliseconds kMaxSweepPeriod{1000};
constexpr int kSweepsPerTimeout = 8;  // how late a short deadline may be noticed
constexpr int kAcceptsPerTurn = 64;   // then those already accepted have their turn
// What the kernel holds at most (Linux doubles it) for a client that does not read; by itself it
// goes up to megabytes.
constexpr int kSendBufferBytes = 128 * 1024;
constexpr int kSingleThread = 1;  // hint to Asio: only one thread calls run

milliseconds SweepPeriod(const HttpOptions& options) {
  const milliseconds shortest =
      std::min({options.head_timeout, options.write_timeout, options.keep_alive_timeout});
  return std::clamp(shortest / kSweepsPerTimeout, kMinSweepPeriod, kMaxSweepPeriod);
}

bool OutOfDescriptors(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

// The client left before it was accepted, or a signal came.
bool GoneMeanwhile(int error) { return error == ECONNABORTED || error == EPROTO || error == EINTR; }

// A socket that listens, and whether somebody waits for it.
struct Listener {
  using Handle = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

  Handle handle;
  int ip_family;
  std::string url;
  bool waits = false;
};

int FamilyOf(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return address.ss_family;
}

class AsioHttpServer final : public HttpServer {
 public:
  explicit AsioHttpServer(HttpOptions options)
      : sweep_period_(SweepPeriod(options)), context_(std::move(options)) {}
  ~AsioHttpServer() override;

  void Add(ListenSocket socket);

  void Run() override;
  void Stop() override;
  void Post(std::function<void()> task) override { asio::post(loop_, std::move(task)); }
  [[nodiscard]] std::vector<std::string> addresses() const override;
  [[nodiscard]] std::size_t connections() const override { return context_.deadlines.size(); }

 private:
  bool Serve();
  void Resume();
  void AwaitConnections();
  void Accept(Listener& listener);
  void Admit(int ip_family, Descriptor accepted);
  void AwaitSweep();
  void Sweep();
  void CloseEverything() noexcept;

  // The loop goes last: what it still holds refers to the rest.
  asio::io_context loop_{kSingleThread};
  const milliseconds sweep_period_;
  SessionContext context_;
  std::vector<Listener> listeners_;
  asio::basic_waitable_timer<std::chrono::steady_clock,
                             asio::wait_traits<std::chrono::steady_clock>,
                             asio::io_context::executor_type>
      sweep_timer_{loop_};
  bool sweep_waits_ = false;
  bool stopped_ = false;
};

// Sessions end when their handlers have run, which happens here if Run was left or never called.
AsioHttpServer::~AsioHttpServer() {
  CloseEverything();
  try {
    loop_.restart();
    loop_.poll();
  } catch (const std::exception&) {
    return;  // the loop drops what it did not run
  }
}

void AsioHttpServer::Add(ListenSocket socket) {
  const int family = FamilyOf(socket.descriptor);
  Listener listener{Listener::Handle(loop_, socket.descriptor.get()), family, socket.url};
  socket.descriptor.Release();
  listeners_.push_back(std::move(listener));
}

// Nothing is thrown by our own code; memory that ran out ends one connection, not the server.
void AsioHttpServer::Run() {
  while (!Serve()) continue;
}

bool AsioHttpServer::Serve() {
  try {
    if (!stopped_) Resume();
    loop_.run();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// Waits for what nobody waits for yet.
void AsioHttpServer::Resume() {
  AwaitConnections();
  if (connections() > 0) AwaitSweep();
}

void AsioHttpServer::Stop() {
  asio::post(loop_, [this] { CloseEverything(); });
}

void AsioHttpServer::CloseEverything() noexcept {
  stopped_ = true;
  error_code ignored;
  for (Listener& listener : listeners_) listener.handle.close(ignored);
  context_.deadlines.CloseAll();
  try {
    sweep_timer_.cancel();
  } catch (const std::exception&) {
    return;  // then it expires within one period
  }
}

std::vector<std::string> AsioHttpServer::addresses() const {
  std::vector<std::string> urls;
  for (const Listener& listener : listeners_) urls.push_back(listener.url);
  return urls;
}

void AsioHttpServer::AwaitConnections() {
  for (Listener& listener : listeners_) {
    if (std::exchange(listener.waits, true)) continue;
    listener.handle.async_wait(Listener::Handle::wait_read,
                               [this, &listener](const error_code& error) {
                                 listener.waits = false;
                                 if (error || stopped_) return;
                                 Accept(listener);
                               });
  }
}

void AsioHttpServer::Accept(Listener& listener) {
  for (int turn = 0; turn < kAcceptsPerTurn; ++turn) {
    Descriptor accepted(
        accept4(listener.handle.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (accepted.valid()) {
      Admit(listener.ip_family, std::move(accepted));
      continue;
    }
    const int error = errno;
    if (GoneMeanwhile(error)) continue;
    // Linux says so even if nobody waits to be accepted; only of the first turn that is known.
    if (error == EAGAIN || (OutOfDescriptors(error) && turn > 0)) break;
    if (OutOfDescriptors(error) && context_.deadlines.MakeRoom()) break;
    // Nothing can be done now. The socket stays readable, so to wait for it would be to spin.
    return AwaitSweep();
  }
  AwaitConnections();
}

void AsioHttpServer::Admit(int ip_family, Descriptor accepted) {
  if (connections() >= context_.options.max_connections) context_.deadlines.MakeRoom();
  Session::Socket socket(loop_);
  const auto protocol = ip_family == AF_INET6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4();
  error_code error;
  socket.assign(protocol, accepted.get(), error);
  if (error) return;
  accepted.Release();
  socket.non_blocking(true, error);  // tells Asio what accept4 told the kernel
  if (error) return;
  // These cost delay or memory only if they fail.
  socket.set_option(asio::ip::tcp::no_delay(true), error);
  socket.set_option(Session::Socket::send_buffer_size(kSendBufferBytes), error);
  std::make_shared<Session>(std::move(socket), context_)->Start();
  AwaitSweep();
}

void AsioHttpServer::AwaitSweep() {
  if (std::exchange(sweep_waits_, true)) return;
  sweep_timer_.expires_after(sweep_period_);
  sweep_timer_.async_wait([this](const error_code& error) {
    sweep_waits_ = false;
    if (!error && !stopped_) Sweep();
  });
}

// Once in a period while there are connections; without any, the process sleeps.
void AsioHttpServer::Sweep() {
  context_.deadlines.CloseLate();
  Resume();
}

absl::Status Check(const HttpOptions& options) {
  if (!options.handler) return absl::InvalidArgumentError("the HTTP server needs a handler");
  if (options.listen_addresses.empty()) {
    return absl::InvalidArgumentError(
        "there is no address to listen on; give one with --web.listen-address, as in :10910");
  }
  if (options.max_connections == 0) {
    return absl::InvalidArgumentError("the HTTP server cannot do with 0 connections");
  }
  const milliseconds shortest =
      std::min({options.head_timeout, options.write_timeout, options.keep_alive_timeout});
  if (shortest <= milliseconds::zero()) {
    return absl::InvalidArgumentError("the timeouts of the HTTP server must be above 0");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Listen(HttpOptions options) {
  if (absl::Status valid = Check(options); !valid.ok()) return valid;
  try {
    std::vector<ListenSocket> sockets;
    for (const std::string& address : options.listen_addresses) {
      absl::StatusOr<ListenSocket> socket = OpenListenSocket(address, options.listen_flag);
      if (!socket.ok()) return socket.status();
      sockets.push_back(*std::move(socket));
    }
    auto server = std::make_unique<AsioHttpServer>(std::move(options));
    for (ListenSocket& socket : sockets) server->Add(std::move(socket));
    return server;
  } catch (const std::exception& error) {
    return absl::InternalError(fmt::format("cannot start the HTTP server: {}", error.what()));
  }
}

}  // namespace ascend

// One connection: waits for a request, answers it, waits for the next.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/http/deadlines.h"
#include "exporter/http/http_server.h"
#include "exporter/http/reply_head.h"
#include "exporter/http/request_reader.h"

namespace ascend {

// All that a request needs while it is in work, and a connection at rest does not.
struct Exchange {
  explicit Exchange(const std::vector<std::string>& post_paths) : reader(post_paths) {}

  RequestReader reader;
  std::string head;
  std::shared_ptr<const std::string> body;
  std::size_t sent = 0;  // of head and body together
};

// Keeps a few exchanges with their memory for the next requests. Event loop only.
class ExchangePool {
 public:
  // `post_paths`: see HttpOptions; must outlive the exchanges.
  explicit ExchangePool(const std::vector<std::string>& post_paths) : post_paths_(post_paths) {}

  std::unique_ptr<Exchange> Take();
  void Put(std::unique_ptr<Exchange> exchange);

 private:
  const std::vector<std::string>& post_paths_;
  std::vector<std::unique_ptr<Exchange>> spare_;
};

// What all connections of a server share. Event loop only; outlives them.
struct SessionContext {
  explicit SessionContext(HttpOptions http_options);

  HttpOptions options;
  Deadlines deadlines;
  ExchangePool exchanges;
  HttpDate date;
};

// Event loop only. Lives as long as it waits for its socket; a late or spared one is closed by
// Deadlines. It waits for readiness only, so no operation holds a buffer while nothing happens.
class Session final : public Tracked, public std::enable_shared_from_this<Session> {
 public:
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp,
                                                  boost::asio::io_context::executor_type>;

  // The socket is connected and non-blocking.
  Session(Socket socket, SessionContext& context) : socket_(std::move(socket)), context_(context) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() override { Close(); }

  void Start();
  void Close() noexcept override;

 private:
  using Step = void (Session::*)();

  void When(Socket::wait_type ready, Step step);
  void Read();
  void Proceed();
  void Respond();
  void Refuse(const Refusal& refusal);
  void Reply(const HttpReply& reply);
  void Send();
  [[nodiscard]] std::array<boost::asio::const_buffer, 2> Unsent() const;
  void EndExchange();
  void AwaitRequest();
  void Drain();

  Socket socket_;
  SessionContext& context_;
  std::unique_ptr<Exchange> exchange_;  // null while idle
  std::size_t drained_ = 0;             // bytes thrown away after the last reply
  bool keep_alive_ = false;             // after the reply under way
};

}  // namespace ascend

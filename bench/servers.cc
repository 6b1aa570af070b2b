#include "bench/servers.h"

#include <civetweb.h>
#include <fmt/format.h>
#include <prometheus/exposer.h>

#include <cstdlib>
#include <exception>
#include <thread>
#include <utility>

namespace ascend {
namespace {

class OurServer final : public BenchServer {
 public:
  explicit OurServer(std::unique_ptr<HttpServer> server)
      : server_(std::move(server)), thread_([this] { server_->Run(); }) {}
  ~OurServer() override { server_->Stop(); }

  [[nodiscard]] int port() const override {
    const std::string url = server_->addresses().front();
    return std::atoi(url.c_str() + url.rfind(':') + 1);
  }

 private:
  std::unique_ptr<HttpServer> server_;
  std::jthread thread_;
};

class ExposerServer final : public BenchServer {
 public:
  explicit ExposerServer(const std::shared_ptr<prometheus::Registry>& registry)
      : exposer_({"listening_ports", "127.0.0.1:0", "num_threads", "2", "enable_keep_alive", "yes",
                  "tcp_nodelay", "1"}) {
    exposer_.RegisterCollectable(registry);
  }
  [[nodiscard]] int port() const override { return exposer_.GetListeningPorts().front(); }

 private:
  prometheus::Exposer exposer_;
};

class CivetwebServer final : public BenchServer {
 public:
  CivetwebServer(mg_context* context, std::shared_ptr<const std::string> page)
      : context_(context), page_(std::move(page)) {
    mg_set_request_handler(context_, "/metrics", &Answer, this);
  }
  ~CivetwebServer() override { mg_stop(context_); }

  [[nodiscard]] int port() const override {
    mg_server_port first{};
    return mg_get_server_ports(context_, 1, &first) == 1 ? first.port : 0;
  }

 private:
  static int Answer(mg_connection* connection, void* self) {
    constexpr int kOk = 200;
    const std::string& page = *static_cast<const CivetwebServer*>(self)->page_;
    mg_printf(connection,
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
              "Content-Length: %zu\r\n\r\n",
              page.size());
    mg_write(connection, page.data(), page.size());
    return kOk;
  }

  mg_context* context_;
  std::shared_ptr<const std::string> page_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<BenchServer>> StartOurs(
    std::function<HttpReply(const HttpRequest&)> handler) {
  HttpOptions options;
  options.listen_addresses = {"127.0.0.1:0"};
  options.handler = std::move(handler);
  absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Listen(std::move(options));
  if (!server.ok()) return server.status();
  return std::make_unique<OurServer>(*std::move(server));
}

absl::StatusOr<std::unique_ptr<BenchServer>> StartExposer(
    const std::shared_ptr<prometheus::Registry>& registry) {
  try {
    return std::make_unique<ExposerServer>(registry);
  } catch (const std::exception& error) {
    return absl::UnavailableError(fmt::format("prometheus-cpp's Exposer: {}", error.what()));
  }
}

absl::StatusOr<std::unique_ptr<BenchServer>> StartCivetweb(
    std::shared_ptr<const std::string> page) {
  const char* options[] = {
      "listening_ports", "127.0.0.1:0", "num_threads", "2", "enable_keep_alive", "yes",
      "tcp_nodelay",     "1",           nullptr};
  const mg_callbacks callbacks{};
  mg_context* context = mg_start(&callbacks, nullptr, options);
  if (context == nullptr) return absl::UnavailableError("civetweb does not start");
  return std::make_unique<CivetwebServer>(context, std::move(page));
}

}  // namespace ascend

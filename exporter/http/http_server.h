// HTTP/1.1 on one event loop, for pages that are ready: a handler runs on the loop and must not block.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend {

struct HttpRequest {
  std::string_view method;  // "GET" or "HEAD": all else was answered 405
  std::string_view path;    // decoded target without the query
  std::string_view query;   // behind "?", empty if none
};

// The body is shared, not copied: one page may be on its way to many clients.
struct HttpReply {
  unsigned status = 200;
  std::string_view content_type = "text/plain; charset=utf-8";  // must outlive the server
  std::shared_ptr<const std::string> body;                      // null: empty
};

struct HttpOptions {
  // "host:port", "[::1]:port", ":port" (all addresses, IPv6 and IPv4 on one socket), port 0 picks one.
  std::vector<std::string> listen_addresses = {":10910"};
  std::size_t max_connections = 512;  // above it the longest-idle connection is closed
  std::chrono::seconds head_timeout{10};        // to send a whole request head
  std::chrono::seconds write_timeout{30};       // to take a whole reply
  std::chrono::seconds keep_alive_timeout{180};  // between two requests
  std::function<HttpReply(const HttpRequest&)> handler;  // event loop only
  // Told of each reply, on the event loop; the path is as asked, so count only paths that you know.
  std::function<void(const HttpRequest&, unsigned status)> on_reply = [](const HttpRequest&, unsigned) {};
};

// Thread-compatible; Stop and connections may be called from any thread.
class HttpServer {
 public:
  // Binds every address, or none: the error names the address and says what to do.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Listen(HttpOptions options);
  virtual ~HttpServer() = default;

  virtual void Run() = 0;   // serves on the calling thread until Stop
  virtual void Stop() = 0;  // closes all connections; replies under way are cut
  // What was bound, as URLs without a path: "http://127.0.0.1:10910".
  [[nodiscard]] virtual std::vector<std::string> addresses() const = 0;
  [[nodiscard]] virtual std::size_t connections() const = 0;
};

}  // namespace ascend

// HTTP/1.1 on one event loop, for pages that are ready: a handler runs on the loop and must not
// block. Malformed, oversized or unsupported requests are answered without the handler.
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

// Valid during the call that it is given to.
struct HttpRequest {
  // "GET" or "HEAD", or "POST" for one of HttpOptions::post_paths; all else was answered 405.
  std::string_view method;
  std::string_view path;   // percent-decoded target without the query
  std::string_view query;  // behind "?", as sent; empty if none
};

// The body is shared, not copied: one page may be on its way to many clients.
struct HttpReply {
  // One that has a body, so not 1xx, 204 or 304. HEAD is answered by leaving the body out.
  unsigned status = 200;
  std::string_view content_type = "text/plain; charset=utf-8";  // must outlive the server
  std::shared_ptr<const std::string> body;                      // null: empty
};

struct HttpOptions {
  // "host:port", "[::1]:port", or ":port" for all addresses, IPv6 and IPv4 on one socket. Port 0
  // picks one. Of a host name with several addresses the first IPv4 one is taken.
  std::vector<std::string> listen_addresses = {":10910"};
  std::string_view listen_flag = "--web.listen-address";  // what sets them, for errors
  // Above it the connection that has waited longest for its client to send is closed for the new
  // one, or, if all of them are taking replies, the one that has been at it longest.
  std::size_t max_connections = 512;
  // Limits are noticed up to an eighth late, but at most a second.
  std::chrono::milliseconds head_timeout = std::chrono::seconds(10);   // to send a whole request
  std::chrono::milliseconds write_timeout = std::chrono::seconds(30);  // to take a whole reply
  std::chrono::milliseconds keep_alive_timeout = std::chrono::minutes(3);  // between two requests
  // Decoded paths that take POST and nothing else. A body of up to 4 KiB is read and thrown away
  // before the handler is asked; a chunked one is answered 411.
  std::vector<std::string> post_paths;
  // Required. Runs on the event loop. A std::exception becomes a reply with status 500.
  std::function<HttpReply(const HttpRequest&)> handler;
  // Told of each reply when it begins, on the event loop. The path is as asked, so count only paths
  // that you know; what could not be read is empty.
  std::function<void(const HttpRequest&, unsigned status)> on_reply;
};

// Thread-compatible; Stop, addresses and connections may be called from any thread.
class HttpServer {
 public:
  // Binds every address, or none: the error names the address and says what to do. Clients may
  // connect from here on; they are served by Run.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Listen(HttpOptions options);
  virtual ~HttpServer() = default;

  virtual void Run() = 0;   // serves on the calling thread until Stop
  virtual void Stop() = 0;  // closes all connections; replies under way are cut; does not wait
  // Runs `task` on the event loop, if it runs; not after Stop. Any thread.
  virtual void Post(std::function<void()> task) = 0;
  // What was bound, as URLs without a path: "http://127.0.0.1:10910".
  [[nodiscard]] virtual std::vector<std::string> addresses() const = 0;
  [[nodiscard]] virtual std::size_t connections() const = 0;
};

}  // namespace ascend

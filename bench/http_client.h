// A blocking HTTP client on one kept connection: as little as can be, so that the servers show.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend {

class HttpClient {
 public:
  // Connects to 127.0.0.1.
  static absl::StatusOr<HttpClient> Connect(int port);
  ~HttpClient();
  HttpClient(HttpClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        buffer_(std::move(other.buffer_)),
        used_(other.used_) {}
  HttpClient& operator=(HttpClient&&) = delete;

  // Asks for /metrics and reads the whole reply. The body is valid until the next call.
  absl::StatusOr<std::string_view> Scrape();

 private:
  explicit HttpClient(int socket);
  // Waits for more of the reply; false: the connection was closed, or the reply is too long.
  bool Receive();
  [[nodiscard]] std::string_view reply() const { return {buffer_.data(), used_}; }

  int socket_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

}  // namespace ascend

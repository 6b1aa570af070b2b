#include "bench/http_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

namespace ascend {
namespace {

constexpr std::string_view kRequest = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kStatus = "HTTP/1.1 200 ";
constexpr std::string_view kLength = "\r\nContent-Length: ";
constexpr std::size_t kLongestReply = 1 << 20;

std::optional<std::size_t> ContentLength(std::string_view head) {
  const std::size_t at = head.find(kLength);
  if (at == std::string_view::npos) return std::nullopt;
  std::size_t length = 0;
  const char* begin = head.data() + at + kLength.size();
  const auto [end, error] = std::from_chars(begin, head.data() + head.size(), length);
  if (error != std::errc()) return std::nullopt;
  return length;
}

}  // namespace

HttpClient::HttpClient(int socket) : socket_(socket), buffer_(kLongestReply) {}

absl::StatusOr<HttpClient> HttpClient::Connect(int port) {
  HttpClient client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  setsockopt(client.socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(client.socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return absl::UnavailableError(
        fmt::format("no connection to 127.0.0.1:{}: {}", port, std::strerror(errno)));
  }
  return client;
}

HttpClient::~HttpClient() {
  if (socket_ >= 0) close(socket_);
}

bool HttpClient::Receive() {
  const ssize_t got = recv(socket_, buffer_.data() + used_, buffer_.size() - used_, 0);
  used_ += got > 0 ? static_cast<std::size_t>(got) : 0;
  return got > 0;
}

absl::StatusOr<std::string_view> HttpClient::Scrape() {
  const absl::Status closed = absl::UnavailableError("the server closed a kept connection");
  used_ = 0;
  if (send(socket_, kRequest.data(), kRequest.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(kRequest.size())) {
    return closed;
  }
  while (reply().find(kHeadEnd) == std::string_view::npos) {
    if (!Receive()) return closed;
  }
  const std::size_t head_end = reply().find(kHeadEnd);
  const std::string_view head = reply().substr(0, head_end + 2);
  const std::optional<std::size_t> length = ContentLength(head);
  if (!head.starts_with(kStatus) || !length) {
    return absl::InternalError(fmt::format("not a page: {}", head));
  }
  const std::size_t body = head_end + kHeadEnd.size();
  while (used_ < body + *length) {
    if (!Receive()) return closed;
  }
  return reply().substr(body, *length);
}

}  // namespace ascend

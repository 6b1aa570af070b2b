// A server on its own thread, and a client that talks to it over a blocking socket.
#pragma once

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "exporter/http/http_server.h"
#include "gtest/gtest.h"

namespace ascend {

struct Reply {
  int status = 0;  // 0: the connection ended before a whole head
  std::string status_line;
  std::map<std::string, std::string> fields;  // names in lower case
  std::string body;

  [[nodiscard]] std::string field(const std::string& name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? "" : found->second;
  }
};

// Everything waits at most kPatience, so that a server that never answers fails the test.
class Client {
 public:
  static constexpr int kPatienceSeconds = 20;

  // `url` as HttpServer::addresses gives it; `host` replaces its host.
  explicit Client(const std::string& url, std::string host = "", int receive_buffer = 0) {
    const std::size_t colon = url.rfind(':');
    constexpr std::size_t kScheme = 7;
    if (host.empty()) host = url.substr(kScheme, colon - kScheme);
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* address = nullptr;
    if (getaddrinfo(host.c_str(), url.substr(colon + 1).c_str(), &hints, &address) != 0) return;
    fd_ = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{kPatienceSeconds, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (receive_buffer > 0) {
      setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    connected_ = connect(fd_, address->ai_addr, address->ai_addrlen) == 0;
    freeaddrinfo(address);
  }
  Client(Client&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        connected_(other.connected_),
        pending_(std::move(other.pending_)) {}
  Client& operator=(Client&&) = delete;
  ~Client() { Close(); }

  [[nodiscard]] bool connected() const { return connected_; }
  [[nodiscard]] int fd() const { return fd_; }

  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Says that nothing more will be sent.
  void EndSending() { shutdown(fd_, SHUT_WR); }

  void Close() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

  // Resets the connection instead of closing it.
  void Reset() {
    const linger at_once{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    Close();
  }

  Reply ReadReply(bool with_body = true) {
    Reply reply;
    std::size_t end = 0;
    while ((end = pending_.find("\r\n\r\n")) == std::string::npos) {
      if (!ReadMore()) return reply;
    }
    ReadFields(pending_.substr(0, end + 2), reply);
    pending_.erase(0, end + 4);
    std::size_t length = 0;
    const std::string text = reply.field("content-length");
    std::from_chars(text.data(), text.data() + text.size(), length);
    if (!with_body) return reply;
    while (pending_.size() < length && ReadMore()) continue;
    reply.body = pending_.substr(0, length);
    pending_.erase(0, length);
    return reply;
  }

  Reply Get(const std::string& target, const std::string& more_fields = "") {
    Send("GET " + target + " HTTP/1.1\r\nHost: test\r\n" + more_fields + "\r\n");
    return ReadReply();
  }

  // Waits for the server to close the connection. False if it sends anything first, or does not.
  bool SeesEnd() {
    char byte = 0;
    const ssize_t got = recv(fd_, &byte, 1, 0);
    return pending_.empty() && (got == 0 || (got < 0 && errno == ECONNRESET));
  }

 private:
  bool ReadMore() {
    constexpr std::size_t kChunk = std::size_t{64} * 1024;
    std::string chunk(kChunk, '\0');
    const ssize_t got = recv(fd_, chunk.data(), chunk.size(), 0);
    if (got <= 0) return false;
    pending_.append(chunk, 0, static_cast<std::size_t>(got));
    return true;
  }

  static void ReadFields(const std::string& head, Reply& reply) {
    std::size_t end = head.find("\r\n");
    reply.status_line = head.substr(0, end);
    std::from_chars(head.data() + head.find(' ') + 1, head.data() + end, reply.status);
    for (std::size_t begin = end + 2; begin < head.size(); begin = end + 2) {
      end = head.find("\r\n", begin);
      const std::size_t colon = head.find(':', begin);
      std::string name = head.substr(begin, colon - begin);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      reply.fields[name] = head.substr(colon + 2, end - colon - 2);
    }
  }

  int fd_ = -1;
  bool connected_ = false;
  std::string pending_;  // received, not yet taken
};

inline HttpReply TextReply(std::string text, unsigned status = 200) {
  return {.status = status, .body = std::make_shared<const std::string>(std::move(text))};
}

// "/metrics" answers "page\n", "/echo..." what was asked, all else 404.
inline HttpReply TestPages(const HttpRequest& request) {
  if (request.path == "/metrics") return TextReply("page\n");
  if (request.path.starts_with("/echo") || request.path == "/") {
    return TextReply(std::string(request.path) + "|" + std::string(request.query));
  }
  return TextReply("not found\n", 404);
}

// A server that runs until the end of the scope.
class RunningServer {
 public:
  static HttpOptions Options() {
    HttpOptions options;
    options.listen_addresses = {"127.0.0.1:0"};
    options.handler = TestPages;
    return options;
  }

  explicit RunningServer(HttpOptions options = Options()) {
    auto server = HttpServer::Listen(std::move(options));
    EXPECT_TRUE(server.ok()) << server.status();
    if (!server.ok()) return;
    server_ = *std::move(server);
    thread_ = std::thread([this] { server_->Run(); });
  }
  ~RunningServer() { Stop(); }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  HttpServer& operator*() { return *server_; }
  HttpServer* operator->() { return server_.get(); }
  [[nodiscard]] std::string url() const { return server_->addresses().front(); }
  Client Connect() { return Client(url()); }

  // Returns when Run has returned.
  void Stop() {
    if (!thread_.joinable()) return;
    server_->Stop();
    thread_.join();
  }

 private:
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

}  // namespace ascend

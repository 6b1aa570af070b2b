// Servers that wait long, and clients that make them wait.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tests/http/http_fixture.h"

namespace ascend {

inline HttpOptions Patient() {
  constexpr std::chrono::seconds kLong(60);
  HttpOptions options = RunningServer::Options();
  options.head_timeout = options.write_timeout = options.keep_alive_timeout = kLong;
  return options;
}

// Above what the kernel holds for a client that does not read.
constexpr std::size_t kBigPageBytes = std::size_t{32} * 1024 * 1024;

inline HttpOptions WithBigPage() {
  HttpOptions options = Patient();
  const auto page = std::make_shared<const std::string>(kBigPageBytes, 'p');
  options.handler = [page](const HttpRequest& request) {
    return request.path == "/big" ? HttpReply{.body = page} : TestPages(request);
  };
  return options;
}

// A client that asks for the big page and takes its first byte only.
inline Client SlowReader(RunningServer& server) {
  constexpr int kSmallBuffer = 4096;
  Client client(server.url(), "", kSmallBuffer);
  client.Send("GET /big HTTP/1.1\r\nHost: test\r\n\r\n");
  char byte = 0;
  EXPECT_EQ(recv(client.fd(), &byte, 1, 0), 1);
  return client;
}

// Connections that are kept after a request.
inline std::vector<Client> IdleClients(RunningServer& server, std::size_t count) {
  std::vector<Client> clients;
  clients.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    clients.push_back(server.Connect());
    EXPECT_EQ(clients.back().Get("/metrics").body, "page\n");
  }
  return clients;
}

}  // namespace ascend

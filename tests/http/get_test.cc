// The client that `healthcheck` asks with.
#include <chrono>
#include <string>

#include "exporter/http/http_get.h"
#include "tests/http/http_fixture.h"

namespace ascend {
namespace {

constexpr std::chrono::seconds kPatience(Client::kPatienceSeconds);

TEST(HttpGetTest, Status200IsOkAndAnotherIsNamed) {
  RunningServer server;
  EXPECT_TRUE(HttpGetOk(server.url() + "/metrics", kPatience).ok());
  EXPECT_TRUE(HttpGetOk(server.url(), kPatience).ok());
  EXPECT_EQ(HttpGetOk(server.url() + "/nothing", kPatience).message(), "status 404");
}

TEST(HttpGetTest, WithoutAPortItAsksPort80) {
  for (const char* url : {"http://127.0.0.1", "http://127.0.0.1/metrics", "http://[::1]/"}) {
    // Whoever listens on port 80 here, or nobody: it was a URL.
    EXPECT_FALSE(absl::IsInvalidArgument(HttpGetOk(url, kPatience))) << url;
  }
}

TEST(HttpGetTest, WhatIsNoUrlIsRefusedAndNotRepeated) {
  for (const std::string url :
       {"", "http://", "http:///path", "http://:80/", "http://host:/", "ftp://host/", "host:80"}) {
    const absl::Status status = HttpGetOk(url, kPatience);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << url;
    EXPECT_EQ(status.message(), "not a URL such as http://127.0.0.1:10910/-/healthy");
  }
}

}  // namespace
}  // namespace ascend

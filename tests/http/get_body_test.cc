// The client that `compare` reads pages with.
#include <chrono>
#include <string>

#include "exporter/http/http_get.h"
#include "tests/http/http_fixture.h"

namespace ascend {
namespace {

constexpr std::chrono::seconds kPatience(Client::kPatienceSeconds);

TEST(HttpGetBodyTest, GivesTheBodyUpToItsLimit) {
  RunningServer server;
  const absl::StatusOr<std::string> body = HttpGet(server.url() + "/metrics", kPatience, 1 << 20);
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_FALSE(body->empty());
  EXPECT_TRUE(HttpGet(server.url() + "/metrics", kPatience, body->size()).ok());
  const auto cut = HttpGet(server.url() + "/metrics", kPatience, body->size() - 1);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.status().message(), "body limit exceeded");
}

TEST(HttpGetBodyTest, AStatusOtherThan200IsAnError) {
  RunningServer server;
  EXPECT_EQ(HttpGet(server.url() + "/nothing", kPatience, 1 << 20).status().message(),
            "status 404");
}

}  // namespace
}  // namespace ascend

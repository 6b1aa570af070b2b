// Clients that stop half-way are dropped when their time is over, and not before.
#include <chrono>
#include <string>
#include <utility>

#include "tests/http/slow_clients.h"

namespace ascend {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kShort{150};

TEST(HttpDeadlineTest, ASilentClientIsDroppedAtTheHeadDeadline) {
  HttpOptions options = Patient();
  options.head_timeout = kShort;
  RunningServer server(std::move(options));
  const auto start = steady_clock::now();
  Client silent = server.Connect();
  EXPECT_TRUE(silent.SeesEnd());
  EXPECT_GE(steady_clock::now() - start, kShort);
}

TEST(HttpDeadlineTest, AHalfHeadIsDroppedAtTheDeadlineOfItsFirstByte) {
  HttpOptions options = Patient();
  options.head_timeout = kShort;
  RunningServer server(std::move(options));
  for (const bool kept : {false, true}) {
    Client client = server.Connect();
    if (kept) {
      EXPECT_EQ(client.Get("/metrics").status, 200);
    }
    client.Send("GET /metrics HTTP/1.1\r\nHost: te");
    EXPECT_TRUE(client.SeesEnd()) << kept;
  }
}

TEST(HttpDeadlineTest, ATrickleOfBytesDoesNotMoveTheHeadDeadline) {
  HttpOptions options = Patient();
  options.head_timeout = kShort;
  RunningServer server(std::move(options));
  Client client = server.Connect();
  const timeval pace{0, 10'000};  // waiting for the end of the connection is the pause
  setsockopt(client.fd(), SOL_SOCKET, SO_RCVTIMEO, &pace, sizeof pace);
  const auto start = steady_clock::now();
  client.Send("GET / HTTP/1.1\r\nX: ");
  bool dropped = false;
  while (!dropped && steady_clock::now() - start < std::chrono::seconds(15)) {
    dropped = !client.Send("x") || client.SeesEnd();
  }
  EXPECT_TRUE(dropped);
}

TEST(HttpDeadlineTest, ABodyThatDoesNotComeIsNotWaitedForLonger) {
  HttpOptions options = Patient();
  options.head_timeout = kShort;
  RunningServer server(std::move(options));
  Client client = server.Connect();
  client.Send("GET / HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n12345");
  EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpDeadlineTest, AnIdleConnectionIsDroppedAtTheKeepAliveDeadline) {
  HttpOptions options = Patient();
  options.keep_alive_timeout = kShort;
  RunningServer server(std::move(options));
  Client client = server.Connect();
  EXPECT_EQ(client.Get("/metrics").status, 200);
  const auto start = steady_clock::now();
  EXPECT_TRUE(client.SeesEnd());
  EXPECT_GE(steady_clock::now() - start, kShort / 2);
}

TEST(HttpDeadlineTest, ARequestRenewsTheKeepAliveDeadline) {
  HttpOptions options = Patient();
  options.keep_alive_timeout = milliseconds(1000);
  RunningServer server(std::move(options));
  Client client = server.Connect();
  const auto start = steady_clock::now();
  int answered = 0;
  while (steady_clock::now() - start < milliseconds(1500)) {
    ASSERT_EQ(client.Get("/metrics").status, 200) << answered;
    ++answered;
  }
  EXPECT_GT(answered, 0);
}

TEST(HttpDeadlineTest, AReaderThatDoesNotTakeItsReplyIsDropped) {
  HttpOptions options = WithBigPage();
  options.write_timeout = kShort;
  RunningServer server(std::move(options));
  Client slow = SlowReader(server);
  Client watcher = server.Connect();
  // The slow one does not read, so it cannot see its end; the count does.
  while (server->connections() > 1) ASSERT_EQ(watcher.Get("/metrics").status, 200);
}

TEST(HttpDeadlineTest, AClientThatDoesNotCloseAfterTheLastReplyIsDropped) {
  HttpOptions options = Patient();
  options.head_timeout = kShort;
  RunningServer server(std::move(options));
  Client lingering = server.Connect();
  EXPECT_EQ(lingering.Get("/metrics", "Connection: close\r\n").status, 200);
  Client watcher = server.Connect();
  while (server->connections() > 1) ASSERT_EQ(watcher.Get("/metrics").status, 200);
}

}  // namespace
}  // namespace ascend

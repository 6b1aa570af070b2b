// The end of a server, whatever its clients are at.
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tests/http/slow_clients.h"

namespace ascend {
namespace {

TEST(HttpStopTest, StopEndsRunAndClosesAllConnections) {
  RunningServer server(WithBigPage());
  Client fresh = server.Connect();
  std::vector<Client> idle = IdleClients(server, 3);
  Client half = server.Connect();
  half.Send("GET /");
  Client slow = SlowReader(server);
  server.Stop();
  EXPECT_EQ(server->connections(), 0U);
  EXPECT_TRUE(fresh.SeesEnd());
  EXPECT_TRUE(half.SeesEnd());
  for (Client& client : idle) EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpStopTest, StopBeforeRunEndsItAtOnce) {
  auto server = HttpServer::Listen(RunningServer::Options());
  ASSERT_TRUE(server.ok()) << server.status();
  Client early((*server)->addresses().front());
  EXPECT_TRUE(early.connected());
  (*server)->Stop();
  (*server)->Run();
  EXPECT_TRUE(early.SeesEnd());
}

TEST(HttpStopTest, AServerThatNeverRanCanBeDestroyed) {
  auto server = HttpServer::Listen(RunningServer::Options());
  ASSERT_TRUE(server.ok()) << server.status();
  Client early((*server)->addresses().front());
  server->reset();
  EXPECT_TRUE(early.SeesEnd());
}

TEST(HttpStopTest, StopMayComeFromSeveralThreadsAndTheHandler) {
  HttpOptions options = RunningServer::Options();
  HttpServer* stopped = nullptr;
  options.handler = [&](const HttpRequest& request) {
    stopped->Stop();
    return TestPages(request);
  };
  auto server = HttpServer::Listen(std::move(options));
  ASSERT_TRUE(server.ok()) << server.status();
  stopped = server->get();
  Client client(stopped->addresses().front());
  client.Send("GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n");
  std::thread other([&] { stopped->Stop(); });
  stopped->Run();
  other.join();
  EXPECT_EQ(stopped->connections(), 0U);
}

}  // namespace
}  // namespace ascend

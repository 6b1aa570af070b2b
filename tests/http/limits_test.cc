// Slow, silent and numerous clients: each costs little, and none keeps others from their page.
#include <fcntl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sys/resource.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/http/slow_clients.h"

namespace ascend {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Gives the limit of open files back at the end of the scope.
class FileLimit {
 public:
  FileLimit() { getrlimit(RLIMIT_NOFILE, &before_); }
  ~FileLimit() { setrlimit(RLIMIT_NOFILE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

  void Set(rlim_t files) const {
    const rlimit changed{files, before_.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &changed), 0);
  }
  void Raise() const { Set(before_.rlim_max); }

 private:
  rlimit before_{};
};

// What a client gets until its connection ends, with what SlowReader has taken.
std::size_t BytesToTheEnd(Client& client) {
  client.EndSending();
  std::size_t bytes = 1;
  std::string chunk(std::size_t{1024} * 1024, '\0');
  for (ssize_t got = 1; got > 0;) {
    got = recv(client.fd(), chunk.data(), chunk.size(), 0);
    bytes += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }
  return bytes;
}

TEST(HttpLimitsTest, SlowReadersDoNotBlockOthers) {
  RunningServer server(WithBigPage());
  constexpr std::size_t kSlow = 20;
  std::vector<Client> slow;
  slow.reserve(kSlow);
  while (slow.size() < kSlow) slow.push_back(SlowReader(server));
  Client client = server.Connect();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.Get("/metrics").body, "page\n");
  EXPECT_EQ(server->connections(), kSlow + 1);
}

TEST(HttpLimitsTest, ASlowReaderGetsItsWholePageInTheEnd) {
  RunningServer server(WithBigPage());
  Client slow = SlowReader(server);
  slow.EndSending();
  EXPECT_GT(BytesToTheEnd(slow), kBigPageBytes);
}

TEST(HttpLimitsTest, AClientThatResetsDuringItsReplyHarmsNobody) {
  RunningServer server(WithBigPage());
  Client client = server.Connect();
  for (int i = 0; i < 20; ++i) {
    SlowReader(server).Reset();
    EXPECT_EQ(client.Get("/metrics").body, "page\n");
  }
}

TEST(HttpLimitsTest, TwoThousandIdleConnectionsDoNotDelayAScrape) {
  FileLimit files;
  files.Raise();
  HttpOptions options = Patient();
  options.max_connections = 4000;
  RunningServer server(std::move(options));
  std::vector<Client> clients = IdleClients(server, 1000);
  for (int i = 0; i < 1000; ++i) clients.push_back(server.Connect());  // never said a word
  const auto start = steady_clock::now();
  EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
  EXPECT_LT(steady_clock::now() - start, milliseconds(500));
  for (std::size_t i = 0; i < clients.size(); i += 100) {
    EXPECT_EQ(clients[i].Get("/metrics").body, "page\n");
  }
}

TEST(HttpLimitsTest, AnIdleConnectionCostsLessThanAKibibyte) {
  RunningServer server(Patient());
  std::vector<Client> first = IdleClients(server, 50);  // so that pools have grown
  constexpr std::size_t kConnections = 400;
  const std::size_t before = mallinfo2().uordblks;
  std::vector<Client> clients = IdleClients(server, kConnections);
  EXPECT_LT((mallinfo2().uordblks - before) / kConnections, 1024U);
}

TEST(HttpLimitsTest, TheLongestIdleConnectionMakesRoomForANewOne) {
  HttpOptions options = Patient();
  options.max_connections = 3;
  RunningServer server(std::move(options));
  std::vector<Client> clients = IdleClients(server, 3);
  EXPECT_EQ(clients[0].Get("/metrics").status, 200);  // now the second is the longest idle one
  EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
  EXPECT_TRUE(clients[1].SeesEnd());
  EXPECT_EQ(clients[0].Get("/metrics").status, 200);
  EXPECT_EQ(clients[2].Get("/metrics").status, 200);
}

TEST(HttpLimitsTest, AHalfHeadMakesRoomToo) {
  HttpOptions options = Patient();
  options.max_connections = 2;
  RunningServer server(std::move(options));
  Client half = server.Connect();
  half.Send("GET /met");
  std::vector<Client> clients = IdleClients(server, 2);
  EXPECT_TRUE(half.SeesEnd());
  EXPECT_EQ(clients[0].Get("/metrics").status, 200);
}

TEST(HttpLimitsTest, TheLongestReplyMakesRoomIfAllAreTakingReplies) {
  HttpOptions options = WithBigPage();
  options.max_connections = 2;
  RunningServer server(std::move(options));
  Client first = SlowReader(server);
  Client second = SlowReader(server);
  EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
  EXPECT_LT(BytesToTheEnd(first), kBigPageBytes);
  EXPECT_GT(BytesToTheEnd(second), kBigPageBytes);
}

TEST(HttpLimitsTest, ReadersThatNeverReadLockNobodyOut) {
  FileLimit files;
  files.Raise();
  HttpOptions options = WithBigPage();
  const std::size_t everything = options.max_connections;
  RunningServer server(std::move(options));
  std::vector<Client> slow;
  while (slow.size() < everything) slow.push_back(SlowReader(server));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
    slow.push_back(SlowReader(server));
  }
}

TEST(HttpLimitsTest, WithoutFreeDescriptorsTheLongestIdleConnectionGivesItsOwn) {
  RunningServer server(Patient());
  std::vector<Client> clients = IdleClients(server, 2);
  const FileLimit limit;
  constexpr rlim_t kFew = 128;
  limit.Set(kFew);
  std::vector<int> hoard;
  for (int fd = 0; (fd = dup(0)) >= 0;) hoard.push_back(fd);
  ASSERT_FALSE(hoard.empty());
  close(hoard.back());  // for the client
  hoard.pop_back();
  Client late = server.Connect();
  EXPECT_EQ(late.Get("/metrics").body, "page\n");
  EXPECT_TRUE(clients[0].SeesEnd());
  for (const int fd : hoard) close(fd);
  EXPECT_EQ(clients[1].Get("/metrics").body, "page\n");
}

TEST(HttpLimitsTest, WithoutFreeDescriptorsAndNobodyToSpareItWaitsWithoutSpinning) {
  HttpOptions options = Patient();
  options.head_timeout = milliseconds(150);  // also how often it tries again
  RunningServer server(std::move(options));
  EXPECT_EQ(server.Connect().Get("/metrics").status, 200);
  const FileLimit limit;
  constexpr rlim_t kFew = 128;
  limit.Set(kFew);
  while (server->connections() > 0) std::this_thread::yield();
  std::vector<int> hoard;
  for (int fd = 0; (fd = dup(0)) >= 0;) hoard.push_back(fd);
  close(hoard.back());
  hoard.pop_back();
  Client late = server.Connect();
  ASSERT_TRUE(late.connected());
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  const timeval pause{0, 300'000};
  setsockopt(late.fd(), SOL_SOCKET, SO_RCVTIMEO, &pause, sizeof pause);
  EXPECT_EQ(late.Get("/metrics").status, 0);
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  const auto micros = [](const timeval& t) { return t.tv_sec * 1'000'000 + t.tv_usec; };
  EXPECT_LT(micros(after.ru_utime) + micros(after.ru_stime) - micros(before.ru_utime) -
                micros(before.ru_stime),
            150'000);
  for (const int fd : hoard) close(fd);
  const timeval patience{Client::kPatienceSeconds, 0};
  setsockopt(late.fd(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  EXPECT_EQ(late.ReadReply().body, "page\n");
}

// 0 if it is no connected or listening socket over IPv4.
int LocalPort(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  const bool known = getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  return known && address.sin_family == AF_INET ? ntohs(address.sin_port) : 0;
}

// Those of the server in this process: the one that listens, then those that were accepted.
std::vector<int> SocketsOf(const RunningServer& server) {
  const int port = std::stoi(server.url().substr(server.url().rfind(':') + 1));
  constexpr int kMoreThanOpen = 256;
  std::vector<int> sockets;
  for (int fd = 0; fd < kMoreThanOpen; ++fd) {
    if (LocalPort(fd) == port) sockets.push_back(fd);
  }
  return sockets;
}

TEST(HttpLimitsTest, SocketsAreNotInheritedByPrograms) {
  RunningServer server;
  Client client = server.Connect();
  EXPECT_EQ(client.Get("/metrics").status, 200);
  const std::vector<int> sockets = SocketsOf(server);
  for (const int fd : sockets) EXPECT_NE(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0) << fd;
  EXPECT_EQ(sockets.size(), 2U);
}

TEST(HttpLimitsTest, TheKernelHoldsLittleForAClientThatDoesNotRead) {
  RunningServer server(WithBigPage());
  const Client slow = SlowReader(server);
  const std::vector<int> sockets = SocketsOf(server);
  ASSERT_EQ(sockets.size(), 2U);
  int bytes = 0;
  socklen_t size = sizeof bytes;
  ASSERT_EQ(getsockopt(sockets.back(), SOL_SOCKET, SO_SNDBUF, &bytes, &size), 0);
  EXPECT_LE(bytes, 256 * 1024);
}

}  // namespace
}  // namespace ascend

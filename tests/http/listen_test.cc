// Addresses: what is bound, and what is said if it cannot be.
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "tests/http/http_fixture.h"

namespace ascend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

HttpOptions ListeningOn(std::vector<std::string> addresses) {
  HttpOptions options = RunningServer::Options();
  options.listen_addresses = std::move(addresses);
  return options;
}

std::string ErrorOf(std::vector<std::string> addresses) {
  return std::string(HttpServer::Listen(ListeningOn(std::move(addresses))).status().message());
}

std::string PortOf(const std::string& url) { return url.substr(url.rfind(':') + 1); }

// From here on the calling thread is on a kernel without IPv6.
bool ForbidIpv6() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(HttpListenTest, NamesThePortThatTheKernelChose) {
  RunningServer server(ListeningOn({"127.0.0.1:0"}));
  EXPECT_THAT(server->addresses(), ElementsAre(MatchesRegex("http://127\\.0\\.0\\.1:[1-9][0-9]+")));
  EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
}

TEST(HttpListenTest, ServesIpv6) {
  RunningServer server(ListeningOn({"[::1]:0"}));
  EXPECT_THAT(server.url(), StartsWith("http://[::1]:"));
  EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
}

TEST(HttpListenTest, ServesBothFamiliesOnOneSocket) {
  for (const char* address : {":0", "[::]:0"}) {
    RunningServer server(ListeningOn({address}));
    EXPECT_THAT(server->addresses(), ElementsAre(StartsWith("http://[::]:")));
    EXPECT_EQ(Client(server.url(), "127.0.0.1").Get("/metrics").body, "page\n");
    EXPECT_EQ(Client(server.url(), "::1").Get("/metrics").body, "page\n");
  }
}

TEST(HttpListenTest, FallsBackToIpv4OnAKernelWithoutIpv6) {
  std::string url;
  std::thread([&] {
    ASSERT_TRUE(ForbidIpv6());
    RunningServer server(ListeningOn({":0"}));
    url = server.url();
    EXPECT_EQ(Client(url, "127.0.0.1").Get("/metrics").body, "page\n");
  }).join();
  EXPECT_THAT(url, StartsWith("http://0.0.0.0:"));
}

TEST(HttpListenTest, ResolvesAHostName) {
  RunningServer server(ListeningOn({"localhost:0"}));
  EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
}

TEST(HttpListenTest, ServesSeveralAddresses) {
  RunningServer server(ListeningOn({"127.0.0.1:0", "[::1]:0", "127.0.0.2:0"}));
  const std::vector<std::string> urls = server->addresses();
  ASSERT_EQ(urls.size(), 3U);
  for (const std::string& url : urls) EXPECT_EQ(Client(url).Get("/metrics").body, "page\n") << url;
}

TEST(HttpListenTest, SaysThatAPortIsInUseAndWhatToDo) {
  RunningServer server;
  const std::string address = "127.0.0.1:" + PortOf(server.url());
  EXPECT_EQ(ErrorOf({address}),
            "cannot listen on " + address +
                ": address already in use; choose another with --web.listen-address or stop the "
                "program that holds it");
}

TEST(HttpListenTest, BindsAllAddressesOrNone) {
  std::string first;
  {
    RunningServer probe;
    first = "127.0.0.1:" + PortOf(probe.url());
  }
  RunningServer other;
  const std::string taken = "127.0.0.1:" + PortOf(other.url());
  EXPECT_THAT(ErrorOf({first, taken}), HasSubstr(taken));
  RunningServer server(ListeningOn({first}));  // it was let go
  EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
}

TEST(HttpListenTest, TakesAPortAgainRightAfterAServerEnded) {
  std::string address;
  {
    RunningServer server;
    address = "127.0.0.1:" + PortOf(server.url());
    Client client = server.Connect();
    client.Get("/metrics", "Connection: close\r\n");
    EXPECT_TRUE(client.SeesEnd());
  }
  RunningServer server(ListeningOn({address}));
  EXPECT_EQ(server.Connect().Get("/metrics").body, "page\n");
}

TEST(HttpListenTest, ExplainsAddressesThatItCannotRead) {
  for (const char* address : {"", "10910", "localhost", "::1", "[::1]", "127.0.0.1:", ":http",
                              ":99999", ":-1", ":1x", "::1:9100", "[127.0.0.1]:9100", "[::1:9100",
                              "a]:9100", "http://localhost:9100", "a b:9100", "::"}) {
    EXPECT_THAT(ErrorOf({address}),
                AllOf(HasSubstr(fmt::format("\"{}\"", address)), HasSubstr("--web.listen-address")))
        << address;
  }
}

TEST(HttpListenTest, ExplainsAHostThatIsNotHere) {
  EXPECT_THAT(ErrorOf({"192.0.2.1:0"}),
              AllOf(HasSubstr("192.0.2.1:0"), HasSubstr("not an address of this machine")));
  EXPECT_THAT(ErrorOf({"[fe80::zz]:0"}),
              AllOf(HasSubstr("[fe80::zz]:0"), HasSubstr("the host has no address")));
}

TEST(HttpListenTest, RefusesOptionsThatCannotWork) {
  HttpOptions options = RunningServer::Options();
  options.handler = nullptr;
  EXPECT_THAT(std::string(HttpServer::Listen(options).status().message()), HasSubstr("handler"));
  options = RunningServer::Options();
  options.max_connections = 0;
  EXPECT_FALSE(HttpServer::Listen(options).ok());
  options = RunningServer::Options();
  options.head_timeout = std::chrono::milliseconds(0);
  EXPECT_FALSE(HttpServer::Listen(options).ok());
  EXPECT_THAT(ErrorOf({}), HasSubstr("--web.listen-address"));
}

}  // namespace
}  // namespace ascend

#include "exporter/host/no_network.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <string>
#include <thread>

#include "tests/host/child_report.h"

namespace ascend {
namespace {

constexpr long kIoUringSetup = 425;
constexpr uid_t kNobody = 65534;

void Deny(ChildReport& report) {
  const absl::Status status = DenyNetwork();
  report.Expect(status.ok(), status.ToString());
}

TEST(NoNetworkTest, OnlyLocalSocketsAndNetlinkAreMade) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Deny(report);
              for (const int family : {AF_INET, AF_INET6, AF_PACKET, AF_VSOCK, 0, 40, -1}) {
                const long result = socket(family, SOCK_STREAM, 0);
                report.ExpectError(result, EACCES, fmt::format("socket of family {}", family));
              }
              report.ExpectError(socket(AF_UNIX, SOCK_STREAM, 0), 0, "AF_UNIX");
              report.ExpectError(socket(AF_NETLINK, SOCK_RAW, 0), 0, "AF_NETLINK");
              std::array<int, 2> pair{};
              report.ExpectError(socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0, "pair");
            }),
            "");
}

TEST(NoNetworkTest, TheUpperHalfOfTheArgumentIsNoWayAround) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Deny(report);
              constexpr long kUpperHalf = long{1} << 32U;
              report.ExpectError(syscall(SYS_socket, kUpperHalf | AF_INET, SOCK_STREAM, 0), EACCES,
                                 "AF_INET");
            }),
            "");
}

TEST(NoNetworkTest, IoUringIsAsOnAKernelWithoutIt) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Deny(report);
              report.ExpectError(syscall(kIoUringSetup, 1, nullptr), ENOSYS, "io_uring_setup");
            }),
            "");
}

TEST(NoNetworkTest, AThreadThatRunsAlreadyIsHeldToIt) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              std::atomic<bool> denied = false;
              std::thread earlier([&] {
                denied.wait(false);
                report.ExpectError(socket(AF_INET, SOCK_DGRAM, 0), EACCES, "earlier thread");
              });
              Deny(report);
              denied = true;
              denied.notify_all();
              earlier.join();
            }),
            "");
}

TEST(NoNetworkTest, AToolThatTheProcessStartsIsHeldToIt) {
  const int status = StatusOfChild([] {
    if (!DenyNetwork().ok()) _exit(1);
    execl("/usr/bin/python3", "python3", "-c",
          "import socket, sys\n"
          "socket.socket(socket.AF_UNIX)\n"
          "try: socket.socket(socket.AF_INET)\n"
          "except PermissionError as error: sys.exit(50 + error.errno)\n",
          static_cast<char*>(nullptr));
  });
  EXPECT_TRUE(EndedWith(status, 50 + EACCES)) << status;
}

TEST(NoNetworkTest, AnUnprivilegedProcessGivesUpNewPrivilegesForIt) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              if (geteuid() == 0 && setuid(kNobody) != 0) return;  // a root that may not
              Deny(report);
              report.ExpectError(socket(AF_INET, SOCK_STREAM, 0), EACCES, "AF_INET");
              report.Expect(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1, "no_new_privs");
            }),
            "");
}

}  // namespace
}  // namespace ascend

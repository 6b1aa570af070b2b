// Every check runs in a child: a filter cannot be taken back.
#include "exporter/front/syscall_filter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "exporter/http/http_server.h"
#include "exporter/page/process_stats.h"
#include "tests/host/child_report.h"
#include "tests/http/http_fixture.h"

namespace ascend {
namespace {

void Filter(ChildReport& report) {
  const absl::Status status = InstallSyscallFilter();
  report.Expect(status.ok(), status.ToString());
}

TEST(SyscallFilterTest, NoProcessCanBeStartedOrTouched) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Filter(report);
              report.ExpectError(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), EPERM, "clone");
              report.ExpectError(execl("/bin/true", "true", nullptr), EPERM, "execve");
              report.ExpectError(kill(getppid(), 0), EPERM, "kill the parent");
              report.ExpectError(kill(getpid(), 0), EPERM, "kill itself");
              report.ExpectError(syscall(SYS_tgkill, getppid(), getppid(), 0), EPERM, "tgkill");
              report.ExpectError(ptrace(PTRACE_TRACEME, 0, 0, 0), EPERM, "ptrace");
              report.ExpectError(setpriority(PRIO_PROCESS, 0, 5), EPERM, "setpriority");
            }),
            "");
}

TEST(SyscallFilterTest, NothingOfTheSystemCanBeChanged) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Filter(report);
              report.ExpectError(mount("none", "/tmp", "tmpfs", 0, nullptr), EPERM, "mount");
              report.ExpectError(syscall(SYS_bpf, 0, nullptr, 0), EPERM, "bpf");
              report.ExpectError(unshare(CLONE_NEWUSER), EPERM, "unshare");
              report.ExpectError(syscall(SYS_perf_event_open, nullptr, 0, 0, 0, 0), EPERM, "perf");
              report.ExpectError(syscall(425, 1, nullptr), EPERM, "io_uring_setup");
              report.ExpectError(unlink("/no such file"), EPERM, "unlink");
              report.ExpectError(mkdir("/tmp/no such folder", 0), EPERM, "mkdir");
              report.ExpectError(open("/dev/null", O_WRONLY), EPERM, "open to write");
              report.ExpectError(open("/dev/null", O_RDWR), EPERM, "open to read and write");
              report.ExpectError(open("/dev/null", O_RDONLY | O_TRUNC), EPERM, "open to empty");
              const rlimit more{64, 64};
              report.ExpectError(setrlimit(RLIMIT_NOFILE, &more), EPERM, "setrlimit");
            }),
            "");
}

TEST(SyscallFilterTest, NoSocketCanBeMadeOrConnected) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              const int before = socket(AF_INET, SOCK_STREAM, 0);
              Filter(report);
              for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK}) {
                report.ExpectError(socket(family, SOCK_STREAM, 0), EPERM, "socket");
              }
              const sockaddr_storage nowhere{};
              const auto* const address = reinterpret_cast<const sockaddr*>(&nowhere);
              report.ExpectError(connect(before, address, sizeof nowhere), EPERM, "connect");
              report.ExpectError(bind(before, address, sizeof nowhere), EPERM, "bind");
            }),
            "");
}

TEST(SyscallFilterTest, NoMemoryBecomesExecutable) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Filter(report);
              constexpr std::size_t kPage = 4096;
              void* const plain =
                  mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              report.Expect(plain != MAP_FAILED, "plain memory");
              report.ExpectError(mprotect(plain, kPage, PROT_READ | PROT_EXEC), EPERM, "mprotect");
              const void* const executable =
                  mmap(nullptr, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              report.Expect(executable == MAP_FAILED && errno == EPERM, "executable memory");
            }),
            "");
}

TEST(SyscallFilterTest, ThreadsStartAndWaitForEachOther) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Filter(report);
              std::mutex mutex;
              int ended = 0;
              std::vector<std::thread> threads;
              for (int i = 0; i < 4; ++i) {
                threads.emplace_back([&] {
                  prctl(PR_SET_NAME, "filtered");
                  const std::vector<char> memory(std::size_t{1} << 20U);
                  const std::lock_guard lock(mutex);
                  ended += memory.front() == 0 ? 1 : 0;
                });
              }
              for (std::thread& thread : threads) thread.join();
              report.Expect(ended == 4, "threads ran");
              report.ExpectError(raise(0), 0, "a signal to itself");
            }),
            "");
}

TEST(SyscallFilterTest, AThreadThatRunsAlreadyIsHeldToIt) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              std::atomic<bool> filtered = false;
              std::thread earlier([&] {
                filtered.wait(false);
                report.ExpectError(socket(AF_INET, SOCK_STREAM, 0), EPERM, "earlier thread");
              });
              Filter(report);
              filtered = true;
              filtered.notify_all();
              earlier.join();
            }),
            "");
}

TEST(SyscallFilterTest, FilesAndItsOwnNumbersAreRead) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Filter(report);
              const ProcessStats stats = ReadProcessStats();
              report.Expect(stats.open_fds && stats.max_fds && stats.threads, "own numbers");
              report.Expect(ReadStartTime().has_value(), "start time");
              std::string word;
              report.Expect(bool(std::ifstream("/proc/meminfo") >> word), "a file");
              report.Expect(std::thread::hardware_concurrency() > 0, "processors");
              std::array<char, 8> bytes{};
              report.ExpectError(syscall(SYS_getrandom, bytes.data(), bytes.size(), 0), 0,
                                 "getrandom");
              report.Expect(eventfd(0, EFD_CLOEXEC) >= 0, "eventfd");
            }),
            "");
}

// Both are processes: one with threads could not fork the other under ThreadSanitizer. The server
// says its address on a pipe; the client ends another one when it has seen enough.
TEST(SyscallFilterTest, PagesAreServedToManyConnections) {
  std::array<int, 2> address{-1, -1};
  std::array<int, 2> enough{-1, -1};
  ASSERT_EQ(pipe(address.data()), 0);
  ASSERT_EQ(pipe(enough.data()), 0);
  const pid_t client = fork();
  if (client == 0) {
    close(address[1]);
    std::array<char, 256> url{};
    const ssize_t got = read(address[0], url.data(), url.size());
    bool served = got > 0;
    for (int i = 0; i < 20 && served; ++i) {
      Client connection(std::string(url.data(), static_cast<std::size_t>(got)));
      for (int j = 0; j < 3; ++j) served = served && connection.Get("/metrics").body == "page\n";
    }
    _exit(served ? 0 : 1);
  }
  close(enough[1]);
  EXPECT_EQ(ReportOfChild([&](ChildReport& report) {
              auto server = HttpServer::Listen(RunningServer::Options());
              if (!server.ok()) return report.Say(server.status().ToString());
              Filter(report);
              std::thread serving([&] { (*server)->Run(); });
              const std::string url = (*server)->addresses().front();
              report.Expect(write(address[1], url.data(), url.size()) > 0, "said its address");
              char byte = 0;
              report.Expect(read(enough[0], &byte, 1) == 0, "the client had enough");
              (*server)->Stop();
              serving.join();
            }),
            "");
  for (const int end : {address[1], address[0], enough[0]}) close(end);
  int status = -1;
  EXPECT_EQ(waitpid(client, &status, 0), client);
  EXPECT_TRUE(EndedWith(status, 0)) << status;
}

}  // namespace
}  // namespace ascend

// Hosts on the front's command.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "tests/supervisor/stage.h"

namespace ascend::supervisor {
namespace {

TEST(HostsTest, EndOfAHostIsToldWithItsStatus) {
  Stage stage;
  Actor front = stage.EnterFront();
  Actor first = stage.EnterHost(front, 0);
  Actor second = stage.EnterHost(front, 3);
  first.Exit(7);
  const Event exited = front.Next(EventKind::kHostExited);
  EXPECT_EQ(exited.berth, 0U);
  EXPECT_EQ(exited.pid, first.pid());
  EXPECT_EQ(exited.generation, 1U);
  EXPECT_TRUE(WIFEXITED(exited.status) && WEXITSTATUS(exited.status) == 7);

  kill(second.pid(), SIGQUIT);
  const Event crashed = front.Next(EventKind::kHostExited);
  EXPECT_EQ(crashed.berth, 3U);
  EXPECT_EQ(crashed.generation, 2U);
  EXPECT_EQ(WTERMSIG(crashed.status), SIGQUIT);
}

TEST(HostsTest, EndOfAHostIsSeenWhereTheSignalForItWasIgnored) {
  Stage stage({.dirty = true});
  Actor front = stage.EnterFront();
  stage.EnterHost(front, 0).Exit(7);
  EXPECT_EQ(WEXITSTATUS(front.Next(EventKind::kHostExited).status), 7);
}

TEST(HostsTest, NoHostStartsWithoutACommand) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.EnterHost(front, 0).Exit(1);
  front.Next(EventKind::kHostExited);
  stage.Signal(SIGUSR2);  // the next thing that happens, so nothing came before it
  front.Next(EventKind::kRelease);
}

TEST(HostsTest, BerthKeepsItsBytesUntilTheNextHostStartsInIt) {
  Stage stage;
  Actor front = stage.EnterFront();
  Actor first = stage.EnterHost(front, 1);
  const std::string written(kBerthBytes, 'w');
  ASSERT_EQ(pwrite(first.fd(kHostBerthFd), written.data(), written.size(), 0),
            static_cast<ssize_t>(written.size()));
  first.Exit(0);
  front.Next(EventKind::kHostExited);
  EXPECT_EQ(Content(front.fd(kFirstBerthFd + 1)), written);

  const Actor second = stage.EnterHost(front, 1);
  struct stat facts = {};
  fstat(second.fd(kHostBerthFd), &facts);
  EXPECT_EQ(facts.st_blocks, 0);
  EXPECT_EQ(Content(second.fd(kHostBerthFd)), std::string(kBerthBytes, '\0'));
  EXPECT_EQ(second.arguments().back(), "--generation=2");
}

TEST(HostsTest, GetsTheSignalsThatTheFrontMaySend) {
  Stage stage;
  Actor front = stage.EnterFront();
  for (const int number : {SIGTERM, SIGKILL, SIGUSR1}) {
    const Actor host = stage.EnterHost(front, 0);
    front.Give({.kind = CommandKind::kSignalHost, .berth = 0, .signal = number});
    EXPECT_EQ(WTERMSIG(front.Next(EventKind::kHostExited).status), number);
  }
  EXPECT_EQ(stage.Log(), "");
}

TEST(HostsTest, SignalToAHostThatHasEndedIsNoMistake) {
  Stage stage;
  Actor front = stage.EnterFront();
  front.Give({.kind = CommandKind::kSignalHost, .berth = 0, .signal = SIGTERM});
  const Actor host = stage.EnterHost(front, 0);
  EXPECT_EQ(stage.Log(), "");
}

TEST(HostsTest, CommandsWithoutSenseAreIgnoredAndSaidOnce) {
  Stage stage;
  Actor front = stage.EnterFront();
  const Actor host = stage.EnterHost(front, 0);
  front.Give({.kind = CommandKind::kStartHost, .berth = 0});  // busy
  front.Give({.kind = CommandKind::kStartHost, .berth = kBerths});
  front.Give({.kind = CommandKind::kStartHost, .berth = 4'000'000'000});
  front.Give({.kind = CommandKind::kSignalHost, .berth = 4'000'000'000, .signal = SIGTERM});
  front.Give({.kind = CommandKind::kSignalHost, .berth = 0, .signal = SIGSTOP});
  front.Give({.kind = CommandKind::kSignalHost, .berth = 0, .signal = -1});
  front.Give({.kind = static_cast<CommandKind>(77)});
  const Actor other = stage.EnterHost(front, 1);  // the next event
  EXPECT_EQ(Count(stage.Log(), "\n"), 1U);
  EXPECT_EQ(Count(stage.Log(), "make no sense"), 1U);
  EXPECT_EQ(Count(stage.Log(), "level=warning"), 1U);
}

TEST(HostsTest, GarbageInPiecesHurtsNothing) {
  Stage stage;
  Actor front = stage.EnterFront();
  const Actor host = stage.EnterHost(front, 0);
  for (int i = 0; i < 2000; ++i) front.GiveBytes(std::string(101, static_cast<char>(i | 0x80)));
  // So that the next command is a whole one again.
  front.GiveBytes(std::string(sizeof(Command) - 2000 * 101 % sizeof(Command), '\0'));
  const Actor other = stage.EnterHost(front, 1);
  EXPECT_EQ(Count(stage.Log(), "\n"), 1U);
}

TEST(HostsTest, ProgramThatCannotBeExecutedIsToldWithItsReason) {
  Stage stage({.host = "/nowhere/host"});
  Actor front = stage.EnterFront();
  for (std::uint32_t generation = 1; generation <= 2; ++generation) {  // the berth is free again
    front.Give({.kind = CommandKind::kStartHost, .berth = 2});
    const pid_t pid = front.Next(EventKind::kHostStarted).pid;
    const Event failed = front.Next(EventKind::kHostFailed);
    EXPECT_EQ(failed.berth, 2U);
    EXPECT_EQ(failed.pid, pid);
    EXPECT_EQ(failed.generation, generation);
    EXPECT_EQ(failed.status, ENOENT);
  }
}

TEST(HostsTest, OrphansAreReaped) {
  Stage stage;
  Actor front = stage.EnterFront();
  Actor host = stage.EnterHost(front, 0);
  host.Do(Order::kLeaveOrphan);
  Actor orphan = stage.Enter("orphan");
  EXPECT_TRUE(Eventually([&] { return orphan.Status("PPid") == std::to_string(stage.pid()); }));
  orphan.Exit(0);
  EXPECT_TRUE(Eventually([&] { return kill(orphan.pid(), 0) != 0 && errno == ESRCH; }));
  host.Exit(0);  // and it is told of nothing else
  EXPECT_EQ(front.Next(EventKind::kHostExited).pid, host.pid());
}

}  // namespace
}  // namespace ascend::supervisor

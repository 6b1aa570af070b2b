// The front that ends, does not read, or is not there.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "tests/supervisor/stage.h"

namespace ascend::supervisor {
namespace {

std::string HostWord(std::uint32_t berth, const Actor& host, int generation) {
  return std::to_string(berth) + ":" + std::to_string(host.pid()) + ":" +
         std::to_string(generation);
}

TEST(FrontTest, ItsStatusBeforeItServesIsTheSupervisors) {
  Stage stage;
  stage.Enter(kHostsOption).Exit(13);
  EXPECT_EQ(stage.ExitStatus(), 13);
}

TEST(FrontTest, ItsSignalBeforeItServesIsTheSupervisorsStatus) {
  Stage stage;
  const Actor front = stage.Enter(kHostsOption);
  kill(front.pid(), SIGQUIT);
  EXPECT_EQ(stage.ExitStatus(), 128 + SIGQUIT);
}

TEST(FrontTest, EndBeforeItServesEndsHostsToo) {
  Stage stage;
  Actor front = stage.Enter(kHostsOption);
  Actor host = stage.EnterHost(front, 0);
  host.Do(Order::kIgnoreTerm);
  const std::int64_t begin = TestNowMs();
  front.Exit(5);
  EXPECT_EQ(stage.ExitStatus(), 5);
  EXPECT_LT(TestNowMs() - begin, 3000);  // it waits for nothing
  EXPECT_TRUE(host.Ends());
}

TEST(FrontTest, ThatIsNotInstalledEndsTheSupervisor) {
  Stage stage({.front = "/nowhere/front"});
  EXPECT_EQ(stage.ExitStatus(), 127);
  EXPECT_EQ(Count(stage.Log(), "cannot execute the front: No such file or directory"), 1U);
}

TEST(FrontTest, ThatServedIsStartedAgainWithTheHostsThatLive) {
  Stage stage;
  Actor front = stage.EnterFront();
  const Actor first = stage.EnterHost(front, 0);
  Actor second = stage.EnterHost(front, 1);
  const Actor third = stage.EnterHost(front, 3);
  second.Exit(0);
  front.Next(EventKind::kHostExited);
  ASSERT_EQ(pwrite(first.fd(kHostBerthFd), "kept", 4, 0), 4);
  front.Exit(0);

  Actor next = stage.EnterFront();
  EXPECT_EQ(next.arguments().front(),
            "--hosts=" + HostWord(0, first, 1) + "," + HostWord(3, third, 3));
  EXPECT_EQ(Content(next.fd(kFirstBerthFd)).substr(0, 4), "kept");
  kill(third.pid(), SIGKILL);
  EXPECT_EQ(next.Next(EventKind::kHostExited).generation, 3U);
  EXPECT_EQ(Count(stage.Log(), "ended with status 0"), 1U);
}

TEST(FrontTest, HasServedEvenIfItEndsRightAfterItSaidSo) {
  Stage stage;
  Actor front = stage.Enter(kHostsOption);
  stage.Signal(SIGSTOP);  // so that word and end come together
  front.Give({.kind = CommandKind::kReady});
  front.Exit(3);
  stage.Signal(SIGCONT);
  const Actor next = stage.Enter(kHostsOption);
  EXPECT_EQ(Count(stage.Log(), "ended with status 3"), 1U);
}

TEST(FrontTest, NeedServeOnlyOnceToBeStartedAgain) {
  Stage stage;
  stage.EnterFront().Exit(1);
  stage.Enter(kHostsOption).Exit(1);
  const Actor third = stage.Enter(kHostsOption);
  EXPECT_EQ(Count(stage.Log(), "ended with status 1"), 2U);
}

TEST(FrontTest, StartsMoreAndMoreSeldomThatEndAtOnce) {
  Stage stage;
  const std::int64_t begin = TestNowMs();
  stage.EnterFront().Exit(1);
  for (int i = 0; i < 4; ++i) stage.Enter(kHostsOption).Exit(1);
  const Actor last = stage.Enter(kHostsOption);
  EXPECT_GE(TestNowMs() - begin, 0 + 100 + 200 + 400 + 800);
}

TEST(FrontTest, ThatEndsAgainAndAgainFillsNoLog) {
  Stage stage;
  Actor front = stage.EnterFront();
  for (int i = 0; i < 6; ++i) {
    front.Give({.kind = static_cast<CommandKind>(77)});  // a line, and its end is another
    front.Exit(1);
    front = stage.Enter(kHostsOption);
  }
  EXPECT_EQ(Count(stage.Log(), "\n"), 10U);
}

TEST(FrontTest, LetsGoAndTakesAgainOnSignals) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGUSR2);
  front.Next(EventKind::kRelease);
  stage.Signal(SIGUSR1);
  front.Next(EventKind::kAcquire);
}

// One reload, whose event has the most bytes that one can have.
void TellMuch(Stage& stage, Actor& front) {
  const std::string settings(kMaxSettingsBytes, 's');
  front.Give({.kind = CommandKind::kReload});
  Actor reader = stage.EnterReader();
  ASSERT_EQ(write(reader.fd(kWriteSettingsFd), settings.data(), settings.size()),
            static_cast<ssize_t>(settings.size()));
  reader.Exit(0);
}

TEST(FrontTest, ThatReadsNothingIsKilledAndStartedAgain) {
  Stage stage;
  Actor front = stage.EnterFront();
  const Actor host = stage.EnterHost(front, 2);
  for (int i = 0; i < 6; ++i) TellMuch(stage, front);  // 4 in the pipe, less than 2 in the buffer
  EXPECT_TRUE(front.Ends());
  const Actor next = stage.Enter(kHostsOption);
  EXPECT_EQ(next.arguments().front(), "--hosts=" + HostWord(2, host, 1));
  EXPECT_EQ(Content(next.fd(kSettingsFd)), std::string(kMaxSettingsBytes, 's'));
  EXPECT_EQ(Count(stage.Log(), "does not read what it is told and is killed"), 1U);
}

TEST(FrontTest, GetsAllEventsWholeHoweverLateItReadsThem) {
  Stage stage;
  Actor front = stage.EnterFront();
  for (int i = 0; i < 5; ++i) TellMuch(stage, front);  // more than the pipe holds
  const std::string settings(kMaxSettingsBytes, 's');
  for (int i = 0; i < 5; ++i) EXPECT_EQ(front.NextEvent().payload, settings);
}

TEST(FrontTest, StandardErrorThatNobodyReadsHoldsUpNothing) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const Fd read_end(ends[0]);
  const Fd write_end(ends[1]);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  const std::string filling(4096, 'f');
  while (write(ends[1], filling.data(), filling.size()) > 0) {
  }
  fcntl(ends[1], F_SETFL, 0);
  Stage stage({.error_fd = ends[1]});
  Actor front = stage.EnterFront();
  front.Give({.kind = static_cast<CommandKind>(77)});
  const Actor host = stage.EnterHost(front, 0);
  EXPECT_EQ(host.arguments().front(), "--berth=0");
}

}  // namespace
}  // namespace ascend::supervisor

// How everything ends, and what does not end it.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "tests/supervisor/stage.h"

namespace ascend::supervisor {
namespace {

class EndingSignalTest : public testing::TestWithParam<int> {};

TEST_P(EndingSignalTest, SignalEndsAllChildrenAndIsNoFailure) {
  Stage stage;
  Actor front = stage.EnterFront();
  const Actor host = stage.EnterHost(front, 0);
  const Actor other = stage.EnterHost(front, 3);
  const std::int64_t begin = TestNowMs();
  stage.Signal(GetParam());
  EXPECT_EQ(stage.ExitStatus(), 0);
  EXPECT_LT(TestNowMs() - begin, 3000);  // nothing had to be killed
  EXPECT_TRUE(front.Ends() && host.Ends() && other.Ends());
  EXPECT_EQ(stage.Log(), "");
}

INSTANTIATE_TEST_SUITE_P(Each, EndingSignalTest, testing::Values(SIGTERM, SIGINT));

TEST(EndingTest, HostThatIgnoresItIsKilledInTime) {
  Stage stage;
  Actor front = stage.EnterFront();
  Actor host = stage.EnterHost(front, 0);
  host.Do(Order::kIgnoreTerm);
  const std::int64_t begin = TestNowMs();
  stage.Signal(SIGTERM);
  EXPECT_TRUE(front.Ends());
  EXPECT_LT(TestNowMs() - begin, 3000);
  EXPECT_EQ(stage.ExitStatus(), 0);
  EXPECT_GE(TestNowMs() - begin, 2990);
  EXPECT_LT(TestNowMs() - begin, 5000);
  EXPECT_TRUE(host.Ends());
}

TEST(EndingTest, NothingIsStartedWhileEverythingEnds) {
  Stage stage;
  Actor front = stage.EnterFront();
  Actor host = stage.EnterHost(front, 0);
  const Actor obedient = stage.EnterHost(front, 2);
  host.Do(Order::kIgnoreTerm);
  front.Do(Order::kIgnoreTerm);
  stage.Signal(SIGTERM);
  EXPECT_EQ(front.Next(EventKind::kHostExited).pid, obedient.pid());
  front.Give({.kind = CommandKind::kStartHost, .berth = 1});
  front.Give({.kind = CommandKind::kReload});
  stage.Signal(SIGHUP);
  front.Give({.kind = CommandKind::kSignalHost, .berth = 0, .signal = SIGKILL});
  // The next thing it is told: commands are still taken, but those that start something.
  EXPECT_EQ(front.Next(EventKind::kHostExited).pid, host.pid());
  front.Exit(0);
  EXPECT_EQ(stage.ExitStatus(), 0);
}

TEST(EndingTest, ReaderIsNotWaitedFor) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  Actor reader = stage.EnterReader();
  reader.Do(Order::kIgnoreTerm);
  const std::int64_t begin = TestNowMs();
  stage.Signal(SIGTERM);
  EXPECT_EQ(stage.ExitStatus(), 0);
  EXPECT_LT(TestNowMs() - begin, 3000);
  EXPECT_TRUE(reader.Ends());
}

TEST(EndingTest, AllChildrenEndWithASupervisorThatIsKilled) {
  Stage stage;
  Actor front = stage.EnterFront();
  Actor host = stage.EnterHost(front, 0);
  front.Do(Order::kIgnoreTerm);
  host.Do(Order::kIgnoreTerm);
  stage.Signal(SIGHUP);
  const Actor reader = stage.EnterReader();
  stage.Signal(SIGKILL);
  ASSERT_TRUE(front.Ends());
  ASSERT_TRUE(host.Ends());
  ASSERT_TRUE(reader.Ends());
  char byte = 0;
  EXPECT_EQ(read(host.fd(kLifeFd), &byte, 1), 0);
  EXPECT_EQ(stage.ExitStatus(), 1000 + SIGKILL);
}

TEST(EndingTest, SupervisorThatWasStoppedGoesOnWhereItWas) {
  Stage stage;
  Actor front = stage.EnterFront();
  Actor host = stage.EnterHost(front, 0);
  stage.Signal(SIGSTOP);
  host.Exit(2);
  for (int i = 0; i < 100; ++i) front.Give({.kind = CommandKind::kReady});
  front.Give({.kind = CommandKind::kStartHost, .berth = 1});
  stage.Signal(SIGUSR2);
  stage.Signal(SIGCONT);
  const Actor next = stage.Enter(kBerthOption);
  bool released = false;
  bool exited = false;
  bool started = false;
  for (int i = 0; i < 3; ++i) {
    const EventKind kind = front.NextEvent().event.kind;
    released |= kind == EventKind::kRelease;
    exited |= kind == EventKind::kHostExited;
    started |= kind == EventKind::kHostStarted;
  }
  EXPECT_TRUE(released && exited && started);
}

TEST(EndingTest, FirstProcessOfAContainerObeysTheSameSignals) {
  Stage stage({.first_process = true});
  Actor front = stage.EnterFront();
  Actor host = stage.EnterHost(front, 0);
  EXPECT_TRUE(host.arguments().front().starts_with(kBerthOption));
  EXPECT_NE(host.Status("NSpid"), std::to_string(host.pid()));  // in a namespace of its own
  host.Do(Order::kLeaveOrphan);
  Actor orphan = stage.Enter("orphan");
  orphan.Exit(0);
  EXPECT_TRUE(Eventually([&] { return kill(orphan.pid(), 0) != 0 && errno == ESRCH; }));
  stage.Signal(SIGHUP);
  stage.EnterReader().Exit(1);
  front.Next(EventKind::kReloadFailed);
  stage.Signal(SIGTERM);
  EXPECT_TRUE(front.Ends() && host.Ends());
  EXPECT_EQ(stage.ExitStatus(), 0);
}

TEST(EndingTest, FirstProcessOfAContainerHasTheFrontsStatus) {
  Stage stage({.first_process = true});
  stage.Enter(kHostsOption).Exit(21);
  EXPECT_EQ(stage.ExitStatus(), 21);
}

TEST(EndingTest, SettingsThatAreMissingAreSaid) {
  Stage stage({.settings = ""});
  EXPECT_EQ(stage.ExitStatus(), 1);
  EXPECT_EQ(Count(stage.Log(), "cannot read the settings"), 1U);
  EXPECT_EQ(Count(stage.Log(), "level=error"), 1U);
}

}  // namespace
}  // namespace ascend::supervisor

// Settings that are read again.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "tests/supervisor/stage.h"

namespace ascend::supervisor {
namespace {

void WriteSettings(const Actor& reader, const std::string& settings) {
  ASSERT_EQ(write(reader.fd(kWriteSettingsFd), settings.data(), settings.size()),
            static_cast<ssize_t>(settings.size()));
}

TEST(ReloadTest, NewSettingsGoToTheFrontAndToChildrenThatStartLater) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  Actor reader = stage.EnterReader();
  WriteSettings(reader, "second settings, longer");
  reader.Exit(0);
  const ToldEvent told = front.NextEvent();
  EXPECT_EQ(told.event.kind, EventKind::kSettings);
  EXPECT_EQ(told.payload, "second settings, longer");
  const Actor host = stage.EnterHost(front, 0);
  EXPECT_EQ(Content(host.fd(kSettingsFd)), "second settings, longer");
  EXPECT_EQ(Content(front.fd(kSettingsFd)), "first settings");
}

TEST(ReloadTest, SettingsThatAreTheSameAreToldToo) {
  Stage stage;
  Actor front = stage.EnterFront();
  front.Give({.kind = CommandKind::kReload});
  Actor reader = stage.EnterReader();
  WriteSettings(reader, "first settings");
  reader.Exit(0);
  EXPECT_EQ(front.NextEvent().payload, "first settings");
}

TEST(ReloadTest, ReaderThatFailsChangesNothing) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  Actor reader = stage.EnterReader();
  WriteSettings(reader, "half of the sett");
  reader.Exit(1);
  front.Next(EventKind::kReloadFailed);
  const Actor host = stage.EnterHost(front, 0);
  EXPECT_EQ(Content(host.fd(kSettingsFd)), "first settings");
  EXPECT_EQ(stage.Log(), "");  // the reader has said why
}

TEST(ReloadTest, ReaderThatCrashesChangesNothing) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  const Actor reader = stage.EnterReader();
  WriteSettings(reader, "half of the sett");
  kill(reader.pid(), SIGABRT);
  front.Next(EventKind::kReloadFailed);
  EXPECT_EQ(Count(stage.Log(), "reading them was ended by signal 6"), 1U);
}

TEST(ReloadTest, EmptySettingsAreNone) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  stage.EnterReader().Exit(0);
  front.Next(EventKind::kReloadFailed);
  EXPECT_EQ(Count(stage.Log(), "the new ones are empty"), 1U);
}

TEST(ReloadTest, TooLargeSettingsAreRefusedAndTheirReaderKilled) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  const Actor reader = stage.EnterReader();
  WriteSettings(reader, std::string(kMaxSettingsBytes + 1, 's'));
  front.Next(EventKind::kReloadFailed);
  EXPECT_TRUE(reader.Ends());
  EXPECT_EQ(Count(stage.Log(), "more than 262144 bytes"), 1U);
}

TEST(ReloadTest, RequestsWhileOneRunsMakeOneMoreRun) {
  Stage stage;
  Actor front = stage.EnterFront();
  front.Give({.kind = CommandKind::kReload});
  Actor first = stage.EnterReader();
  for (int i = 0; i < 3; ++i) front.Give({.kind = CommandKind::kReload});
  const Actor host = stage.EnterHost(front, 0);  // so the commands before were taken
  WriteSettings(first, "second");
  first.Exit(0);
  EXPECT_EQ(front.NextEvent().payload, "second");
  Actor next = stage.EnterReader();
  WriteSettings(next, "third");
  next.Exit(0);
  EXPECT_EQ(front.NextEvent().payload, "third");
  const Actor other = stage.EnterHost(front, 1);  // and no reader before it
  EXPECT_EQ(Content(other.fd(kSettingsFd)), "third");
}

TEST(ReloadTest, ReaderThatHangsIsKilledAndTheNextOneRuns) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  Actor hanging = stage.EnterReader();
  hanging.Do(Order::kIgnoreTerm);
  front.Give({.kind = CommandKind::kReload});
  front.Next(EventKind::kReloadFailed);
  EXPECT_TRUE(hanging.Ends());
  Actor next = stage.EnterReader();
  WriteSettings(next, "second");
  next.Exit(0);
  EXPECT_EQ(front.NextEvent().payload, "second");
  EXPECT_EQ(Count(stage.Log(), "took more than 10 s"), 1U);
}

TEST(ReloadTest, FrontThatStartsAfterItHasTheNewSettings) {
  Stage stage;
  Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  Actor reader = stage.EnterReader();
  WriteSettings(reader, "second");
  reader.Exit(0);
  front.Next(EventKind::kSettings);
  front.Exit(1);
  const Actor next = stage.Enter(kHostsOption);
  EXPECT_EQ(Content(next.fd(kSettingsFd)), "second");
}

}  // namespace
}  // namespace ascend::supervisor

// One lock around the whole library: the device that holds it is held, and the host replaced.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/front/hanging_machine.h"

namespace ascend {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

using OneLockTest = HangingMachine;

TEST_F(OneLockTest, OneLockHasTheDeviceThatHungFirstHeldAndTheHostReplacedAtOnce) {
  Run(seconds(5));
  one_lock_ = true;
  sick_[0] = true;
  Run(kCallDeadline + seconds(3));
  EXPECT_EQ(keeper().restarts(RestartReason::kSerialized), 1);
  ASSERT_EQ(keeper().HeldDevices(world_.now()).size(), 1);
  EXPECT_EQ(keeper().HeldDevices(world_.now())[0].device, 0);
  Run(seconds(2));
  const HostState& state = world_.process(*keeper().current()).state;
  EXPECT_TRUE(state.devices[1].sampled);
  EXPECT_TRUE(state.devices[2].sampled);
  EXPECT_FALSE(state.devices[0].sampled);
}

TEST_F(OneLockTest, ASickDeviceBehindOneLockCostsTheOthersAFewSecondsAnHour) {
  one_lock_ = true;
  sick_[0] = true;
  int silent = 0;  // seconds in which device 1 of the current host did not answer
  for (int second = 0; second < 24 * 3600; ++second) {
    Round();
    const auto current = keeper().current();
    const HostState& state = world_.process(current.value_or(0)).state;
    if (state.devices.empty() || state.devices[1].last_return != world_.now()) ++silent;
    world_.Pass(seconds(1));
  }
  EXPECT_LE(keeper().restarts(RestartReason::kSerialized), 31);
  EXPECT_LE(world_.starts(), 32);
  EXPECT_LE(silent, 31 * 6);
}

TEST_F(OneLockTest, SickDevicesBehindOneLockAreHeldOneAfterTheOther) {
  one_lock_ = true;
  sick_[0] = sick_[1] = true;
  Run(seconds(20));
  EXPECT_EQ(keeper().HeldDevices(world_.now()).size(), 2);
  EXPECT_TRUE(world_.process(*keeper().current()).state.devices[2].sampled);
  Run(hours(24));
  EXPECT_LE(world_.starts(), 80);
}

TEST_F(OneLockTest, HostsThatCallWhatIsHeldAreNotReplacedWithoutEnd) {
  one_lock_ = true;
  sick_[0] = true;
  obeys_ = false;
  Run(hours(24));
  EXPECT_LE(world_.starts(), 80);
}

TEST_F(OneLockTest, DevicesThatHangWhileOthersAnswerAreNoLock) {
  sick_[0] = sick_[1] = true;
  Run(seconds(10));
  EXPECT_THAT(keeper().HeldDevices(world_.now()), IsEmpty());
  EXPECT_EQ(keeper().restarts(RestartReason::kSerialized), 0);
}

TEST_F(OneLockTest, ALockThatCatchesTheNextHostTooHasTheNextOneReplaced) {
  Run(seconds(5));
  const int current = *keeper().current();
  world_.Replace();
  const int next = *keeper().next();
  world_.Answer(next);
  world_.Find(next, kDeviceCount);
  for (int device = 0; device < kDeviceCount; ++device) {
    world_.Pass(milliseconds(10));
    world_.Hang(next, kDeviceCount - 1 - device);
  }
  for (int second = 0; second < 3; ++second) {
    world_.Sample(current, kDeviceCount);
    world_.Live(seconds(1));
  }
  world_.Live(milliseconds(20));
  EXPECT_TRUE(world_.process(next).dismissed);
  EXPECT_EQ(keeper().current(), current);
  // At once, without the back-off of a host that failed.
  ASSERT_NE(keeper().next(), std::nullopt);
  EXPECT_NE(keeper().next(), next);
  ASSERT_EQ(keeper().HeldDevices(world_.now()).size(), 1);
  EXPECT_EQ(keeper().HeldDevices(world_.now())[0].device, kDeviceCount - 1);
}

// One lock, held by device 0 and waited for by device 1, in the current host.
class HostLockTest : public HangingMachine {
 protected:
  void SetUp() override { Run(seconds(5)); }
  void Lock() {
    world_.Hang(*keeper().current(), 0);
    world_.Hang(*keeper().current(), 1);
    world_.Live(kCallDeadline + seconds(1));
  }
};

TEST_F(HostLockTest, AtTheBoundOfHostsLeftBehindNoDeviceIsHeld) {
  killable_ = false;
  sick_[2] = true;
  Run(minutes(2));
  ASSERT_EQ(keeper().left_behind(), 2);
  Lock();
  EXPECT_THAT(keeper().HeldDevices(world_.now()), IsEmpty());
  EXPECT_EQ(keeper().next(), std::nullopt);
}

TEST_F(HostLockTest, AReplacementThatFailedIsTriedAgainAfterItsBackOffOnly) {
  Lock();
  world_.Answer(*keeper().next());
  world_.Exit(*keeper().next(), kKilled);
  world_.Live(milliseconds(999));
  EXPECT_EQ(keeper().next(), std::nullopt);
  world_.Live(milliseconds(1));
  EXPECT_NE(keeper().next(), std::nullopt);
}

TEST_F(HostLockTest, NewSettingsThatWaitForAnotherHostAreNotForgottenForALock) {
  world_.Replace();
  world_.Answer(*keeper().next());
  world_.Exit(*keeper().next(), kKilled);
  world_.Hang(*keeper().current(), 0);
  world_.Hang(*keeper().current(), 1);
  world_.Live(milliseconds(1000));
  world_.Exit(*keeper().next(), kKilled);
  world_.Live(kCallDeadline);
  const auto next = keeper().next();
  ASSERT_NE(next, std::nullopt);
  EXPECT_EQ(keeper().HeldDevices(world_.now()).size(), 1);
  world_.Answer(*next);
  world_.Sample(*next, kDeviceCount);
  world_.Observe();
  EXPECT_EQ(keeper().current(), next);
  EXPECT_EQ(keeper().restarts(RestartReason::kReload), 1);
  EXPECT_EQ(keeper().restarts(RestartReason::kSerialized), 0);
}

TEST_F(HostLockTest, CallsThatMayStillReturnAreWaitedFor) {
  world_.Hang(*keeper().current(), 0);
  world_.Hang(*keeper().current(), 1);
  world_.Live(kCallDeadline);
  world_.Hang(*keeper().current(), 2);
  world_.Live(kCallDeadline - milliseconds(1));
  EXPECT_EQ(keeper().next(), std::nullopt);
  world_.Return(*keeper().current(), 2);
  world_.Live(seconds(5));
  EXPECT_THAT(keeper().HeldDevices(world_.now()), IsEmpty());
}

TEST_F(HostLockTest, ANextHostThatCalledTheDeviceBeforeItWasHeldIsReplacedToo) {
  world_.Replace();
  const int next = *keeper().next();
  world_.Answer(next);
  world_.Find(next, kDeviceCount);
  world_.Hang(*keeper().current(), 0);
  world_.Hang(*keeper().current(), 1);
  world_.Pass(milliseconds(100));
  world_.Hang(next, 0);
  world_.Hang(next, 1);
  world_.Live(kCallDeadline + milliseconds(900));
  EXPECT_EQ(keeper().HeldDevices(world_.now()).size(), 1);
  world_.Live(milliseconds(100));
  EXPECT_TRUE(world_.process(next).dismissed);
  ASSERT_NE(keeper().next(), std::nullopt);
  EXPECT_NE(keeper().next(), next);
}

TEST_F(HostLockTest, AHostWhoseLockOpenedByItselfIsJudgedAnewByTheNextOne) {
  Lock();
  const int current = *keeper().current();
  world_.Answer(*keeper().next());
  world_.Exit(*keeper().next(), kKilled);
  world_.Return(current, 0);
  world_.Return(current, 1);
  world_.Live(minutes(2));
  ASSERT_EQ(keeper().current(), current);
  ASSERT_THAT(keeper().HeldDevices(world_.now()), IsEmpty());
  Lock();
  EXPECT_EQ(keeper().HeldDevices(world_.now()).size(), 1);
}

TEST_F(HostLockTest, OneStuckDeviceWhileNoOtherIsCalledIsNoLock) {
  world_.Hang(*keeper().current(), 0);
  world_.Live(kCallDeadline + seconds(5));
  EXPECT_THAT(keeper().HeldDevices(world_.now()), IsEmpty());
  EXPECT_EQ(keeper().next(), std::nullopt);
}

}  // namespace
}  // namespace ascend

// One lock around the whole library, of which nobody can see who holds it.
#include "exporter/front/lock_trial.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/front/hanging_machine.h"

namespace ascend {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class LockTrialTest : public HangingMachine {
 protected:
  LockTrialTest() {
    devices_ = kMostDevices;
    one_lock_ = unfair_ = true;
    Run(seconds(5));
  }
  std::vector<int> Held() {
    std::vector<int> held;
    for (const HoldDevice& hold : keeper().HeldDevices(world_.now())) held.push_back(hold.device);
    return held;
  }
  // How long it takes until that many devices answer.
  nanoseconds UntilAnswered(int devices) {
    const Mono begin = world_.now();
    while (Answering() < devices && world_.now() - begin < hours(1)) Run(seconds(1));
    return world_.now() - begin;
  }
  int Answering() {
    if (!keeper().current()) return 0;
    int answering = 0;
    for (const DeviceCalls& device : world_.process(*keeper().current()).state.devices) {
      if (device.last_return && world_.now() - *device.last_return <= seconds(1)) ++answering;
    }
    return answering;
  }
};

TEST_F(LockTrialTest, DevicesThatWereHeldInVainAreCalledAgain) {
  sick_[4] = true;
  Run(seconds(1));
  EXPECT_LE(UntilAnswered(kMostDevices - 5), seconds(20));  // 5 hosts of 4 s
  EXPECT_LE(UntilAnswered(kMostDevices - 1), seconds(12));
  EXPECT_THAT(Held(), ElementsAre(4));
}

TEST_F(LockTrialTest, TheWaitThatADeviceGotInVainIsTakenBack) {
  sick_[1] = true;
  Run(seconds(30));
  ASSERT_THAT(Held(), ElementsAre(1));
  sick_[1] = false;
  sick_[0] = true;
  Run(seconds(4));
  ASSERT_THAT(Held(), UnorderedElementsAre(0, 1));
  EXPECT_LE(keeper().HeldDevices(world_.now())[0].until, world_.now() + minutes(1));
}

TEST_F(LockTrialTest, TheLastOfManyDevicesIsFoundToo) {
  sick_[kMostDevices - 1] = true;
  Run(seconds(1));
  EXPECT_LE(UntilAnswered(kMostDevices - 1), seconds(90));
  EXPECT_THAT(Held(), ElementsAre(kMostDevices - 1));
}

TEST_F(LockTrialTest, OfTwoDevicesTheSecondIsFound) {
  devices_ = 2;
  world_.Exit(*keeper().current(), kKilled);
  Run(seconds(5));
  sick_[1] = true;
  Run(seconds(1));
  EXPECT_LE(UntilAnswered(1), seconds(20));
  EXPECT_THAT(Held(), ElementsAre(1));
}

TEST_F(LockTrialTest, SeveralSickDevicesAreFound) {
  sick_[3] = sick_[7] = true;
  Run(seconds(75));
  EXPECT_THAT(Held(), UnorderedElementsAre(3, 7));
  EXPECT_EQ(Answering(), kMostDevices - 2);
}

TEST_F(LockTrialTest, ADeviceThatLocksHalfAMinuteAfterEachStartIsFoundToo) {
  sick_[2] = true;
  hangs_at_ = seconds(30);
  Run(hours(3));
  int seconds_well = 0;
  for (int second = 0; second < 3600; ++second, Run(seconds(1))) {
    if (Answering() == kMostDevices - 1) ++seconds_well;
  }
  EXPECT_GE(seconds_well, 3300);
}

TEST_F(LockTrialTest, ASickDeviceTakesFewHostsADay) {
  sick_[2] = true;
  Run(hours(24));
  EXPECT_LE(world_.starts(), 31 * 4);
}

TEST_F(LockTrialTest, WhenAllDevicesHangNoneIsHeldInTheEnd) {
  one_lock_ = false;
  sick_.fill(true);
  Run(minutes(5));
  EXPECT_THAT(Held(), IsEmpty());
  sick_.fill(false);
  EXPECT_LE(UntilAnswered(kMostDevices), minutes(2));
}

TEST_F(LockTrialTest, WhenAllDevicesHangTrialsBecomeRare) {
  sick_.fill(true);
  Run(hours(2));
  const int before = world_.starts();
  Run(hours(24));
  EXPECT_LE(world_.starts() - before, 26 * 3 * kMostDevices);
}

TEST_F(LockTrialTest, WhoeverRepairedSomethingEndsTheTrial) {
  sick_[4] = true;
  Run(seconds(10));
  ASSERT_THAT(Held(), testing::Not(IsEmpty()));
  sick_[4] = false;
  world_.Forgive();
  EXPECT_THAT(Held(), IsEmpty());
  EXPECT_LE(UntilAnswered(kMostDevices), seconds(5));
}

// Two devices that wait: the first one began earlier.
class FindLockTest : public testing::Test {
 protected:
  std::optional<Lock> Find() {
    Mono check = Mono::max();
    return FindLock(devices_, seconds(1), now_ + seconds(4), check);
  }
  const Mono now_ = Mono{} + hours(1);
  std::array<DeviceCalls, 2> devices_ = {
      DeviceCalls{.device = 0,
                  .deadline = now_ + seconds(2),
                  .begun = now_,
                  .last_return = now_ - milliseconds(900)},
      DeviceCalls{.device = 1,
                  .deadline = now_ + seconds(2) + milliseconds(2),
                  .begun = now_ + milliseconds(2),
                  .last_return = now_ - milliseconds(700)}};
};

TEST_F(FindLockTest, WhoeverBeganFirstIsTheLikelyHolder) {
  EXPECT_EQ(Find().value().device, 0);
  EXPECT_EQ(Find().value().waiting, 2);
}

TEST_F(FindLockTest, TheBeginCountsNotTheDeadline) {
  devices_[1].deadline = now_ + seconds(1);
  EXPECT_EQ(Find().value().device, 0);
}

TEST_F(FindLockTest, WhoeverReturnedLastAndWentStraightOnIsTheLikelyHolder) {
  devices_[1].last_return = *devices_[1].begun - microseconds(20);
  EXPECT_EQ(Find().value().device, 1);
}

TEST_F(FindLockTest, WhoeverWentStraightOnBeforeAnotherReturnedIsNot) {
  devices_[1].last_return = *devices_[1].begun - microseconds(20);
  devices_[0].last_return = *devices_[1].begun - microseconds(10);
  devices_[0].begun = now_ + milliseconds(1);
  EXPECT_EQ(Find().value().device, 0);
}

}  // namespace
}  // namespace ascend

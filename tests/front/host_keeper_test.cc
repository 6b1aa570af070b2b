// When hosts start, take over and are dismissed.
#include "exporter/front/host_keeper.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/front/host_world.h"

namespace ascend {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

// With one host that samples two devices.
class HostKeeperTest : public testing::Test {
 protected:
  void SetUp() override {
    world_.Observe();
    first_ = world_.keeper().current().value();
    world_.Answer(first_);
    world_.Sample(first_, 2);
    world_.Observe();
  }
  void TearDown() override { EXPECT_EQ(world_.fault(), ""); }

  HostKeeper& keeper() { return world_.keeper(); }
  int Next() { return keeper().next().value_or(-1); }
  // The settings changed, and the next host has started.
  int StartNext() {
    world_.Replace();
    const int next = Next();
    world_.Answer(next);
    return next;
  }

  HostWorld world_;
  int first_ = -1;
};

TEST(HostKeeperStartTest, TheFirstObservationStartsTheCurrentHost) {
  HostKeeper keeper;
  const std::vector<HostState> states(HostKeeper::kBerths);
  const Mono now = Mono{} + hours(1);
  EXPECT_THAT(keeper.Observe(now, states), ElementsAre(StartHost{0}));
  EXPECT_EQ(keeper.current(), 0);
  EXPECT_THAT(keeper.Observe(now, states), IsEmpty());
}

TEST_F(HostKeeperTest, TheNextHostTakesOverWhenItSamplesWhatTheCurrentOneDoes) {
  const int next = StartNext();
  world_.Find(next, 2);
  world_.Observe();
  EXPECT_EQ(keeper().current(), first_);
  world_.Sample(next, 1);
  world_.Observe();
  EXPECT_EQ(keeper().current(), first_);
  world_.Sample(next, 2);
  world_.Observe();
  EXPECT_EQ(keeper().current(), next);
  EXPECT_EQ(keeper().next(), std::nullopt);
  EXPECT_TRUE(world_.process(first_).dismissed);
  EXPECT_EQ(keeper().restarts(RestartReason::kReload), 1);
}

TEST_F(HostKeeperTest, ADeviceThatIsStuckInTheCurrentHostIsNotWaitedFor) {
  world_.Hang(first_, 0);
  const int next = StartNext();
  world_.Live(seconds(3));
  world_.Find(next, 2);
  world_.Observe();
  EXPECT_EQ(keeper().current(), first_);
  world_.Hang(next, 0);
  world_.Sample(next, 2);  // that is, device 1
  world_.Observe();
  EXPECT_EQ(keeper().current(), next);
}

TEST_F(HostKeeperTest, TheNextHostTakesOverAfterTenSecondsIfItHasFoundDevices) {
  const int next = StartNext();
  world_.Find(next, 2);
  world_.Live(seconds(10) - milliseconds(1));
  EXPECT_EQ(keeper().current(), first_);
  world_.Live(milliseconds(1));
  EXPECT_EQ(keeper().current(), next);
}

TEST_F(HostKeeperTest, ANextHostThatFindsNothingIsDismissedAndAnotherOneTriedAfterABackOff) {
  const int next = StartNext();
  world_.SetState(next, {.found = true});
  world_.Live(seconds(10));
  EXPECT_EQ(keeper().current(), first_);
  EXPECT_EQ(keeper().next(), std::nullopt);
  EXPECT_TRUE(world_.process(next).dismissed);
  world_.Live(seconds(1));
  const int another = Next();
  ASSERT_GE(another, 0);
  EXPECT_NE(another, next);
  world_.Answer(another);
  world_.Exit(another, kKilled);
  world_.Live(seconds(2) - milliseconds(1));
  EXPECT_EQ(keeper().next(), std::nullopt);
  world_.Live(milliseconds(1));
  EXPECT_NE(keeper().next(), std::nullopt);
}

TEST_F(HostKeeperTest, TheBackOffBeginsAnewOnceAHostHasTakenOver) {
  world_.Exit(StartNext(), kKilled);
  world_.Live(seconds(1));
  const int next = Next();
  world_.Answer(next);
  world_.Sample(next, 2);
  world_.Observe();
  EXPECT_EQ(keeper().current(), next);
  world_.Hang(next, 0);
  world_.Live(kCallDeadline + seconds(10));
  world_.Exit(Next(), kKilled);
  world_.Live(seconds(1));
  EXPECT_NE(keeper().next(), std::nullopt);
}

TEST_F(HostKeeperTest, ASlowSearchOfTheNextHostIsWaitedForUntilItsDeadline) {
  const int next = StartNext();
  world_.SetState(next, {.look_deadline = world_.now() + seconds(20), .opening = 1});
  world_.Live(seconds(20) - milliseconds(1));
  EXPECT_EQ(keeper().next(), next);
  world_.Live(milliseconds(1));
  EXPECT_EQ(keeper().next(), std::nullopt);
  // The one that is tried then leaves out the driver that hung.
  ASSERT_EQ(keeper().HeldOpenings(world_.now()).size(), 1);
  EXPECT_EQ(keeper().HeldOpenings(world_.now())[0],
            (HoldOpening{.opening = 1, .until = world_.now() + minutes(1)}));
}

TEST_F(HostKeeperTest, WithoutDevicesANextHostThatFindsNoneTakesOver) {
  world_.SetState(first_, {.found = true});
  const int next = StartNext();
  world_.SetState(next, {.found = true});
  world_.Observe();
  EXPECT_EQ(keeper().current(), next);
}

TEST_F(HostKeeperTest, ADismissedHostIsDetachedToldToEndThenKilledThenLeftBehind) {
  EXPECT_THAT(keeper().Release(world_.now(), std::nullopt),
              ElementsAre(DetachHost{first_}, SignalHost{first_, SIGTERM}));
  const std::vector<HostState> states(HostKeeper::kBerths);
  EXPECT_EQ(keeper().NextCheck(), world_.now());
  EXPECT_THAT(keeper().Observe(world_.now(), states), IsEmpty());
  EXPECT_EQ(keeper().NextCheck(), world_.now() + seconds(1));
  EXPECT_THAT(keeper().Observe(world_.now() + seconds(1), states),
              ElementsAre(SignalHost{first_, SIGKILL}));
  EXPECT_EQ(keeper().NextCheck(), world_.now() + seconds(6));
  EXPECT_THAT(keeper().Observe(world_.now() + seconds(6), states), IsEmpty());
  EXPECT_EQ(keeper().left_behind(), 1);
  EXPECT_EQ(keeper().NextCheck(), Mono::max());
  EXPECT_THAT(keeper().OnExit(first_, kKilled, world_.now() + hours(1)), IsEmpty());
  EXPECT_EQ(keeper().left_behind(), 0);
}

TEST_F(HostKeeperTest, ADeathOfADismissedHostBlamesNothing) {
  world_.Release(std::nullopt);
  world_.Exit(first_,
              {.kind = HostDeath::Kind::kSignalled, .code = SIGSEGV, .culprit = HostCall{}});
  EXPECT_THAT(keeper().HeldCalls(world_.now()), IsEmpty());
  EXPECT_EQ(keeper().restarts(RestartReason::kCrashed), 0);
}

TEST_F(HostKeeperTest, WhenTheCurrentHostDiesTheNextOneIsCurrentAtOnce) {
  const int next = StartNext();
  world_.Exit(first_, kKilled);
  EXPECT_EQ(keeper().current(), next);
  EXPECT_EQ(keeper().next(), std::nullopt);
}

TEST_F(HostKeeperTest, SettingsThatChangeAgainMakeAnotherNextHost) {
  const int next = StartNext();
  world_.Replace();
  EXPECT_TRUE(world_.process(next).dismissed);
  ASSERT_NE(keeper().next(), std::nullopt);
  EXPECT_NE(keeper().next(), next);
}

TEST_F(HostKeeperTest, AReleaseDuringAReplacementDismissesBothAndStartsNone) {
  const int next = StartNext();
  world_.Release(std::nullopt);
  EXPECT_TRUE(world_.process(first_).dismissed);
  EXPECT_TRUE(world_.process(next).dismissed);
  world_.Exit(first_, kKilled);
  world_.Exit(next, kKilled);
  world_.Replace();
  world_.Live(hours(24));
  EXPECT_EQ(world_.alive(), 0);
  world_.Acquire();
  EXPECT_NE(keeper().current(), std::nullopt);
  EXPECT_EQ(world_.alive(), 1);
}

TEST_F(HostKeeperTest, AReleaseForATimeEndsByItselfAndTheLastOneCounts) {
  world_.Release(world_.now() + minutes(1));
  world_.Release(world_.now() + minutes(2));
  world_.Exit(first_, kKilled);
  world_.Live(minutes(2) - milliseconds(1));
  EXPECT_TRUE(keeper().released());
  world_.Live(milliseconds(1));
  EXPECT_FALSE(keeper().released());
  EXPECT_NE(keeper().current(), std::nullopt);
}

TEST(HostKeeperStartTest, AHostThatIsReleasedBeforeItStartedIsEndedWhenItHas) {
  HostWorld world;
  world.Observe();
  const int berth = world.keeper().current().value();
  world.Release(std::nullopt);
  world.Live(seconds(1));
  EXPECT_FALSE(world.process(berth).dismissed);
  world.Answer(berth);
  EXPECT_TRUE(world.process(berth).dismissed);
  world.Live(seconds(1));
  EXPECT_TRUE(world.process(berth).killed);
  EXPECT_EQ(world.fault(), "");
}

TEST(HostKeeperStartTest, AReleaseBeforeTheFirstHostStartsNone) {
  HostWorld world;
  world.Release(std::nullopt);
  world.Live(hours(1));
  EXPECT_EQ(world.starts(), 0);
  EXPECT_EQ(world.fault(), "");
}

TEST(HostKeeperStartTest, StartsThatFailAreRepeatedEverMoreSeldomUpToThirtySeconds) {
  HostWorld world;
  world.Observe();
  for (const int wait : {100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000}) {
    world.FailToStart(world.keeper().current().value());
    EXPECT_EQ(world.keeper().current(), std::nullopt);
    world.Live(milliseconds(wait - 1));
    EXPECT_EQ(world.keeper().current(), std::nullopt) << wait;
    world.Live(milliseconds(1));
    EXPECT_NE(world.keeper().current(), std::nullopt) << wait;
  }
  EXPECT_EQ(world.fault(), "");
}

TEST(HostKeeperStartTest, AStartThatIsNotAnsweredIsGivenUpAndEndedShouldItComeLate) {
  HostWorld world;
  world.Observe();
  const int silent = world.keeper().current().value();
  world.Live(seconds(10) + milliseconds(100));
  const int another = world.keeper().current().value();
  EXPECT_NE(another, silent);
  world.Answer(silent);
  EXPECT_TRUE(world.process(silent).dismissed);
  EXPECT_EQ(world.keeper().current(), another);
  EXPECT_EQ(world.fault(), "");
}

TEST_F(HostKeeperTest, AProgramThatCannotBeExecutedAfterItsStartIsAFailedStart) {
  const int next = StartNext();
  world_.FailToStart(next);
  EXPECT_EQ(keeper().next(), std::nullopt);
  EXPECT_EQ(keeper().restarts(RestartReason::kExited), 0);
  world_.Live(seconds(1));
  EXPECT_NE(keeper().next(), std::nullopt);
}

TEST_F(HostKeeperTest, SecondAnswersAndExitsOfFreeBerthsAreIgnored) {
  EXPECT_THAT(keeper().OnStarted(first_, world_.now()), IsEmpty());
  const int free = (first_ + 1) % HostKeeper::kBerths;
  EXPECT_THAT(keeper().OnStartFailed(free, world_.now()), IsEmpty());
  EXPECT_THAT(keeper().OnExit(free, kKilled, world_.now()), IsEmpty());
  EXPECT_EQ(keeper().current(), first_);
  EXPECT_EQ(keeper().restarts(RestartReason::kKilled), 0);
}

TEST_F(HostKeeperTest, AHostThatNobodyAskedForIsEnded) {
  const int free = (first_ + 1) % HostKeeper::kBerths;
  EXPECT_THAT(keeper().OnStarted(free, world_.now()),
              ElementsAre(DetachHost{free}, SignalHost{free, SIGTERM}));
  EXPECT_EQ(keeper().current(), first_);
}

TEST(HostKeeperAdoptTest, TheNewestHostIsKeptAndOlderOnesAreDismissed) {
  HostWorld world;
  world.Adopt(3);
  world.Adopt(1);
  EXPECT_EQ(world.keeper().current(), 1);
  EXPECT_TRUE(world.process(3).dismissed);
  world.Sample(1, 2);
  world.Live(seconds(1));
  EXPECT_TRUE(world.process(3).killed);
  EXPECT_EQ(world.starts(), 0);
  EXPECT_EQ(world.fault(), "");
}

}  // namespace
}  // namespace ascend

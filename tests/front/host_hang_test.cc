// Calls that do not return: how often hosts are replaced.
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

using HostHangTest = HangingMachine;

TEST_F(HostHangTest, ACallThatReturnsInTimeOrALittleLaterReplacesNoHost) {
  Run(seconds(5));
  world_.Hang(*keeper().current(), 0);
  Run(seconds(11));
  Cure(0);
  Run(minutes(5));
  EXPECT_EQ(world_.starts(), 1);
}

TEST_F(HostHangTest, ACallThatStaysStuckForTenSecondsHasItsHostReplaced) {
  Run(seconds(5));
  world_.Hang(*keeper().current(), 0);
  Run(kCallDeadline + seconds(10));
  EXPECT_EQ(keeper().next(), std::nullopt);
  Run(seconds(3));
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), 1);
  EXPECT_EQ(world_.alive(), 1);
}

TEST_F(HostHangTest, ASickDeviceCausesAboutThirtyReplacementsADay) {
  sick_[0] = true;
  Run(hours(24));
  EXPECT_GE(keeper().restarts(RestartReason::kHung), 25);
  EXPECT_LE(keeper().restarts(RestartReason::kHung), 31);
  EXPECT_EQ(keeper().restarts(RestartReason::kSerialized), 0);
  EXPECT_EQ(world_.starts(), 1 + keeper().restarts(RestartReason::kHung));
}

TEST_F(HostHangTest, TwoSickDevicesShareTheirReplacements) {
  sick_[0] = sick_[1] = true;
  Run(hours(24));
  EXPECT_LE(keeper().restarts(RestartReason::kHung), 36);
  EXPECT_EQ(keeper().restarts(RestartReason::kSerialized), 0);
}

TEST_F(HostHangTest, ADeviceThatAnsweredForTenMinutesIsReplacedForAtOnceAgain) {
  sick_[0] = true;
  Run(minutes(150));
  Cure(0);
  Run(minutes(11));
  const auto before = keeper().restarts(RestartReason::kHung);
  sick_[0] = true;
  Run(seconds(20));
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), before + 1);
}

TEST_F(HostHangTest, ADeviceThatAnsweredForFiveMinutesIsStillWaitedFor) {
  sick_[0] = true;
  Run(minutes(150));  // the last one after 123, the next not before 183
  Cure(0);
  Run(minutes(5));
  const auto before = keeper().restarts(RestartReason::kHung);
  sick_[0] = true;
  Run(seconds(20));
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), before);
}

TEST_F(HostHangTest, HostsThatCannotBeKilledAreLeftBehindTwiceThenHungCallsReplaceNone) {
  sick_[0] = true;
  killable_ = false;
  Run(hours(24));
  EXPECT_EQ(most_left_behind_, 2);
  EXPECT_EQ(world_.starts(), 3);
  // A crash still restarts.
  world_.Exit(*keeper().current(), {.kind = HostDeath::Kind::kSignalled, .code = SIGSEGV});
  Run(seconds(5));
  EXPECT_EQ(world_.starts(), 4);
  EXPECT_EQ(world_.alive(), 3);
  // When one goes, hung calls replace again.
  killable_ = true;
  Run(hours(2));
  EXPECT_GT(world_.starts(), 4);
  EXPECT_EQ(world_.alive(), 1);
}

TEST_F(HostHangTest, AFirstSearchThatHangsHasItsDriverHeldAndTheHostReplaced) {
  world_.Observe();
  const int first = *keeper().current();
  world_.Answer(first);
  world_.SetState(first, {.look_deadline = world_.now() + seconds(5), .opening = 0});
  world_.Live(seconds(15) - milliseconds(1));
  EXPECT_EQ(keeper().next(), std::nullopt);
  world_.Live(milliseconds(1));
  ASSERT_NE(keeper().next(), std::nullopt);
  EXPECT_THAT(keeper().HeldOpenings(world_.now()),
              ElementsAre(HoldOpening{.opening = 0, .until = world_.now() + minutes(1)}));
  const int next = *keeper().next();
  world_.Answer(next);
  world_.Sample(next, kDeviceCount);
  world_.Observe();
  EXPECT_EQ(keeper().current(), next);
}

TEST_F(HostHangTest, AHostThatDoesNotEvenBeginToSearchIsReplaced) {
  world_.Observe();
  const int first = *keeper().current();
  world_.Answer(first);
  world_.Live(minutes(1) + seconds(10) - milliseconds(1));
  EXPECT_EQ(keeper().next(), std::nullopt);
  world_.Live(milliseconds(1));
  ASSERT_NE(keeper().next(), std::nullopt);
  EXPECT_THAT(keeper().HeldOpenings(world_.now()), IsEmpty());
}

TEST_F(HostHangTest, NextHostsThatDieAreStartedEverMoreSeldom) {
  Run(seconds(5));
  world_.Hang(*keeper().current(), 0);
  world_.Live(kCallDeadline + seconds(10));
  const Mono end = world_.now() + seconds(62);
  while (world_.now() < end) {
    if (const auto next = keeper().next()) world_.Exit(*next, kKilled);
    world_.Live(milliseconds(500));
  }
  EXPECT_EQ(world_.starts(), 1 + 6);  // after 0, 1, 3, 7, 15 and 31 s
}

TEST_F(HostHangTest, AReplacementThatFailedIsNotTriedAgainWhenTheCallHasReturned) {
  Run(seconds(5));
  const int current = *keeper().current();
  world_.Hang(current, 0);
  world_.Live(kCallDeadline + seconds(10));
  world_.Exit(*keeper().next(), kKilled);
  world_.Return(current, 0);
  world_.Live(minutes(10));
  EXPECT_EQ(keeper().current(), current);
  EXPECT_EQ(world_.starts(), 2);
}

TEST_F(HostHangTest, TheTenMinutesBeginAnewWhenACallIsStuck) {
  sick_[0] = true;
  Run(minutes(150));
  Cure(0);
  Run(minutes(5));
  sick_[0] = true;
  Run(minutes(6));
  Cure(0);
  Run(minutes(1));
  const auto before = keeper().restarts(RestartReason::kHung);
  sick_[0] = true;
  Run(seconds(20));
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), before);
}

TEST_F(HostHangTest, ASearchThatHangsLaterHasItsHostReplacedAndIsCuredByTenGoodMinutes) {
  const auto hang_in_search = [this] {
    HostState state = world_.process(*keeper().current()).state;
    state.look_deadline = world_.now();
    world_.SetState(*keeper().current(), state);
    Run(seconds(13));
  };
  Run(seconds(5));
  hang_in_search();
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), 1);
  EXPECT_THAT(keeper().HeldOpenings(world_.now()), IsEmpty());
  hang_in_search();
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), 1);
  Run(minutes(1));
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), 2);
  Run(minutes(11));
  hang_in_search();
  hang_in_search();
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), 3);
  Run(minutes(1));
  EXPECT_EQ(keeper().restarts(RestartReason::kHung), 4);
}

}  // namespace
}  // namespace ascend

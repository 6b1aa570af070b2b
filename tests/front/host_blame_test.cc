// Hosts that end by themselves: what is held, and how soon another one starts.
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
using testing::UnorderedElementsAre;

constexpr HostCall kHbm{.device = 0, .collector = 3};
constexpr HostCall kHealth{.device = 1, .collector = 5};
constexpr HostCall kPower{.device = 2, .collector = 1};

HostDeath CrashOf(const HostCall& call) {
  return {.kind = HostDeath::Kind::kSignalled,
          .code = SIGSEGV,
          .culprit = call,
          .in_progress = {kHbm, kHealth}};
}

class HostBlameTest : public testing::Test {
 protected:
  void SetUp() override { StartAndSample(); }
  void TearDown() override { EXPECT_EQ(world_.fault(), ""); }

  HostKeeper& keeper() { return world_.keeper(); }
  void StartAndSample() {
    world_.Live(seconds(0));
    while (!keeper().current()) world_.Live(milliseconds(50));
    world_.Answer(*keeper().current());
    world_.Sample(*keeper().current(), 2);
    world_.Live(seconds(20));
  }
  // The current host dies; the holds that this brings.
  HostActions Die(const HostDeath& death) {
    world_.Exit(*keeper().current(), death);
    return world_.holds();
  }

  HostWorld world_;
};

TEST_F(HostBlameTest, ACallThatAlwaysCrashesIsDisabledAfterThreeCrashes) {
  EXPECT_THAT(Die(CrashOf(kHbm)), ElementsAre(HoldCall{kHbm, world_.now() + minutes(1)}));
  EXPECT_NE(keeper().current(), std::nullopt);  // at once
  StartAndSample();
  world_.Live(minutes(1));
  EXPECT_THAT(Die(CrashOf(kHbm)), ElementsAre(HoldCall{kHbm, world_.now() + minutes(10)}));
  StartAndSample();
  world_.Live(minutes(10));
  EXPECT_THAT(Die(CrashOf(kHbm)), ElementsAre(HoldCall{kHbm, Mono::max()}));
  StartAndSample();
  world_.Live(hours(24));
  EXPECT_THAT(keeper().HeldCalls(world_.now()), ElementsAre(HoldCall{kHbm, Mono::max()}));
  EXPECT_EQ(keeper().restarts(RestartReason::kCrashed), 3);
  EXPECT_EQ(world_.starts(), 4);
}

TEST_F(HostBlameTest, WhoeverRepairedSomethingEndsAllHoldsAndTheirHistory) {
  for (int times = 0; times < 3; ++times) {
    Die(CrashOf(kHbm));
    StartAndSample();
    world_.Live(minutes(10));
  }
  EXPECT_THAT(keeper().HeldCalls(world_.now()), ElementsAre(HoldCall{kHbm, Mono::max()}));
  world_.Forgive();
  EXPECT_THAT(keeper().HeldCalls(world_.now()), IsEmpty());
  EXPECT_THAT(Die(CrashOf(kHbm)), ElementsAre(HoldCall{kHbm, world_.now() + minutes(1)}));
}

TEST_F(HostBlameTest, WhoeverRepairedSomethingWaitsForNoStart) {
  while (keeper().current()) {
    if (keeper().current()) world_.Exit(*keeper().current(), {.code = 1});
    world_.Live(seconds(0));
  }
  world_.Forgive();
  EXPECT_NE(keeper().current(), std::nullopt);
}

TEST_F(HostBlameTest, ACallIsToBlameWhenItWasTheOnlyOneUnderWay) {
  EXPECT_THAT(Die({.code = 1, .in_progress = {kHealth}}),
              ElementsAre(HoldCall{kHealth, world_.now() + minutes(1)}));
  EXPECT_EQ(keeper().restarts(RestartReason::kExited), 1);
}

TEST(BlamedCallTest, IsTheOneThatCrashedOrTheOnlyOneUnderWayOfAHostThatEndedItself) {
  EXPECT_EQ(BlamedCall(CrashOf(kHbm)), kHbm);
  EXPECT_EQ(BlamedCall({.code = 1, .in_progress = {kHealth}}), kHealth);
  EXPECT_EQ(BlamedCall({.code = 1, .in_progress = {kHealth, kHbm}}), std::nullopt);
  EXPECT_EQ(BlamedCall({.code = 1, .in_progress = {kHealth}, .opening = 0}), std::nullopt);
  HostDeath killed = kKilled;
  killed.in_progress = {kHealth};
  EXPECT_EQ(BlamedCall(killed), std::nullopt);
}

TEST_F(HostBlameTest, ACrashOfACallThatIsHeldAlreadyCountsOnce) {
  const HostActions first = Die(CrashOf(kHbm));
  StartAndSample();
  EXPECT_EQ(Die(CrashOf(kHbm)), first);
}

TEST_F(HostBlameTest, OfSeveralCallsThoseThatWereUnderWayTwiceAreHeld) {
  EXPECT_THAT(Die({.in_progress = {kHbm, kHealth}}), IsEmpty());
  StartAndSample();
  EXPECT_THAT(Die({.in_progress = {kPower, kHealth}}),
              ElementsAre(HoldCall{kHealth, world_.now() + minutes(1)}));
}

TEST_F(HostBlameTest, SuspectsAreNeverDisabledForEver) {
  for (int death = 0; death < 6; ++death) {
    Die({.in_progress = {kHbm, kHealth}});
    StartAndSample();
    world_.Live(minutes(11));
  }
  EXPECT_THAT(Die({.in_progress = {kHbm, kHealth}}),
              UnorderedElementsAre(HoldCall{kHbm, world_.now() + minutes(10)},
                                   HoldCall{kHealth, world_.now() + minutes(10)}));
}

TEST_F(HostBlameTest, AKillFromOutsideHoldsNothingAndRestartsAtOnce) {
  EXPECT_THAT(Die({.kind = HostDeath::Kind::kSignalled, .code = SIGKILL, .in_progress = {kHbm}}),
              IsEmpty());
  EXPECT_NE(keeper().current(), std::nullopt);
  EXPECT_EQ(keeper().restarts(RestartReason::kKilled), 1);
}

TEST_F(HostBlameTest, ADriverThatEndsItsHostWhileOpenedIsHeldForEverLonger) {
  for (const int wait : {1, 2, 4, 8, 16, 32, 60, 60}) {
    EXPECT_THAT(Die({.in_progress = {}, .opening = 1}),
                ElementsAre(HoldOpening{1, world_.now() + minutes(wait)}));
    StartAndSample();
    world_.Live(minutes(wait));
  }
  world_.Live(hours(2));
  EXPECT_THAT(Die({.in_progress = {}, .opening = 1}),
              ElementsAre(HoldOpening{1, world_.now() + minutes(1)}));
}

TEST_F(HostBlameTest, ACulpritCountsMoreThanAnOpening) {
  HostDeath death = CrashOf(kHbm);
  death.opening = 0;
  EXPECT_THAT(Die(death), ElementsAre(HoldCall{kHbm, world_.now() + minutes(1)}));
}

TEST_F(HostBlameTest, ANextHostThatCrashesIsJudgedTooAndTheCurrentOneStays) {
  const auto current = keeper().current();
  world_.Replace();
  const int next = *keeper().next();
  world_.Answer(next);
  world_.Exit(next, CrashOf(kPower));
  EXPECT_THAT(world_.holds(), ElementsAre(HoldCall{kPower, world_.now() + minutes(1)}));
  EXPECT_EQ(keeper().current(), current);
  EXPECT_EQ(keeper().restarts(RestartReason::kCrashed), 1);
}

TEST_F(HostBlameTest, DeathsWithoutAnySampleAreFollowedByEverLongerWaits) {
  Die({.code = 1});
  int last_starts = world_.starts();
  for (const int wait : {200, 400, 800, 1600}) {
    world_.Answer(*keeper().current());
    Die({.code = 1});
    world_.Live(milliseconds(wait - 1));
    EXPECT_EQ(world_.starts(), last_starts) << wait;
    world_.Live(milliseconds(1));
    EXPECT_EQ(world_.starts(), ++last_starts) << wait;
  }
}

TEST_F(HostBlameTest, AHostThatSampledForAWhileIsReplacedAtOnceAfterAnyNumberOfDeaths) {
  for (int death = 0; death < 20; ++death) {
    Die({.code = 1});
    ASSERT_NE(keeper().current(), std::nullopt) << death;
    StartAndSample();
  }
}

TEST_F(HostBlameTest, HostsThatSampleAndEndSoonAreNotRestartedWithoutAPause) {
  const Mono end = world_.now() + minutes(10);
  while (world_.now() < end) {
    if (const auto current = keeper().current()) {
      world_.Answer(*current);
      world_.Sample(*current, 2);
      world_.Observe();
      Die({.code = 1});
    }
    world_.Live(milliseconds(100));
  }
  EXPECT_LE(world_.starts(), 40);
}

}  // namespace
}  // namespace ascend

// What a device's values go through when another worker takes over, and while two sample at once.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/engine/view_fixture.h"

namespace ascend {
namespace {

constexpr std::string_view kDie = "00000001-00000002-00000003-00000004-00000005";
constexpr std::string_view kOtherDie = "00000001-00000002-00000003-00000004-0000BEEF";
constexpr std::string_view kHealth = "health";
constexpr std::uint32_t kFault = 0x80E01801, kOtherFault = 0x80CD8003;

class TakeoverTest : public ViewFixture {
 protected:
  TakeoverTest() { MakeView(own_); }

  // The device's own worker is known and has drawn 100 J.
  void Begin() {
    Identify(own_, kDie, kStart);
    Power(own_, kStart + 1s, 100);
    Power(own_, kStart + 2s, 100);
    ASSERT_EQ(Energy(), 100);
  }
  void TakeOver() { view_->Rebind(other_); }
  void OwnWorkerEnds() { view_->Rebind({.found = own_.found, .waiting = true}); }

  TopologyDevice own_ = NewWorker(), other_ = NewWorker();
};

TEST_F(TakeoverTest, TheSameChipGoesOnUnderANewWorker) {
  Begin();
  OwnWorkerEnds();
  TakeOver();
  Identify(other_, kDie, kStart + 3s);
  Power(other_, kStart + 4s, 200);
  EXPECT_EQ(Energy(), 400) << "the gap of two seconds is shorter than the stale limit";
  EXPECT_EQ(Value("ascend_npu_power_window_min_watts"), 100);
}

TEST_F(TakeoverTest, AGapLongerThanTheStaleLimitIsNotBridged) {
  Begin();
  OwnWorkerEnds();
  TakeOver();
  Identify(other_, kDie, kStart + 3s);
  Power(other_, kStart + 2s + 3s + 1ns, 200);
  EXPECT_EQ(Energy(), 100);
  Power(other_, kStart + 6s, 200);
  EXPECT_NEAR(*Energy(), 300, 1e-6);
}

TEST_F(TakeoverTest, AnotherChipBeginsAnew) {
  Begin();
  OwnWorkerEnds();
  TakeOver();
  Identify(other_, kOtherDie, kStart + 3s);
  EXPECT_EQ(Energy(), std::nullopt) << "what was known was another chip's";
  Power(other_, kStart + 4s, 200);
  EXPECT_EQ(Energy(), 0);
  EXPECT_EQ(Value("ascend_npu_power_window_min_watts"), 200);
}

TEST_F(TakeoverTest, AWorkerThatCannotTellTheChipIsNotHeardForATimeAndThenBeginsAnew) {
  Begin();
  OwnWorkerEnds();
  TakeOver();
  FailToIdentify(other_, kStart + 3s);
  for (int i = 3; i <= 33; ++i) Power(other_, kStart + i * 1s, 200);
  EXPECT_EQ(Energy(), 100) << "it may yet say that it is the same one";
  Power(other_, kStart + 34s, 200);
  EXPECT_EQ(Energy(), 0);
  EXPECT_EQ(view_->page_device().identity, std::nullopt);
  Power(other_, kStart + 35s, 200);
  EXPECT_EQ(Energy(), 200);
  Identify(other_, kDie, kStart + 36s);
  Power(other_, kStart + 36s, 200);
  EXPECT_EQ(Energy(), 400) << "the chip that nobody knew is known now";
}

TEST_F(TakeoverTest, WhatANewWorkerCannotReadStillTellsChipsApart) {
  Begin();
  OwnWorkerEnds();
  TakeOver();
  Identify(other_, "", kStart + 3s);
  Power(other_, kStart + 3s, 100);
  EXPECT_EQ(Energy(), 200) << "in the same place, for all that is known";
  EXPECT_EQ(view_->page_device().identity->die_id, kDie);
  Identify(other_, kOtherDie, kStart + 4s);
  Power(other_, kStart + 4s, 100);
  EXPECT_EQ(Energy(), 0) << "it was another one all the time";
}

TEST_F(TakeoverTest, BlocksOfAnEarlierWorkerInTheSameChannelAreIgnored) {
  Begin();
  TopologyDevice later = own_;
  later.worker = own_.worker + 1;
  view_->Rebind(later);
  Identify(own_, kOtherDie, kStart + 3s);
  Power(own_, kStart + 3s, 300);
  EXPECT_EQ(Energy(), 100);
  EXPECT_EQ(view_->page_device().identity->die_id, kDie);
  Identify(later, kDie, kStart + 3s);
  Power(later, kStart + 3s, 100);
  EXPECT_EQ(Energy(), 200);
}

TEST_F(TakeoverTest, AWorkerBesideIsHeardOnlyOnceItKnowsTheChip) {
  Begin();
  view_->Accompany(&other_);
  Power(other_, kStart + 3s, 300);
  EXPECT_EQ(Value("ascend_npu_power_watts"), 100);
  FailToIdentify(other_, kStart + 3s);
  Power(other_, kStart + 3s, 300);
  EXPECT_EQ(Value("ascend_npu_power_watts"), 100);
  EXPECT_EQ(Energy(), 100);
  EXPECT_FALSE(view_->sampled_by(other_.channel.get()));
  EXPECT_NE(view_->page_device().identity, std::nullopt) << "the own worker knows it";
  Identify(other_, kDie, kStart + 3s);
  Power(other_, kStart + 3s, 300);
  EXPECT_EQ(Value("ascend_npu_power_watts"), 300);
  EXPECT_EQ(Energy(), 300);
  EXPECT_TRUE(view_->sampled_by(other_.channel.get()));
}

TEST_F(TakeoverTest, ValuesFromTheFutureOrFromNoTimeAreIgnored) {
  Begin();
  Power(own_, kStart + 9s, 300, kStart + 3s);
  Power(own_, 0s, 300, kStart + 3s);
  Power(own_, -5s, 300, kStart + 3s);
  EXPECT_EQ(Value("ascend_npu_power_watts"), 100);
  Power(own_, kStart + 3s, 100);
  EXPECT_EQ(Energy(), 200);
}

TEST_F(TakeoverTest, AnAnswerAfterItsDeadlineIsNoSample) {
  Begin();
  Tell(own_, {.collector = "power",
              .at = kStart + 3s,
              .values = {{kEnergy, 900}, {"ascend_npu_power_window_max_watts", 900}},
              .result = CallResult::kTimeout});
  Power(own_, kStart + 4s, 100);
  EXPECT_EQ(Energy(), 300);
  EXPECT_EQ(Value("ascend_npu_power_window_max_watts"), 100);
}

TEST_F(TakeoverTest, ALateBlockOfTheOtherWorkerTakesNothingBack) {
  Begin();
  view_->Accompany(&other_);
  Identify(other_, kDie, kStart + 2s);
  constexpr std::string_view kCounter = "ascend_npu_sio_receive_errors_total";
  const auto tell = [&](const TopologyDevice& by, nanoseconds at, double value) {
    Tell(by, {.collector = "sio", .at = at, .values = {{kCounter, value}}, .range = 65536});
  };
  tell(own_, kStart + 3s, 65530);
  tell(own_, kStart + 4s, 4);
  EXPECT_EQ(Value(kCounter), 65540);
  tell(own_, kStart + 5s, 20);
  tell(other_, kStart + 5s - 1ms, 19);
  EXPECT_EQ(Value(kCounter), 65556);
  tell(own_, kStart + 6s, 30);
  EXPECT_EQ(Value(kCounter), 65566) << "the older 19 was no reset";
}

// Both are asked at the same ticks; blocks are read in any order, one late. The integral is that of
// the samples in the order of their times, and each moment counts once.
TEST_F(TakeoverTest, TwoWorkersAtOnceCountTheEnergyOnce) {
  Begin();
  view_->Accompany(&other_);
  Identify(other_, kDie, kStart + 2s);
  std::mt19937_64 random(3);
  const auto watts = [](nanoseconds at) {
    return 300 + 200 * std::sin(std::chrono::duration<double>(at).count() / 20);
  };
  const auto late = [&] { return nanoseconds(random() % 40'000'000); };
  nanoseconds last = kStart + 2s;
  long double expected = *Energy();
  double before = 100;
  const auto tell = [&](const TopologyDevice& by, nanoseconds at, nanoseconds now) {
    Power(by, at, watts(at), now);
    if (at <= last) return;
    expected += (static_cast<long double>(before) + watts(at)) / 2 *
                static_cast<long double>((at - last).count()) / 1e9L;
    before = watts(at);
    last = at;
  };
  nanoseconds tick = kStart + 3s;
  for (int i = 0; i < 5'000; ++i, tick += 1s) {
    tell(own_, tick + late(), tick + 50ms);
    tell(other_, tick + late(), tick + 50ms);
    ASSERT_NEAR(*Energy(), static_cast<double>(expected), 1e-12 * *Energy()) << i;
  }
  TakeOver();
  for (int i = 0; i < 5'000; ++i, tick += 1s) tell(other_, tick + late(), tick + 50ms);
  EXPECT_NEAR(*Energy(), static_cast<double>(expected), 1e-12 * *Energy());
  const auto integral = [](nanoseconds at) {  // of watts(), by its formula
    const double seconds = std::chrono::duration<double>(at - kStart - 2s).count();
    const double from = std::chrono::duration<double>(kStart + 2s).count();
    return 300 * seconds - 4000 * (std::cos((from + seconds) / 20) - std::cos(from / 20));
  };
  EXPECT_NEAR(*Energy() - 100, integral(last), 1e-3 * integral(last));
}

TEST_F(TakeoverTest, TheWallClockMayJump) {
  Begin();
  for (int i = 3; i < 500; ++i) {
    wall_ += i % 50 == 0 ? -1e6 : i % 30 == 0 ? 3e6 : 1;
    Power(own_, kStart + i * 1s, 100);
    Tell(own_, {.collector = kHealth, .at = kStart + i * 1s});
    EXPECT_FALSE(view_->Expire((kStart + i * 1s).count(), plan_));
    view_->Watch((kStart + i * 1s).count(), plan_, false);
    ASSERT_EQ(Energy(), 100.0 * (i - 1));
    ASSERT_TRUE(view_->Up((kStart + i * 1s).count(), plan_));
    ASSERT_EQ(view_->last_answer_wall(), wall_) << "only labels follow the wall clock";
  }
  EXPECT_EQ(Value("ascend_npu_power_window_max_watts"), 100);
}

class FaultTakeoverTest : public TakeoverTest {
 protected:
  FaultTakeoverTest() {
    Identify(own_, kDie, kStart);
    Faults(own_, 1, {}, {});
    view_->Accompany(&other_);
    Identify(other_, kDie, kStart + 1s);
    Faults(other_, 1, {}, {});
  }
  void Faults(const TopologyDevice& by, double tick, std::vector<std::uint32_t> active,
              std::vector<std::uint32_t> events, nanoseconds later = 0ns) {
    const auto at = kStart + std::chrono::duration_cast<nanoseconds>(tick * 1s) + later;
    Tell(by, {.collector = "faults", .at = at, .fault_events = events, .faults = active});
  }
};

TEST_F(FaultTakeoverTest, AnEventThatBothAreToldCountsOnce) {
  Faults(own_, 2, {}, {kFault});
  Faults(other_, 2, {}, {kFault}, 1ms);
  EXPECT_EQ(FaultsBegun(), 1);
  Faults(own_, 3, {kFault}, {});
  Faults(other_, 3, {kFault}, {}, -1ms);
  Faults(own_, 4, {kFault}, {});
  EXPECT_EQ(FaultsBegun(), 1);
}

TEST_F(FaultTakeoverTest, AListThatWasReadBeforeTheFaultDoesNotEndIt) {
  Faults(own_, 2, {kFault}, {}, 2ms);
  Faults(other_, 2, {}, {}, 1ms);
  Faults(own_, 3, {kFault}, {});
  Faults(other_, 3, {kFault}, {});
  EXPECT_EQ(FaultsBegun(), 1);
}

TEST_F(FaultTakeoverTest, AnEventOfTheTickOfTheTakeoverCountsOnce) {
  Faults(own_, 2, {}, {kFault});
  TakeOver();
  Faults(other_, 2, {}, {kFault}, 2ms);
  EXPECT_EQ(FaultsBegun(), 1);
  Faults(other_, 3, {kFault}, {kOtherFault});
  EXPECT_EQ(FaultsBegun(), 2);
}

TEST_F(FaultTakeoverTest, AfterTheTakeoverEventsAndListsCountAsBefore) {
  Faults(own_, 2, {kFault}, {kFault});
  TakeOver();
  Faults(other_, 3, {kFault, kOtherFault}, {});
  EXPECT_EQ(FaultsBegun(), 2);
  Faults(other_, 4, {kOtherFault}, {});
  Faults(other_, 5, {kFault, kOtherFault}, {kFault});
  EXPECT_EQ(FaultsBegun(), 3) << "it ended and began again";
}

TEST_F(FaultTakeoverTest, TheWorkerBesideIsHeardWhileTheOwnOneIsSilent) {
  Faults(other_, 2, {kFault}, {kFault});
  EXPECT_EQ(FaultsBegun(), 0) << "the own one may tell of it in a moment";
  Faults(other_, 3, {kFault}, {});
  Faults(other_, 4, {kFault}, {});
  EXPECT_EQ(FaultsBegun(), 1);
  Faults(own_, 2, {kFault}, {kFault});  // its call hung, and returned
  EXPECT_EQ(FaultsBegun(), 1);
  Faults(own_, 5, {kFault}, {});
  EXPECT_EQ(FaultsBegun(), 1);
}

}  // namespace
}  // namespace ascend

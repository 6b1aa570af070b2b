#include "exporter/engine/fault_tracker.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <vector>

namespace ascend {
namespace {

class FaultTrackerTest : public ::testing::Test {
 protected:
  FaultTrackerTest() { Update({}, 1); }

  void Update(std::vector<Sample> active, double now, std::vector<std::uint32_t> events = {}) {
    tracker_.Tell(events);
    used_ = tracker_.Update(active, 0, now, samples_);
    for (const Sample& sample : active) EXPECT_EQ(sample.value, 1) << "active or not, never more";
  }
  std::optional<double> Find(std::size_t row, std::uint32_t key) const {
    for (const Sample& sample : std::span(samples_).first(used_)) {
      if (sample.row == row && sample.key == key) return sample.value;
    }
    return std::nullopt;
  }
  double Began(FaultAction action) const {
    return Find(kFaultCount + static_cast<std::size_t>(action), 0).value_or(-1);
  }

  FaultTracker tracker_;
  std::array<Sample, 256> samples_{};
  std::size_t used_ = 0;
};

Sample Active(std::uint32_t code, double times = 1) { return {kFaultActive, 0, code, times}; }

TEST_F(FaultTrackerTest, CountsBeginningsNotSamples) {
  Update({Active(0x80E01801)}, 10);
  Update({Active(0x80E01801)}, 11);
  EXPECT_EQ(Began(FaultAction::kRestartWorkload), 1);
  EXPECT_EQ(Find(kFaultLast, 0x80E01801), 10);
  Update({}, 12);
  Update({Active(0x80E01801)}, 13);
  EXPECT_EQ(Began(FaultAction::kRestartWorkload), 2);
  EXPECT_EQ(Find(kFaultLast, 0x80E01801), 13);
}

TEST_F(FaultTrackerTest, RepeatWithinOneListCounts) {
  Update({Active(0x1, 2)}, 10);
  EXPECT_EQ(Began(FaultAction::kUnknown), 2);
  Update({Active(0x1, 3)}, 11);
  EXPECT_EQ(Began(FaultAction::kUnknown), 3);
  Update({Active(0x1, 1)}, 12);
  EXPECT_EQ(Began(FaultAction::kUnknown), 3);
}

TEST_F(FaultTrackerTest, FaultsThatWereThereBeforeAnybodyLookedDidNotBegin) {
  tracker_ = FaultTracker();
  Update({Active(0x80E01801)}, 10);
  EXPECT_EQ(Began(FaultAction::kRestartWorkload), 0);
  EXPECT_EQ(Find(kFaultLast, 0x80E01801), std::nullopt) << "nobody knows when";
  Update({}, 11);
  Update({Active(0x80E01801)}, 12);
  EXPECT_EQ(Began(FaultAction::kRestartWorkload), 1);
  EXPECT_EQ(Find(kFaultLast, 0x80E01801), 12);
}

TEST_F(FaultTrackerTest, ActiveFaultsAreNotForgottenForNewOnes) {
  const std::vector<Sample> lasting = {Active(0xA1), Active(0xA2), Active(0xA3)};
  Update(lasting, 2);
  for (std::uint32_t code = 1; code <= 150; ++code) {
    std::vector<Sample> active = lasting;
    active.insert(active.begin(), Active(code));
    Update(active, 10 + code);
  }
  EXPECT_EQ(Began(FaultAction::kUnknown), 153);
}

TEST_F(FaultTrackerTest, RemembersTheNewestCodesOnly) {
  for (std::uint32_t code = 1; code <= 1000; ++code) Update({Active(code)}, code);
  std::size_t remembered = 0;
  for (const Sample& sample : std::span(samples_).first(used_)) {
    remembered += sample.row == kFaultLast ? 1 : 0;
  }
  EXPECT_EQ(remembered, kMaxFaultCodes);
  EXPECT_EQ(Find(kFaultLast, 1000), 1000);
  EXPECT_EQ(Find(kFaultLast, 1), std::nullopt);
  EXPECT_EQ(Began(FaultAction::kUnknown), 1000);
}

TEST_F(FaultTrackerTest, EventOfAFaultThatNoListShowsCounts) {
  Update({}, 10, {0x80E01801});
  EXPECT_EQ(Began(FaultAction::kRestartWorkload), 1);
  EXPECT_EQ(Find(kFaultLast, 0x80E01801), 10);
  Update({}, 11, {0x80E01801, 0x80E01801});
  EXPECT_EQ(Began(FaultAction::kRestartWorkload), 3);
}

TEST_F(FaultTrackerTest, FaultThatIsListedAndToldCountsOnceWhicheverIsFirst) {
  Update({Active(0x1)}, 10, {0x1});
  EXPECT_EQ(Began(FaultAction::kUnknown), 1);
  Update({Active(0x1), Active(0x2)}, 11);
  Update({Active(0x1), Active(0x2)}, 12, {0x2});
  EXPECT_EQ(Began(FaultAction::kUnknown), 2) << "the event came later";
  Update({Active(0x1), Active(0x2)}, 13, {0x3});
  Update({Active(0x1), Active(0x2), Active(0x3)}, 14);
  EXPECT_EQ(Began(FaultAction::kUnknown), 3) << "the event came first";
}

TEST_F(FaultTrackerTest, EventsThatWereMissedDoNotSwallowLaterOnes) {
  for (int i = 0; i < 5; ++i) {
    Update({Active(0x1)}, 10 + 3 * i);
    Update({}, 11 + 3 * i);
  }
  EXPECT_EQ(Began(FaultAction::kUnknown), 5);
  Update({}, 40);
  Update({}, 41, {0x1});
  EXPECT_EQ(Began(FaultAction::kUnknown), 6);
}

}  // namespace
}  // namespace ascend

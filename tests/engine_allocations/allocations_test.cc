// Sampling and taking what was sampled allocate nothing once they have settled.
#include "bench/allocations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "exporter/engine/device_sampler.h"
#include "exporter/engine/publisher.h"
#include "hal/open.h"

namespace ascend {
namespace {

using namespace std::chrono_literals;

// Stands still until the test moves it. Nobody waits by it.
class SteppedClock final : public Clock {
 public:
  Mono Now() override { return now; }
  absl::Time Wall() override {
    return absl::UnixEpoch() + absl::FromChrono(now.time_since_epoch());
  }
  std::unique_ptr<Alarm> MakeAlarm() override {
    class Unused final : public Alarm {
      void WaitUntil(Mono) override {}
      void Ring() override {}
    };
    return std::make_unique<Unused>();
  }
  std::unique_ptr<Participant> Join() override { return std::make_unique<Participant>(); }

  Mono now{1h};
};

// The devices of a simulated machine and their publisher in one thread. The fast group is due every
// 10 ms, all others every 100 ms.
class AllocationsTest : public ::testing::Test {
 protected:
  AllocationsTest() {
    options_.periods.fill(100ms);
    options_.periods[static_cast<std::size_t>(Group::kFast)] = 10ms;
    const auto driver = OpenSim({.scenario = "8x910b"}, clock_);
    EXPECT_TRUE(driver.ok()) << driver.status();
    const auto discovery = (*driver)->Discover();
    EXPECT_TRUE(discovery.ok()) << discovery.status();
    const SamplingPlan plan = MakePlan(options_, {});
    topology_.driver = discovery->info;
    topology_.state = DriverState::kOk;
    for (const FoundDevice& device : discovery->devices) {
      auto& channel = berth_->channels[topology_.devices.size()];
      const auto worker = static_cast<std::uint32_t>(topology_.devices.size() + 1);
      topology_.devices.push_back(
          {.found = device, .channel = {berth_, &channel}, .worker = worker});
      samplers_.push_back(std::make_unique<DeviceSampler>(
          DeviceSampler::Parts{.catalog = catalog_,
                               .driver = *driver,
                               .channel = topology_.devices.back().channel,
                               .worker = worker,
                               .board = board_,
                               .log = std::make_shared<CallLog>(),
                               .on_block = [this](bool) { ++blocks_; },
                               .clock = &clock_},
          plan, device));
    }
    EXPECT_TRUE(PushTopology(topology_, *berth_));
    publisher_.Use(berth_);
    for (int round = 0; round < kSettleRounds; ++round) {
      SampleAll(100ms);
      publisher_.Step();
    }
  }

  // Samples every group of every device that is due after that time; returns what that allocated.
  std::uint64_t SampleAll(nanoseconds passed) {
    clock_.now += passed;
    const std::uint64_t before = Allocations();
    for (const auto& sampler : samplers_) {
      while (sampler->RunDue() <= clock_.now) continue;
    }
    return Allocations() - before;
  }
  std::uint64_t Step() {
    const std::uint64_t before = Allocations();
    publisher_.Step();
    return Allocations() - before;
  }

  // Longer than a window and than what is told once.
  static constexpr int kSettleRounds = 700;

  SteppedClock clock_;
  SamplingOptions options_;
  OwnMetrics own_;
  SnapshotStore store_;
  const std::shared_ptr<const Catalog> catalog_ = std::make_shared<Catalog>();
  const std::shared_ptr<Berth> berth_ = PrivateBerth();
  const std::shared_ptr<Board> board_ = PrivateBoard();
  Topology topology_;
  std::vector<std::unique_ptr<DeviceSampler>> samplers_;
  Publisher publisher_{{.catalog = catalog_,
                        .own = &own_,
                        .store = &store_,
                        .clock = &clock_,
                        .board = board_,
                        .on_trouble = [] {}},
                       {.sampling = options_, .expected_devices = {}}};
  int blocks_ = 0;
};

TEST_F(AllocationsTest, SamplingAllocatesNothing) {
  blocks_ = 0;
  std::uint64_t allocations = 0;
  for (int round = 0; round < 50; ++round) {
    allocations += SampleAll(100ms);
    publisher_.Step();
  }
  EXPECT_EQ(allocations, 0U);
  EXPECT_GE(blocks_, 50 * 8 * static_cast<int>(kGroups));
}

TEST_F(AllocationsTest, TheBlocksThatTheStepsBetweenTwoSnapshotsTakeAllocateNothing) {
  int compared = 0;
  for (int round = 0; round < 50; ++round) {
    blocks_ = 0;
    SampleAll(10ms);
    const std::shared_ptr<const Snapshot> before = store_.Load();
    const std::uint64_t busy = Step();
    if (store_.Load() != before) continue;  // to make a snapshot is another matter
    const std::uint64_t idle = Step();
    ASSERT_EQ(store_.Load(), before);
    EXPECT_GE(blocks_, 8);
    EXPECT_EQ(busy, idle);
    ++compared;
  }
  EXPECT_GE(compared, 40);
}

}  // namespace
}  // namespace ascend

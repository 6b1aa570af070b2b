// What crosses from worker to publisher: the ring, and blocks that a broken or hostile sender made.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "collectors/all.h"
#include "exporter/engine/card_values.h"
#include "exporter/engine/device_view.h"
#include "exporter/engine/group_block.h"

namespace ascend {
namespace {

TEST(BlockRingTest, RefusesTheNewestWhenFull) {
  const auto ring = std::make_unique<BlockRing>();
  GroupBlock block;
  for (std::size_t i = 0; i < BlockRing::kBlocks; ++i) {
    block.started_ns = static_cast<std::int64_t>(i);
    EXPECT_TRUE(ring->Push(block));
  }
  EXPECT_FALSE(ring->Push(block));
  EXPECT_EQ(ring->Front()->started_ns, 0);
  ring->Pop();
  EXPECT_TRUE(ring->Push(block));
}

TEST(BlockRingTest, BlocksArriveWholeAndInOrder) {
  const auto ring = std::make_unique<BlockRing>();
  constexpr int kBlocks = 20'000;
  std::jthread producer([&] {
    GroupBlock block;
    for (int i = 0; i < kBlocks;) {
      block.samples_used = static_cast<std::uint16_t>(i % GroupBlock::kMaxSamples);
      block.started_ns = i;
      for (std::size_t s = 0; s < block.samples_used; ++s) block.samples[s].value = i;
      i += ring->Push(block) ? 1 : 0;
    }
  });
  for (int i = 0; i < kBlocks;) {
    const GroupBlock* block = ring->Front();
    if (block == nullptr) continue;
    ASSERT_EQ(block->started_ns, i);
    for (std::size_t s = 0; s < block->samples_used; ++s) ASSERT_EQ(block->samples[s].value, i);
    ring->Pop();
    ++i;
  }
}

TEST(DeviceViewTest, SurvivesBlocksOfRandomBytes) {
  const Catalog catalog;
  const TopologyDevice device = {{{0, 0}, 0, 0}, std::make_shared<DeviceChannel>()};
  DeviceView view(catalog, device);
  std::mt19937_64 random(1);
  const SamplingPlan plan = MakePlan({}, {});
  auto block = std::make_unique<GroupBlock>();
  std::vector<std::uint64_t> words(sizeof(GroupBlock) / sizeof(std::uint64_t));
  for (int i = 0; i < 2000; ++i) {
    for (std::uint64_t& word : words) word = random();
    std::memcpy(static_cast<void*>(block.get()), words.data(),
                words.size() * sizeof(std::uint64_t));
    block->lost = i % 2 == 0;  // any other byte in a bool is not this test's business
    block->identified = i % 3 == 0;
    view.Apply(*block);
    view.Expire(i, plan);
    EXPECT_EQ(view.values().size(), catalog.device_slots());
    EXPECT_EQ(view.open_values().size(), view.page_device().open.size());
    view.TakeSeriesChanged();
    EXPECT_LE(view.open_values().size(), GroupBlock::kMaxSamples);
  }
}

class CardValuesTest : public ::testing::Test {
 protected:
  CardValuesTest() {
    for (const CatalogRow& row : catalog_.rows()) {
      if (row.row->spec.name == "ascend_npu_card_power_watts") power_ = row.first_slot;
      if (row.row->spec.name == "ascend_npu_card_energy_joules_total") energy_ = row.first_slot;
    }
  }
  void Set(std::size_t device, double power, double energy) {
    At(device, power_) = power;
    At(device, energy_) = energy;
  }
  std::optional<double>& At(std::size_t device, std::size_t slot) {
    return values_[device * catalog_.device_slots() + slot];
  }
  void Merge() { card_values_.Merge(cards_, values_); }
  void Clear() { values_.assign(values_.size(), std::nullopt); }

  const Catalog catalog_;
  CardValues card_values_{catalog_};
  const std::vector<std::int32_t> cards_ = {1536, 1536, 1792};
  std::vector<std::optional<double>> values_ =
      std::vector<std::optional<double>>(3 * catalog_.device_slots());
  std::size_t power_ = 0, energy_ = 0;
};

TEST_F(CardValuesTest, OneDeviceGivesTheValuesOfItsCard) {
  Set(0, 70, 100);
  Set(1, 71, 90);
  Set(2, 50, 80);
  Merge();
  EXPECT_EQ(At(0, power_), 70);
  EXPECT_EQ(At(1, power_), std::nullopt);
  EXPECT_EQ(At(2, power_), 50);
}

TEST_F(CardValuesTest, CounterGoesOnWhenItsChipBeginsAnew) {
  Set(0, 70, 1000);
  Merge();
  Clear();
  Set(1, 70, 1200);
  Merge();
  EXPECT_EQ(At(1, energy_), 1000);
  Clear();
  Set(1, 70, 0);  // its worker was replaced
  Merge();
  EXPECT_EQ(At(1, energy_), 1000) << "neither a drop nor below zero";
  Clear();
  Set(1, 70, 30);
  Merge();
  EXPECT_EQ(At(1, energy_), 1030);
}

TEST_F(CardValuesTest, CounterGoesOnWhenAnotherChipTakesOver) {
  Set(0, 70, 1000);
  Set(1, 70, 400);
  Merge();
  EXPECT_EQ(At(0, energy_), 1000);
  Clear();
  Set(1, 70, 470);  // the first chip is gone
  Merge();
  EXPECT_EQ(At(1, energy_), 1000) << "not a drop, which would look like a reset";
  Clear();
  Set(1, 70, 540);
  Merge();
  EXPECT_EQ(At(1, energy_), 1070);
  Clear();
  Set(0, 70, 10);  // back, and it began anew
  Set(1, 70, 610);
  Merge();
  EXPECT_EQ(At(0, energy_), 1070);
  EXPECT_EQ(At(1, energy_), std::nullopt);
}

}  // namespace
}  // namespace ascend

// What crosses from worker to publisher: the ring, and blocks that a broken or hostile sender made.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "collectors/all.h"
#include "exporter/border/berth.h"
#include "exporter/border/group_block.h"
#include "exporter/engine/card_values.h"
#include "exporter/engine/device_view.h"

namespace ascend {
namespace {

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string PopText(RecordRing& ring) {
  std::string text(RecordRing::kBytes, '\0');
  const auto size = ring.Pop(std::as_writable_bytes(std::span(text)));
  return size ? text.substr(0, *size) : "nothing";
}

TEST(RecordRingTest, RefusesTheNewestWhenFull) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  RecordRing& ring = berth->topology;
  for (std::size_t i = 0; i < RecordRing::kRecords; ++i) {
    EXPECT_TRUE(ring.Push({BytesOf(std::to_string(i))}));
  }
  EXPECT_FALSE(ring.Push({BytesOf("more")}));
  EXPECT_EQ(PopText(ring), "0");
  EXPECT_TRUE(ring.Push({BytesOf("more")}));
}

TEST(RecordRingTest, TakesSpaceBackWhenTheConsumerHasCaughtUp) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  RecordRing& ring = berth->topology;
  const std::string half(RecordRing::kBytes / 2, 'x');
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(ring.Push({BytesOf(half), BytesOf("y")}));
    EXPECT_FALSE(ring.Push({BytesOf(half)})) << "no room";
    EXPECT_EQ(PopText(ring), half + "y");
    EXPECT_EQ(PopText(ring), "nothing");
  }
}

TEST(RecordRingTest, BlocksArriveWholeAndInOrder) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  RecordRing& ring = berth->channels[0].ring;
  constexpr int kBlocks = 4'000;
  std::jthread producer([&] {
    GroupBlock block;
    for (int i = 0; i < kBlocks;) {
      block.samples_used = static_cast<std::uint16_t>(i % GroupBlock::kMaxSamples);
      block.started_ns = i;
      for (std::size_t s = 0; s < block.samples_used; ++s) block.samples[s] = {1, 0, 0, 1.0 * i};
      if (PushBlock(block, ring)) {
        ++i;
      } else {
        std::this_thread::yield();
      }
    }
  });
  const auto block = std::make_unique<GroupBlock>();
  std::vector<std::byte> record(kMaxBlockBytes);
  for (int i = 0; i < kBlocks;) {
    const auto size = ring.Pop(record);
    if (!size) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_TRUE(ReadBlock(std::span(record).first(*size), *block));
    ASSERT_EQ(block->started_ns, i);
    for (std::size_t s = 0; s < block->samples_used; ++s) ASSERT_EQ(block->samples[s].value, i);
    ++i;
  }
}

TEST(BlockTest, CutOrLongerBytesAreNoBlock) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  RecordRing& ring = berth->channels[0].ring;
  GroupBlock block;
  block.identified = 1;
  block.calls_used = 2;
  block.samples_used = 3;
  block.calls[0].samples = 3;
  block.text_used = 5;
  ASSERT_TRUE(PushBlock(block, ring));
  std::vector<std::byte> record(kMaxBlockBytes);
  const std::size_t size = ring.Pop(record).value_or(0);
  GroupBlock read;
  EXPECT_TRUE(ReadBlock(std::span(record).first(size), read));
  for (std::size_t other = 0; other < size + 20; ++other) {
    EXPECT_EQ(ReadBlock(std::span(record).first(other), read), other == size) << other;
  }
}

TEST(DeviceViewTest, SurvivesBlocksOfRandomBytes) {
  const Catalog catalog;
  const std::shared_ptr<Berth> berth = PrivateBerth();
  const TopologyDevice device = {.found = {{0, 0}, 0, 0}, .channel = {berth, &berth->channels[0]}};
  DeviceView view(catalog, device, std::chrono::seconds(60));
  std::mt19937_64 random(1);
  const SamplingPlan plan = MakePlan({}, {});
  const auto block = std::make_unique<GroupBlock>();
  std::vector<std::byte> record(kMaxBlockBytes);
  int read = 0;
  for (int i = 1; i < 4000; ++i) {
    for (std::byte& byte : record) byte = static_cast<std::byte>(random());
    BlockHead head;  // sound, so that what is behind it is looked at
    head.group = static_cast<Group>(random() % kGroups);
    head.lost = random() % 2;
    head.identified = random() % 2;
    head.calls_used = random() % (GroupBlock::kMaxCalls + 1);
    head.samples_used = static_cast<std::uint16_t>(random() % (GroupBlock::kMaxSamples + 1));
    head.text_used = static_cast<std::uint16_t>(random() % 99);
    std::memcpy(record.data(), &head, sizeof head);
    CallRecord call = {.collector = static_cast<std::uint8_t>(random()),
                       .samples = static_cast<std::uint16_t>(head.samples_used / 16),
                       .started_ns = i};
    std::byte* calls = record.data() + sizeof head + head.identified * sizeof(DeviceIdentity);
    if (head.identified != 0) calls[-static_cast<std::ptrdiff_t>(sizeof(DeviceIdentity))] = {};
    for (std::size_t c = 0; c < head.calls_used; ++c) {
      call.collector = static_cast<std::uint8_t>(random() % 40);
      std::memcpy(calls + c * sizeof call, &call, sizeof call);
    }
    for (std::size_t s = 0; s < head.samples_used; ++s) {  // rows that exist, for the most part
      const auto row = static_cast<std::uint16_t>(random() % (catalog.rows().size() + 50));
      std::memcpy(calls + head.calls_used * sizeof call + s * sizeof(Sample), &row, sizeof row);
    }
    const std::size_t size = sizeof head + head.identified * sizeof(DeviceIdentity) +
                             head.calls_used * sizeof call + head.samples_used * sizeof(Sample) +
                             head.text_used;
    if (!ReadBlock(std::span(record).first(size), *block)) continue;
    ++read;
    view.Apply(*block, {device.channel.get(), i, 1e9, &plan});
    view.Expire(i, plan);
    EXPECT_EQ(view.values().size(), catalog.device_slots());
    EXPECT_EQ(view.open_values().size(), view.page_device().open.size());
    for (const auto& value : view.values()) EXPECT_TRUE(!value || std::isfinite(*value));
    view.TakeSeriesChanged();
    EXPECT_LE(view.open_values().size(), GroupBlock::kMaxSamples);
  }
  EXPECT_GT(read, 3000);
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

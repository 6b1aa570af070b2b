// Blocks that ReadBlock accepts and no worker makes: what a hostile host can do to a device's view.
#include <gtest/gtest.h>

#include <array>

#include "tests/engine/view_fixture.h"

namespace ascend {
namespace {

class HostileBlockTest : public ViewFixture {
 protected:
  HostileBlockTest() { MakeView(worker_); }

  // One call of the faults collector with `count` samples of kFaultInfo, whose codes begin at
  // `first_code` and whose texts all are the whole text of the block.
  void TellFaultTexts(std::size_t count, std::uint32_t first_code, nanoseconds at) {
    const std::size_t faults = Index("faults");
    block_->identified = 0;
    block_->worker = worker_.worker;
    block_->group = Group::kHealth;
    block_->samples_used = 0;
    block_->text.fill('x');
    block_->text_used = GroupBlock::kMaxText;
    for (std::size_t i = 0; i < count; ++i) {
      block_->samples[block_->samples_used++] = {
          static_cast<std::uint16_t>(catalog_.FirstRow(faults) + kFaultInfo), 1,
          static_cast<std::uint32_t>(first_code + i), 1};
    }
    block_->calls_used = 1;
    block_->calls[0] = {.collector = static_cast<std::uint8_t>(faults),
                        .samples = block_->samples_used,
                        .started_ns = at.count()};
    Give(worker_, at);
  }
  std::size_t LabelBytes() const {
    std::size_t bytes = 0;
    for (const OpenSeries& series : view_->page_device().open) bytes += series.text.size();
    return bytes;
  }

  const TopologyDevice worker_ = NewWorker();
};

TEST_F(HostileBlockTest, TextsThatOverlapTakeNoMoreThanTheBlockHas) {
  TellFaultTexts(GroupBlock::kMaxSamples, 0, kStart);
  EXPECT_GE(view_->page_device().open.size(), GroupBlock::kMaxSamples);
  const std::size_t ends = 2 * view_->page_device().open.size();  // of two labels each
  EXPECT_LE(LabelBytes(), GroupBlock::kMaxText + ends);
}

TEST_F(HostileBlockTest, SeriesAreBoundedHoweverManyAreTold) {
  for (std::uint32_t i = 0; i < 20; ++i) {
    TellFaultTexts(GroupBlock::kMaxSamples, i * GroupBlock::kMaxSamples, kStart + i * 1s);
  }
  EXPECT_LE(view_->page_device().open.size(), 8192U);
  EXPECT_TRUE(view_->TakeSeriesChanged());
  EXPECT_LE(view_->page_device().open.size(), GroupBlock::kMaxSamples + 128);
  EXPECT_EQ(view_->page_device().open.size(), view_->open_values().size());
}

TEST_F(HostileBlockTest, OnlyCountersWrap) {
  constexpr std::string_view kTemperature = "ascend_npu_temperature_celsius";
  for (const double celsius : {190, 5}) {
    Tell(worker_, {.collector = "temperature",
                   .at = kStart + (200 - static_cast<int>(celsius)) * 1s,
                   .values = {{kTemperature, celsius}},
                   .range = 200});
    EXPECT_EQ(Value(kTemperature), celsius);
  }
}

TEST_F(HostileBlockTest, ManyCountersDoNotMakeAKnownOneFall) {
  RowMemory memory(catalog_, 60s);
  const auto row = static_cast<std::uint16_t>(Row("ascend_npu_sio_receive_errors_total"));
  const std::array<WrappingSample, 1> wrapping = {{{0, 65536}}};
  const auto tell = [&](std::uint32_t key, double value) {
    std::array<Sample, 1> sample = {Sample{row, 0, key, value}};
    memory.Apply(sample, wrapping, kStart.count(), 3s);
    return sample[0].value;
  };
  tell(0, 65535);
  for (std::uint32_t key = 1; key < 20'000; ++key) tell(key, 1);
  EXPECT_EQ(tell(0, 4), 65540);
}

TEST_F(HostileBlockTest, ACollectorInAnotherGroupsBlockIsBridgedByItsOwnStaleLimit) {
  Power(worker_, kStart, 100);
  Power(worker_, kStart + 1s, 100);
  ASSERT_EQ(Energy(), 100);
  Tell(worker_, {.collector = "power", .at = kStart + 30s, .values = {{kEnergy, 100}}});
  EXPECT_EQ(Energy(), 100);
  block_->group = Group::kIdentity;  // whose values are fresh for minutes
  block_->calls[0].started_ns = (kStart + 60s).count();
  Give(worker_, kStart + 60s);
  EXPECT_EQ(Energy(), 100);
}

}  // namespace
}  // namespace ascend

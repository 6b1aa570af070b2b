#include "exporter/engine/row_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string_view>

#include "collectors/all.h"

namespace ascend {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RowMemoryTest : public ::testing::Test {
 protected:
  std::uint16_t Row(std::string_view name) const {
    for (std::size_t i = 0; i < catalog_.rows().size(); ++i) {
      if (catalog_.rows()[i].row->spec.name == name) return static_cast<std::uint16_t>(i);
    }
    ADD_FAILURE() << name;
    return 0;
  }
  double Apply(std::string_view row, double value, nanoseconds at, double range = 0,
               std::uint32_t key = 0) {
    std::array<Sample, 1> samples = {Sample{Row(row), 0, key, value}};
    const std::array<WrappingSample, 1> wrapping = {{{0, range}}};
    memory_.Apply(samples, std::span(wrapping).first(range > 0 ? 1 : 0), at.count(), seconds(3));
    return samples[0].value;
  }

  const Catalog catalog_;
  RowMemory memory_{catalog_, seconds(60)};
};

constexpr std::string_view kSio = "ascend_npu_sio_receive_errors_total";
constexpr std::string_view kFlits = "ascend_npu_hccs_transmit_bytes_total";

TEST_F(RowMemoryTest, NarrowCounterGoesOnUpwardsThroughManyWraps) {
  double total = 60000;
  EXPECT_EQ(Apply(kSio, 60000, seconds(1), 65536), 60000);
  for (int i = 1; i < 100; ++i) {
    total += 10000;
    EXPECT_EQ(Apply(kSio, static_cast<double>(static_cast<int>(total) % 65536), seconds(i), 65536),
              total);
  }
}

TEST_F(RowMemoryTest, ResetOfANarrowCounterBeginsAgain) {
  EXPECT_EQ(Apply(kSio, 30000, seconds(1), 65536), 30000);
  EXPECT_EQ(Apply(kSio, 5, seconds(2), 65536), 5) << "it fell from the middle: a reset, no wrap";
  EXPECT_EQ(Apply(kSio, 65000, seconds(3), 65536), 65000);
  EXPECT_EQ(Apply(kSio, 10, seconds(4), 65536), 65546);
  EXPECT_EQ(Apply(kSio, 3, seconds(5), 65536), 3) << "the reset takes back what the wrap added";
}

TEST_F(RowMemoryTest, CountersOfDifferentLinksAreApart) {
  const double range = 4294967296.0 * 20;
  EXPECT_EQ(Apply(kFlits, range - 20, seconds(1), range, 1), range - 20);
  EXPECT_EQ(Apply(kFlits, 100, seconds(1), range, 2), 100);
  EXPECT_EQ(Apply(kFlits, 40, seconds(2), range, 1), range + 40);
  EXPECT_EQ(Apply(kFlits, 120, seconds(2), range, 2), 120);
}

TEST_F(RowMemoryTest, WideCounterIsShownAsTheDriverGivesIt) {
  EXPECT_EQ(Apply(kFlits, 0x1p60, seconds(1)), 0x1p60);
  EXPECT_EQ(Apply(kFlits, 7, seconds(2)), 7);
}

constexpr std::string_view kLow = "ascend_npu_temperature_window_min_celsius";
constexpr std::string_view kHigh = "ascend_npu_temperature_window_max_celsius";

TEST_F(RowMemoryTest, WindowKeepsAnExtremeForSixtyToSixtyOneBuckets) {
  const nanoseconds peak = seconds(100) + milliseconds(500);
  EXPECT_EQ(Apply(kHigh, 40, seconds(100)), 40);
  EXPECT_EQ(Apply(kLow, 40, seconds(100)), 40);
  EXPECT_EQ(Apply(kHigh, 90, peak), 90);
  EXPECT_EQ(Apply(kLow, 20, peak), 20);
  EXPECT_EQ(Apply(kHigh, 41, peak + seconds(60)), 90);
  EXPECT_EQ(Apply(kLow, 41, peak + seconds(60)), 20);
  EXPECT_EQ(Apply(kHigh, 41, peak + seconds(61)), 41);
  EXPECT_EQ(Apply(kLow, 41, peak + seconds(61)), 41);
}

TEST_F(RowMemoryTest, WindowAfterALongGapShowsOnlyWhatIsNew) {
  Apply(kHigh, 90, seconds(100));
  EXPECT_EQ(Apply(kHigh, -20, seconds(100000)), -20);
}

TEST_F(RowMemoryTest, ForgetsEverythingOfAnotherChip) {
  Apply(kHigh, 90, seconds(1));
  Apply("ascend_npu_energy_joules_total", 100, seconds(1));
  Apply("ascend_npu_energy_joules_total", 100, seconds(2));
  Apply(kSio, 65535, seconds(1), 65536);
  memory_.Forget();
  EXPECT_EQ(Apply(kHigh, 40, seconds(3)), 40);
  EXPECT_EQ(Apply("ascend_npu_energy_joules_total", 100, seconds(3)), 0);
  EXPECT_EQ(Apply(kSio, 10, seconds(3), 65536), 10);
}

}  // namespace
}  // namespace ascend

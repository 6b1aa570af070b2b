// The slices of a chip.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "chip.h"

namespace ascend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kMib = 1024.0 * 1024.0;

class DcmiVnpusTest : public DcmiChipTest {};
INSTANTIATE_TEST_SUITE_P(Interfaces, DcmiVnpusTest, testing::Values(1, 2), NameOfInterface);

TEST_P(DcmiVnpusTest, ReadsEachSlice) {
  Set("vnpus 100 1123");
  Set("vnpu.100 vir02 2.5 20 8388608 7340032");
  Set("vnpu.1123 vir04_3c 4 21 4194304 4194304");
  const auto vnpus = driver_->ReadVnpus(at());
  ASSERT_TRUE(vnpus.ok()) << vnpus.status();
  EXPECT_THAT(
      vnpus->vnpus.items(),
      ElementsAre(
          Vnpu{100, "vir02", Ratio{0.2}, Bytes{1024 * kMib}, Bytes{8192 * kMib}, Count{2.5}},
          Vnpu{1123, "vir04_3c", Ratio{0.21}, Bytes{0}, Bytes{4096 * kMib}, Count{4}}));
  EXPECT_EQ(vnpus->refused.sentinel, 0);
}

TEST_P(DcmiVnpusTest, WhatASliceDoesNotTellIsAbsentAndNotRefused) {
  Set("vnpus 100");
  Set("vnpu.100 vir02 -1 0xFFFFFFFF 0xFFFFFFFFFFFFFFFF 0xFFFFFFFFFFFFFFFF");
  const auto vnpus = driver_->ReadVnpus(at());
  EXPECT_THAT(vnpus->vnpus.items(), ElementsAre(Vnpu{100, "vir02", {}, {}, {}, {}}));
  EXPECT_EQ(vnpus->refused.sentinel, 0);
}

TEST_P(DcmiVnpusTest, WhatCannotBeIsRefused) {
  Set("vnpus 100 99 1124");
  Set("vnpu.100 vir02 1000 101 4194304 4194305");
  const auto vnpus = driver_->ReadVnpus(at());
  EXPECT_THAT(vnpus->vnpus.items(),
              ElementsAre(Vnpu{100, "vir02", {}, {}, Bytes{4096 * kMib}, {}}));
  EXPECT_EQ(vnpus->refused.sentinel, 2 + 3);
  Rule(Named("get_device_info") + ":52/1 * value vdev_num 33");
  EXPECT_EQ(driver_->ReadVnpus(at()).status().code(), absl::StatusCode::kInternal);
}

TEST_P(DcmiVnpusTest, AChipThatIsWholeHasNone) {
  Set("vnpus none");
  EXPECT_THAT(driver_->ReadVnpus(at())->vnpus.items(), IsEmpty());
}

TEST_P(DcmiVnpusTest, TheLoadOfSlicesIsAskedOnceWhereTheChipDoesNotTellIt) {
  Set("vnpus 100 101");
  Set("vnpu.100 vir02 2 20 8388608 7340032");
  Set("vnpu.101 vir02 2 20 8388608 7340032");
  Rule(Named("get_device_info") + ":52/5 * code -8255");
  for (int i = 0; i < 3; ++i) {
    const auto vnpus = driver_->ReadVnpus(at());
    ASSERT_THAT(vnpus->vnpus.items(), SizeIs(2));
    EXPECT_FALSE(vnpus->vnpus[0].utilization);
    EXPECT_EQ(vnpus->vnpus[1].aicores, Count{2});
  }
  EXPECT_EQ(machine_.Calls(Named("get_device_info")), 3 * 3 + 1);
}

TEST_P(DcmiVnpusTest, AFamilyThatIsNotSplitIsNotAsked) {
  Set("chip_name 910_9392");
  Set("vnpus 100");
  ASSERT_EQ(driver_->ReadIdentity(at())->family, ChipFamily::k910_93);
  EXPECT_EQ(driver_->ReadVnpus(at()).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(machine_.Calls(Named("get_device_info")), 0);
}

}  // namespace
}  // namespace ascend

#include "hal/chip_family.h"

#include <gtest/gtest.h>

namespace ascend {
namespace {

TEST(ChipFamilyTest, KnowsTheNamesOfTheField) {
  struct Case {
    const char* name;
    std::optional<std::uint32_t> board;
    ChipFamily family;
  };
  const Case cases[] = {
      {"310", {}, ChipFamily::k310},          {"310B4", {}, ChipFamily::k310B},
      {"310P3", {}, ChipFamily::k310P},       {"I2", {}, ChipFamily::kUnknown},
      {"I21", {}, ChipFamily::k310P},         {"910A", 0x02, ChipFamily::k910},
      {"910ProB", {}, ChipFamily::k910},      {"910PremiumA", {}, ChipFamily::k910},
      {"910B", {}, ChipFamily::k910},         {"Ascend 910A", {}, ChipFamily::k910},
      {"910B3", 0x30, ChipFamily::k910B},     {"910B2C", {}, ChipFamily::k910B},
      {"910B4-1", {}, ChipFamily::k910B},     {"A2G1", {}, ChipFamily::k910B},
      {"Ascend910", {}, ChipFamily::k910_93}, {"910_9392", {}, ChipFamily::k910_93},
      {"910B3", 0xb1, ChipFamily::k910_93},   {"Ascend910", 0xb1, ChipFamily::k910_93},
      {"Ascend950PR", {}, ChipFamily::k950},  {"", {}, ChipFamily::kUnknown},
      {"Kunpeng", {}, ChipFamily::kUnknown},  {"1000", {}, ChipFamily::kUnknown},
  };
  for (const Case& c : cases) EXPECT_EQ(FamilyOf(c.name, c.board), c.family) << c.name;
}

TEST(ChipFamilyTest, EveryKnownFamilyHasOneKindOfMainMemoryAndOneOfPower) {
  for (int i = 1; i <= static_cast<int>(ChipFamily::k950); ++i) {
    const ChipTraits traits = TraitsOf(static_cast<ChipFamily>(i));
    EXPECT_NE((traits & kHasHbm) != 0, (traits & kNoHbm) != 0) << i;
    EXPECT_NE((traits & kChipPower) != 0, (traits & kCardPower) != 0) << i;
  }
  EXPECT_EQ(TraitsOf(ChipFamily::kUnknown), kAnyChip);
}

TEST(ChipFamilyTest, WhatIsNotKnownMayBeSplitAndCanOnlyBeAsked) {
  EXPECT_TRUE(CanBeSplit(ChipFamily::k310P));
  EXPECT_TRUE(CanBeSplit(ChipFamily::kUnknown));
  EXPECT_FALSE(CanBeSplit(ChipFamily::k910_93));
  EXPECT_FALSE(CanBeSplit(ChipFamily::k950));
}

}  // namespace
}  // namespace ascend

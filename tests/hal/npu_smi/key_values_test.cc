// Blocks of values: which chip a value belongs to, and when that cannot be said.
#include "hal/npu_smi/key_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/health_text.h"
#include "hal/npu_smi/known_keys.h"

namespace ascend::npu_smi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// "key chip:value ..." of all blocks.
std::vector<std::string> Values(const KeyValues& values, std::string_view key) {
  std::vector<std::string> list;
  for (const Block& block : values.blocks) {
    const auto value = block.Find(key);
    if (!value) continue;
    list.push_back((block.other_unit ? "mcu"
                    : block.chip     ? std::to_string(*block.chip)
                                     : "-") +
                   ":" + std::string(*value));
  }
  return list;
}

TEST(NpuSmiKeyValuesTest, AnIdentifierOpensABlockOrClosesIt) {
  EXPECT_THAT(Values(ReadKeyValues("NPU ID : 1\nChip Count : 2\n\nChip ID : 0\nA : 5\n"
                                   "Chip ID : 1\nA : 6\nChip Name : mcu\nA : 7\n",
                                   BlockId::kFirst),
                     "A"),
              ElementsAre("0:5", "1:6", "mcu:7"));
  EXPECT_THAT(Values(ReadKeyValues("NPU ID : 1\nChip Count : 2\n\nA : 5\nChip ID : 0\n"
                                   "A : 6\nChip ID : 1\nA : 7\nChip Name : MCU\n",
                                   BlockId::kLast),
                     "A"),
              ElementsAre("0:5", "1:6", "mcu:7"));
}

TEST(NpuSmiKeyValuesTest, WhatFollowsTheLastIdentifierThatClosesABlockIsNobodys) {
  // As where the text is cut before the identifier of the card's MCU.
  EXPECT_THAT(Values(ReadKeyValues("NPU ID : 1\nChip Count : 1\nA : 5\nChip ID : 0\nB : 6\n",
                                   BlockId::kLast),
                     "B"),
              IsEmpty());
  EXPECT_THAT(
      ReadKeyValues("NPU ID : 1\nChip Count : 1\nChip ID : 0\nB : 6\n", BlockId::kLast).blocks,
      IsEmpty());
}

TEST(NpuSmiKeyValuesTest, ATextInTheOtherOrderHasNoValues) {
  EXPECT_THAT(ReadKeyValues("NPU ID : 1\nChip Count : 2\nA : 5\nChip ID : 0\nA : 6\nChip ID : 1\n",
                            BlockId::kFirst)
                  .blocks,
              IsEmpty());
  const KeyValues last = ReadKeyValues(
      "NPU ID : 1\nChip Count : 2\nChip ID : 0\nA : 5\nChip ID : 1\nA : 6\n", BlockId::kLast);
  EXPECT_THAT(last.blocks, IsEmpty());
  EXPECT_EQ(last.unknown.count, 2U);
}

TEST(NpuSmiKeyValuesTest, AChipWithoutValuesDoesNotTakeThoseOfAnother) {
  EXPECT_THAT(Values(ReadKeyValues("NPU ID : 1\nChip Count : 3\nA : 5\nChip ID : 0\nChip ID : 1\n"
                                   "A : 7\nChip ID : 2\n",
                                   BlockId::kLast),
                     "A"),
              ElementsAre("0:5", "2:7"));
  EXPECT_THAT(Values(ReadKeyValues("NPU ID : 1\nChip Count : 2\nChip ID : 0\nChip ID : 1\nA : 5\n",
                                   BlockId::kFirst),
                     "A"),
              ElementsAre("1:5"));
}

TEST(NpuSmiKeyValuesTest, ALostIdentifierLosesItsBlockAndNoOther) {
  const KeyValues values = ReadKeyValues(
      "NPU ID : 1\nChip Count : 3\nA : 5\nA : 6\nChip ID : 1\nA : 7\nChip ID : 2\nA : 8\n",
      BlockId::kLast);
  EXPECT_THAT(Values(values, "A"), ElementsAre("2:7"));
  EXPECT_EQ(values.unknown.count, 3U);
}

TEST(NpuSmiKeyValuesTest, ATextWithoutItsHeadGivesNoChipTheValuesOfAnother) {
  EXPECT_THAT(
      Values(ReadKeyValues("A : 5\nChip ID : 1\nA : 6\nChip Name : mcu\nA : 7\n", BlockId::kFirst),
             "A"),
      ElementsAre("1:6", "mcu:7"));
  EXPECT_THAT(
      Values(ReadKeyValues("A : 5\nChip ID : 0\nA : 6\nChip ID : 1\n", BlockId::kLast), "A"),
      ElementsAre("0:5", "1:6"));
}

TEST(NpuSmiKeyValuesTest, ValuesOfNoChipAreTheCardsAndOfChipZeroOnlyWhereItHasOne) {
  const KeyValues duo =
      ReadKeyValues("NPU ID : 1\nChip Count : 2\nPower Dissipation(W) : 42.9\n", BlockId::kLast);
  EXPECT_EQ(duo.OfChip(0), nullptr);
  ASSERT_NE(duo.OfCard(), nullptr);
  EXPECT_EQ(PowerOf(*duo.OfCard()).card_watts, 42.9);
  const KeyValues one = ReadKeyValues("NPU ID : 1\nA : 5\n", BlockId::kLast);
  EXPECT_EQ(one.OfChip(0), one.OfCard());
}

TEST(NpuSmiKeyValuesTest, TheSecondBlockOfAChipIsNotRead) {
  const KeyValues values = ReadKeyValues(
      "NPU ID : 1\nA : 5\nChip ID : 0\nNPU ID : 1\nA : 6\nChip ID : 0\n", BlockId::kLast);
  EXPECT_THAT(Values(values, "A"), ElementsAre("0:5"));
  EXPECT_EQ(values.unknown.count, 1U);
}

TEST(NpuSmiKeyValuesTest, KeysAreMatchedExactly) {
  const KeyValues values =
      ReadKeyValues("Total DDR Capacity(MB) : 49152\nDDR Clock Speed(MHz) : 5\n", BlockId::kLast);
  const MemoryValues memory = MemoryOf(values.blocks.at(0));
  EXPECT_EQ(memory.ddr_mb, std::nullopt);
  EXPECT_EQ(memory.ddr_total_mb, 49152);
}

TEST(NpuSmiKeyValuesTest, WhatIsNoNumberIsAbsent) {
  for (const char* const text :
       {"NA", "-", "N/A", "", "5 %", "0x5", "5,5", "nan", "inf", "1e400"}) {
    const KeyValues values =
        ReadKeyValues(std::string("Temperature (C) : ") + text + "\n", BlockId::kLast);
    EXPECT_EQ(TemperaturesOf(values.blocks.at(0)).celsius, std::nullopt) << text;
  }
}

TEST(NpuSmiKeyValuesTest, ALineWithoutItsEndIsNotRead) {
  const KeyValues values = ReadKeyValues("A : 5\nB : 12", BlockId::kLast);
  EXPECT_TRUE(values.blocks.at(0).Has("A"));
  EXPECT_FALSE(values.blocks.at(0).Has("B"));
  EXPECT_THAT(values.unknown.first, ElementsAre("B : 12"));
}

TEST(NpuSmiKeyValuesTest, NewKeysAndStrangeLinesAreListed) {
  KeyValues values =
      ReadKeyValues("NPU ID : 1\nAicore Usage Rate(%) : 5\nWarp Factor : 9\nno pair\nChip ID : 0\n",
                    BlockId::kLast);
  AddUnknownKeys(values);
  EXPECT_THAT(values.unknown.first, ElementsAre("no pair", "Warp Factor : 9"));
  EXPECT_EQ(values.unknown.count, 2U);
}

TEST(NpuSmiKeyValuesTest, FaultCodesAreAllOfThemOrNone) {
  const auto codes = [](const std::string& text) {
    const KeyValues values =
        ReadKeyValues("Health : Alarm\nError Code : " + text + "\n", BlockId::kLast);
    return HealthOf(values.blocks.at(0)).codes;
  };
  EXPECT_THAT(*codes("A4025021 8C03A000, 0x1"), ElementsAre(0xA4025021, 0x8C03A000, 1));
  EXPECT_THAT(*codes("NA"), IsEmpty());
  EXPECT_EQ(codes("A4025021 lots"), std::nullopt);
  EXPECT_EQ(codes("123456789"), std::nullopt);
  std::string many;
  for (int i = 0; i < 128; ++i) many += "80E01801 ";
  EXPECT_THAT(*codes(many), SizeIs(128));
}

TEST(NpuSmiKeyValuesTest, TheWorseOfTwoHealthsCounts) {
  EXPECT_EQ(Worse(Health::kOk, Health::kAlarm), Health::kAlarm);
  EXPECT_EQ(Worse(Health::kCritical, Health::kWarning), Health::kCritical);
  EXPECT_EQ(Worse(Health::kUnknown, Health::kOk), Health::kUnknown);
  EXPECT_EQ(Worse(Health::kUnknown, Health::kWarning), Health::kWarning);
}

}  // namespace
}  // namespace ascend::npu_smi

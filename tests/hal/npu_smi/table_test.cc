#include "hal/npu_smi/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "fmt/format.h"
#include "tests/hal/npu_smi/support.h"

namespace ascend::npu_smi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

InfoTable Read(const std::string& fixture) { return ParseInfoTable(Fixture(fixture)); }

// One 910B chip in the layout of 24.1, of two lines that a test writes.
InfoTable ReadChip(const std::string& first, const std::string& second) {
  return ParseInfoTable(
      fmt::format("| npu-smi 24.1.1    Version: 24.1.1 |\n"
                  "| NPU   Name   | Health  | Power(W)    Temp(C)    Hugepages-Usage(page)|\n"
                  "| Chip         | Bus-Id  | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB) |\n"
                  "{}\n{}\n",
                  first, second));
}

constexpr char kFirst[] = "| 0     910B3   | OK   | 98.2    40     0    / 0   |";
constexpr char kSecond[] = "| 0             | 0000:C1:00.0  | 5   0    / 0    3310 / 65536 |";

Chip ReadOne(const std::string& first, const std::string& second) {
  const InfoTable table = ReadChip(first, second);
  EXPECT_THAT(table.chips, SizeIs(1));
  return table.chips.empty() ? Chip{} : table.chips[0];
}

TEST(NpuSmiTableTest, ReadsAQuadCardByItsDeviceColumn) {
  const InfoTable table = Read("310-quad-21.0.txt");
  EXPECT_EQ(table.tool_version, "21.0.2");
  EXPECT_TRUE(table.device_column);
  EXPECT_FALSE(table.hbm_column);
  EXPECT_FALSE(table.process_table);
  ASSERT_THAT(table.chips, SizeIs(4));
  const Chip& chip = table.chips[2];
  EXPECT_EQ(chip.npu, 24);
  EXPECT_EQ(chip.chip, 2);
  EXPECT_EQ(chip.device_id, 6);
  EXPECT_EQ(chip.phy_id, std::nullopt);
  EXPECT_EQ(chip.name, "310");
  EXPECT_EQ(chip.bus_id, "0000:2c:00.0");
  EXPECT_EQ(chip.power_watts, 11.9);
  EXPECT_EQ(chip.temperature_celsius, 53);
  EXPECT_EQ(chip.aicore_percent, 100);
  EXPECT_EQ(chip.ddr, (Usage{2742, 8192}));
  EXPECT_EQ(chip.hbm, std::nullopt);
}

TEST(NpuSmiTableTest, ReadsTwoChipsThatShareOneBusId) {
  const InfoTable table = Read("310p-duo-24.1.txt");
  ASSERT_THAT(table.chips, SizeIs(4));
  EXPECT_EQ(table.chips[0].bus_id, table.chips[1].bus_id);
  EXPECT_EQ(table.chips[1].chip, 1);
  EXPECT_EQ(table.chips[1].device_id, 1);
  EXPECT_EQ(table.chips[1].temperature_celsius, -1);
  EXPECT_EQ(table.chips[1].health, Health::kWarning);
  EXPECT_EQ(table.chips[1].ddr, (Usage{11377, 43693}));
  EXPECT_EQ(table.chips[0].power_watts, std::nullopt);
  EXPECT_FALSE(table.chips[0].power_refused);
  EXPECT_THAT(table.process_npus, ElementsAre(2944, 3200));
}

TEST(NpuSmiTableTest, TellsToolVersionFromDriverVersion) {
  const InfoTable table = Read("310p-crlf-22.0.txt");
  EXPECT_EQ(table.tool_version, "22.0.3");
  EXPECT_EQ(table.driver_version, "22.0.4");
}

TEST(NpuSmiTableTest, RefusesThePowerThatAFailedQueryLeaves) {
  const InfoTable table = Read("310b-alarm-23.0.txt");
  ASSERT_THAT(table.chips, SizeIs(1));
  EXPECT_EQ(table.chips[0].power_watts, std::nullopt);
  EXPECT_TRUE(table.chips[0].power_refused);
  EXPECT_EQ(table.chips[0].bus_id, "");
  EXPECT_EQ(table.chips[0].health, Health::kAlarm);
}

TEST(NpuSmiTableTest, ReadsBothMemoriesOfTheFirstGeneration) {
  const InfoTable table = Read("910a-container-1.9.txt");
  ASSERT_THAT(table.chips, SizeIs(2));
  EXPECT_EQ(table.chips[1].npu, 6);
  EXPECT_EQ(table.chips[1].ddr, (Usage{1333, 15171}));
  EXPECT_EQ(table.chips[1].hbm, (Usage{28311, 32768}));
  EXPECT_EQ(table.chips[0].hbm, (Usage{0, 32768}));
}

TEST(NpuSmiTableTest, LeavesOutProcessMemoryInAnUnprovenUnit) {
  const InfoTable table = Read("910b-first-generation-23.0.rc1.txt");
  ASSERT_THAT(table.chips, SizeIs(3));
  EXPECT_EQ(table.chips[2].health, Health::kCritical);
  EXPECT_THAT(table.processes, ElementsAre(Process{1, 0, 7741, "python", std::nullopt}));
  EXPECT_THAT(table.process_npus, ElementsAre(0, 1));
}

TEST(NpuSmiTableTest, ReadsProcessesWithoutNames) {
  const InfoTable table = Read("910b-busy-24.1.txt");
  EXPECT_THAT(table.processes,
              ElementsAre(Process{0, 0, 3310, "vllm", 39960}, Process{2, 0, 883, "", 31002},
                          Process{2, 0, 884, "", 31003}));
  EXPECT_EQ(table.chips[3].health, Health::kUnknown);
  EXPECT_EQ(table.chips[4].name, "910B4-1");
  EXPECT_EQ(table.chips[0].ddr, std::nullopt);
  EXPECT_FALSE(table.chips[0].ddr_refused);
}

TEST(NpuSmiTableTest, ReadsTwoDiesOfOnePackage) {
  const InfoTable table = Read("a3-24.1.txt");
  EXPECT_TRUE(table.phy_id_column);
  ASSERT_THAT(table.chips, SizeIs(4));
  EXPECT_EQ(table.chips[3].npu, 7);
  EXPECT_EQ(table.chips[3].chip, 1);
  EXPECT_EQ(table.chips[3].phy_id, 15);
  EXPECT_EQ(table.chips[2].power_watts, 178.5);
  EXPECT_EQ(table.chips[3].power_watts, std::nullopt);
  EXPECT_FALSE(table.chips[3].power_refused);
  EXPECT_THAT(table.processes, ElementsAre(Process{7, 1, 997, "trainer", 40000}));
}

TEST(NpuSmiTableTest, ReadsTheWideLayoutWithContainerPids) {
  EXPECT_THAT(Read("910b-wide-26.0.txt").processes, ElementsAre(Process{0, 0, 51, "mindie", 9012}));
  EXPECT_EQ(Read("a3-wide-26.1.txt").chips.at(1).hbm, (Usage{3501, 65536}));
}

TEST(NpuSmiTableTest, ReadsTheLayoutWhoseSecondRowHasNoIds) {
  const InfoTable table = Read("950-25.7.txt");
  EXPECT_TRUE(table.npu_util_column);
  ASSERT_THAT(table.chips, SizeIs(2));
  EXPECT_EQ(table.chips[1].npu, 1);
  EXPECT_EQ(table.chips[1].chip, 0);
  EXPECT_EQ(table.chips[1].name, "Ascend950PR");
  EXPECT_EQ(table.chips[1].npu_percent, 99);
  EXPECT_EQ(table.chips[1].aicore_percent, std::nullopt);
  EXPECT_EQ(table.chips[1].hbm, (Usage{80123, 86016}));
  EXPECT_THAT(table.processes, ElementsAre(Process{1, 0, 6120, "sglang", 75100}));
}

TEST(NpuSmiTableTest, ReadsANarrowedTableUpToTheWordsWhereItsRowsWereCut) {
  const InfoTable table = Read("910a-narrowed.txt");
  EXPECT_EQ(table.driver_version, "23.0.4");
  EXPECT_EQ(table.not_understood, 0U);
  ASSERT_THAT(table.chips, SizeIs(2));
  EXPECT_EQ(Prose(table),
            "[0 910ProB; 0; 0000:3D:00.0] Alarm 37°C 68.2W ai 31% hbm 12/32768 ddr 905/13553; "
            "[5 910PremiumA; 0; 0000:3E:00.0] Warning ?°C ?W ai ?%; no process table");
}

TEST(NpuSmiTableTest, PairsRowsByTheBusIdAndKeepsTheFirstOfTwoEqualChips) {
  const InfoTable table = Read("910a-broken-no-header.txt");
  EXPECT_EQ(table.tool_version, "");
  ASSERT_THAT(table.chips, SizeIs(3));
  EXPECT_EQ(table.chips[0].power_watts, 70.4);
  EXPECT_EQ(table.chips[1].ddr, std::nullopt);
  EXPECT_EQ(table.chips[1].hbm, (Usage{9121, 32768}));
  EXPECT_EQ(table.chips[2].npu, 3);
  EXPECT_THAT(table.incomplete,
              ElementsAre("NPU 0 chip 0 is listed twice; its first entry is used"));
  EXPECT_EQ(table.not_understood, 1U);
  EXPECT_THAT(table.not_understood_lines, ElementsAre(::testing::HasSubstr("[WARNING]The driver")));
}

TEST(NpuSmiTableTest, ASecondRowWithoutItsFirstIsNotGivenToTheChipBefore) {
  const InfoTable table = ReadChip(fmt::format("{}\n{}", kFirst, kSecond),
                                   "| 0   | 0000:C2:00.0  | 9   0 / 0    9999 / 65536 |\n"
                                   "| 2     910B3   | OK   | 97.1    41     0    / 0   |\n"
                                   "| 0   | 0000:81:00.0  | 6   0 / 0    3311 / 65536 |\n"
                                   "| 3     910B3   | OK   | 97.2    42     0    / 0   |");
  ASSERT_THAT(table.chips, SizeIs(2));
  EXPECT_EQ(table.chips[0].bus_id, "0000:c1:00.0");
  EXPECT_EQ(table.chips[1].npu, 2);
  EXPECT_EQ(table.chips[1].bus_id, "0000:81:00.0");
  EXPECT_THAT(table.incomplete, SizeIs(2));
}

TEST(NpuSmiTableTest, AbsentNumbersAreNotZero) {
  for (const char* const absent : {"NA", "-", "N/A", "5.s", "0x10", "nan", "inf", "1e2"}) {
    SCOPED_TRACE(absent);
    const Chip chip =
        ReadOne(fmt::format("| 0     910B3   | OK   | {0}    {0}     0    / 0   |", absent),
                fmt::format("| 0  | 0000:C1:00.0  | {0}   {0} / {0}    {0} / 65536 |", absent));
    EXPECT_EQ(chip.power_watts, std::nullopt);
    EXPECT_EQ(chip.temperature_celsius, std::nullopt);
    EXPECT_EQ(chip.aicore_percent, std::nullopt);
    EXPECT_EQ(chip.ddr, std::nullopt);
    EXPECT_EQ(chip.hbm, std::nullopt);
    EXPECT_FALSE(chip.power_refused || chip.temperature_refused || chip.hbm_refused);
  }
}

TEST(NpuSmiTableTest, AMissingNumberIsNotReplacedByItsNeighbour) {
  const Chip chip = ReadOne("| 0     910B3   | OK   | 40     0    / 0   |",
                            "| 0   | 0000:C1:00.0  |   0 / 0    3310 / 65536 |");
  EXPECT_EQ(chip.power_watts, std::nullopt);
  EXPECT_EQ(chip.temperature_celsius, std::nullopt);
  EXPECT_EQ(chip.aicore_percent, std::nullopt);
  EXPECT_EQ(chip.hbm, (Usage{3310, 65536}));
  EXPECT_EQ(ReadOne(kFirst, "| 0   | 0000:C1:00.0  | 7  NA  3310 / 65536 |").hbm,
            (Usage{3310, 65536}));
  const Chip chained = ReadOne(kFirst, "| 0   | 0000:C1:00.0  | 7  1 / 3310 / 65536 |");
  EXPECT_EQ(chained.ddr, std::nullopt);
  EXPECT_EQ(chained.hbm, std::nullopt);
}

TEST(NpuSmiTableTest, AnHbmTotalOfZeroIsAFailedRead) {
  const Chip chip = ReadOne(kFirst, "| 0   | 0000:C1:00.0  | 0   0 / 0    0 / 0 |");
  EXPECT_EQ(chip.hbm, std::nullopt);
  EXPECT_TRUE(chip.hbm_refused);
}

TEST(NpuSmiTableTest, ZeroDegreesAreBelievedUnlessAnotherReadFailed) {
  constexpr char kCold[] = "| 0     910B3   | OK   | 98.2    0     0    / 0   |";
  EXPECT_EQ(ReadOne(kCold, kSecond).temperature_celsius, 0);
  const Chip failed = ReadOne("| 0     910B3   | OK   | 0.0    0     0    / 0   |", kSecond);
  EXPECT_EQ(failed.temperature_celsius, std::nullopt);
  EXPECT_TRUE(failed.temperature_refused);
  const Chip refused = ReadOne("| 0     910B3   | OK   | 3276.5    0     0    / 0   |", kSecond);
  EXPECT_EQ(refused.temperature_celsius, 0) << "a sentinel is no failed read of another number";
}

TEST(NpuSmiTableTest, SentinelsOfTheDriverAreRefused) {
  const Chip chip = ReadOne("| 0     910B3   | OK   | 3276.5    32765     0    / 0   |",
                            "| 0   | 0000:C1:00.0  | 255   0 / 0    4294967295 / 4294967295 |");
  EXPECT_EQ(chip.power_watts, std::nullopt);
  EXPECT_EQ(chip.temperature_celsius, std::nullopt);
  EXPECT_EQ(chip.aicore_percent, std::nullopt);
  EXPECT_EQ(chip.hbm, std::nullopt);
  EXPECT_TRUE(chip.power_refused && chip.temperature_refused && chip.load_refused &&
              chip.hbm_refused);
}

TEST(NpuSmiTableTest, AMaskedBusIdPairsRowsButIsNoAddress) {
  EXPECT_EQ(ReadOne(kFirst, "| 0   | 0000:xx:00.0  | 5   0 / 0   3310 / 65536 |").bus_id, "");
}

TEST(NpuSmiTableTest, AnUnknownHealthWordIsRefusedAndNoWordIsAbsent) {
  const Chip chip = ReadOne("| 0     910B3   | Fine   | 98.2    40     0    / 0   |", kSecond);
  EXPECT_EQ(chip.health, Health::kUnknown);
  EXPECT_TRUE(chip.health_refused);
  for (const char* const first : {"| 0 910B3 | | 98.2 40 0 / 0 |", "| 0 910B3 | N/A | 98.2 40 |",
                                  "| 0 910B3 | - | 98.2 40 |"}) {
    EXPECT_EQ(ReadOne(first, kSecond).health, std::nullopt) << first;
    EXPECT_FALSE(ReadOne(first, kSecond).health_refused) << first;
  }
  // A row that ends within its health may as well be a second one.
  EXPECT_THAT(ReadChip("| 0 910B3 | Warn", kSecond).chips, IsEmpty());
}

TEST(NpuSmiTableTest, TheMcuIsNotAChip) {
  const InfoTable table = ReadChip("| 0     Mcu   | OK   | 98.2    40     0    / 0   |", kSecond);
  EXPECT_THAT(table.chips, IsEmpty());
}

TEST(NpuSmiTableTest, TheNameOfAProcessMayContainTheWordsAndBarsOfATable) {
  const InfoTable table = ParseInfoTable(
      "| NPU     Chip | Process id | Process name | Process memory(MB) |\n"
      "| 0       0    | 11 | NPU | Chip | 5 |\n"
      "| 1       0    | 12 | Process id | 6 |\n"
      "| 2       0    | x  | a | 7 |\n");
  EXPECT_THAT(table.processes,
              ElementsAre(Process{0, 0, 11, "NPU | Chip", 5}, Process{1, 0, 12, "Process id", 6}));
  EXPECT_EQ(table.not_understood, 1U);
}

TEST(NpuSmiTableTest, AHeaderWithoutChipsIsAnEmptyTable) {
  EXPECT_THAT(ParseInfoTable("| NPU ID | Name |\n+====+\n").chips, IsEmpty());
  EXPECT_EQ(ParseInfoTable(""), InfoTable());
}

TEST(NpuSmiTableTest, LinesThatAreNotUnderstoodAreCountedAndKeptInPart) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += fmt::format("line {} \x01\xff {}\n", i, std::string(500, 'x'));
  const InfoTable table = ParseInfoTable(text);
  EXPECT_EQ(table.not_understood, 1000U);
  ASSERT_THAT(table.not_understood_lines, SizeIs(5));
  EXPECT_THAT(table.not_understood_lines[0], ::testing::StartsWith("line 0 ?? xxx"));
  EXPECT_LE(table.not_understood_lines[0].size(), 120U);
}

// What may be done to a table without changing what it says.
std::string WithCrLf(const std::string& text) {
  std::string changed;
  for (const std::string& line : Lines(text)) changed += fmt::format("{} \r\n", line);
  return changed;
}

std::string Narrowed(const std::string& text) {
  std::string narrow;
  for (const char c : text) {
    if (c != ' ' || narrow.empty() || narrow.back() != ' ') narrow += c;
  }
  return narrow;
}

TEST(NpuSmiTableTest, WidthsAndLineEndsDoNotMatter) {
  for (const std::string& name : FixtureNames()) {
    SCOPED_TRACE(name);
    const InfoTable table = Read(name);
    EXPECT_EQ(Prose(ParseInfoTable(WithCrLf(Fixture(name)))), Prose(table));
    EXPECT_EQ(Prose(ParseInfoTable(Narrowed(Fixture(name)))), Prose(table));
  }
}

template <typename T>
bool AbsentOrEqual(const std::optional<T>& cut, const std::optional<T>& whole) {
  return !cut || cut == whole;
}

// Says nothing about a chip that the whole table does not say.
bool IsPartOf(const Chip& cut, const Chip& whole) {
  return cut.npu == whole.npu && cut.chip == whole.chip && cut.name == whole.name &&
         AbsentOrEqual(cut.phy_id, whole.phy_id) && AbsentOrEqual(cut.device_id, whole.device_id) &&
         cut.bus_id == whole.bus_id && AbsentOrEqual(cut.health, whole.health) &&
         AbsentOrEqual(cut.power_watts, whole.power_watts) &&
         AbsentOrEqual(cut.temperature_celsius, whole.temperature_celsius) &&
         AbsentOrEqual(cut.aicore_percent, whole.aicore_percent) &&
         AbsentOrEqual(cut.npu_percent, whole.npu_percent) && AbsentOrEqual(cut.ddr, whole.ddr) &&
         AbsentOrEqual(cut.hbm, whole.hbm);
}

bool IsPartOf(const Process& cut, const Process& whole) {
  return cut.pid == whole.pid && cut.npu == whole.npu && cut.chip == whole.chip &&
         (cut.name.empty() || cut.name == whole.name) &&
         AbsentOrEqual(cut.memory_mb, whole.memory_mb);
}

TEST(NpuSmiTableTest, ATableCutAnywhereSaysNothingThatTheWholeDoesNotSay) {
  for (const std::string& name : FixtureNames()) {
    const std::string text = Fixture(name);
    const InfoTable whole = ParseInfoTable(text);
    for (std::size_t size = 0; size < text.size(); ++size) {
      const InfoTable cut = ParseInfoTable(std::string_view(text).substr(0, size));
      ASSERT_LE(cut.chips.size(), whole.chips.size()) << name << " at " << size;
      for (std::size_t i = 0; i < cut.chips.size(); ++i) {
        ASSERT_TRUE(IsPartOf(cut.chips[i], whole.chips[i])) << name << " at " << size;
      }
      ASSERT_LE(cut.processes.size(), whole.processes.size()) << name << " at " << size;
      for (std::size_t i = 0; i < cut.processes.size(); ++i) {
        ASSERT_TRUE(IsPartOf(cut.processes[i], whole.processes[i])) << name << " at " << size;
      }
    }
  }
}

TEST(NpuSmiTableTest, DamagedTablesDoNoHarm) {
  std::mt19937 random(20260101);
  constexpr std::string_view kSpice = "|/ \n\r\t+-.0NA\xff\0";
  for (const std::string& name : FixtureNames()) {
    const std::string whole = Fixture(name);
    for (int round = 0; round < 200; ++round) {
      std::string text = whole;
      for (int change = 0; change < 20; ++change) {
        const std::size_t at = random() % text.size();
        if (random() % 4 == 0) text.erase(at, random() % 40);
        text += '|';
        text[random() % text.size()] = kSpice[random() % kSpice.size()];
      }
      const InfoTable table = ParseInfoTable(text);
      for (const Chip& chip : table.chips) EXPECT_TRUE(!chip.power_watts || *chip.power_watts > 0);
    }
  }
}

TEST(NpuSmiTableTest, AbsurdlyManyRowsAreBounded) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += fmt::format("|{} a|OK|\n|0|NA|\n", i);
  const InfoTable table = ParseInfoTable(text);
  EXPECT_THAT(table.chips, SizeIs(1024));
  EXPECT_EQ(table.not_understood, 40'000U - 1024U);
}

// Sanitizers make code about ten times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::chrono::microseconds kParseBudget(2000);
#else
constexpr std::chrono::microseconds kParseBudget(200);
#endif

TEST(NpuSmiTableTest, SixteenChipsAreReadInUnder200Microseconds) {
  const std::string text = RunPython({ASCEND_SOURCE_DIR "/tests/machines/16x910c.yaml"});
  auto best = std::chrono::nanoseconds::max();
  for (int round = 0; round < 100; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const InfoTable table = ParseInfoTable(text);
    best = std::min(best, std::chrono::nanoseconds(std::chrono::steady_clock::now() - start));
    ASSERT_THAT(table.chips, SizeIs(16));
  }
  RecordProperty("nanoseconds", std::to_string(best.count()));
  EXPECT_LT(best, kParseBudget);
}

}  // namespace
}  // namespace ascend::npu_smi

// The driver on scripts that stand for npu-smi: what it answers, and how the runs are shared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <span>
#include <thread>

#include "hal/driver_state.h"
#include "tests/hal/npu_smi/fake_tool.h"

namespace ascend::npu_smi {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kMiB = 1 << 20;

// A table of family B with the rows that a test writes.
std::string TableOf(std::string_view rows) {
  return fmt::format(
      "| npu-smi 24.1.1    Version: 24.1.0 |\n"
      "| NPU   Name   | Health  | Power(W)    Temp(C)    Hugepages-Usage(page)|\n"
      "| Chip         | Bus-Id  | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB) |\n{}\n",
      rows);
}

template <typename T>
T Value(const absl::StatusOr<T>& value) {
  EXPECT_TRUE(value.ok()) << value.status().message();
  return value.ok() ? *value : T{};
}

TEST(NpuSmiDriverTest, FindsTheDiesOfPackagesByTheirPhysicalIds) {
  FakeTool tool(Fixture("a3-24.1.txt"));
  const Discovery found = Value(tool.Open()->Discover());
  EXPECT_EQ(found.info.backend, "npu_smi");
  EXPECT_EQ(found.info.library_version, "24.1.rc3.5");
  EXPECT_EQ(found.info.driver_version, "24.1.rc3.5");
  EXPECT_EQ(found.info.device_id_source, "phy_id");
  EXPECT_THAT(found.devices, ElementsAre(FoundDevice{{6, 0}, 12, {}}, FoundDevice{{6, 1}, 13, {}},
                                         FoundDevice{{7, 0}, 14, {}}, FoundDevice{{7, 1}, 15, {}}));
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(tool.Runs(), ElementsAre("info", "info -m"));
}

TEST(NpuSmiDriverTest, TakesTheDeviceColumnAndElseTheNpuIdForTheDevice) {
  FakeTool duo(Fixture("310p-duo-24.1.txt"));
  const Discovery cards = Value(duo.Open()->Discover());
  EXPECT_EQ(cards.info.device_id_source, "device");
  EXPECT_EQ(cards.devices.at(3), (FoundDevice{{3200, 1}, 3, 3}));

  FakeTool container(Fixture("910a-container-1.9.txt"));
  const Discovery subset = Value(container.Open()->Discover());
  EXPECT_EQ(subset.info.device_id_source, "npu_id");
  EXPECT_EQ(subset.info.driver_version, "21.0.rc2");
  EXPECT_THAT(subset.devices, ElementsAre(FoundDevice{{4, 0}, 4, {}}, FoundDevice{{6, 0}, 6, {}}));
}

TEST(NpuSmiDriverTest, CountsChipsWhereNothingElseTellsThemApart) {
  FakeTool tool(
      TableOf("| 5 910B3 | OK | 98.2 40 0 / 0 |\n| 0 | NA | 5 0 / 0 3310 / 65536 |\n"
              "| 5 910B3 | OK | 98.2 40 0 / 0 |\n| 1 | NA | 5 0 / 0 3310 / 65536 |"));
  const Discovery found = Value(tool.Open()->Discover());
  EXPECT_EQ(found.info.device_id_source, "index");
  EXPECT_THAT(found.devices, ElementsAre(FoundDevice{{5, 0}, 0, {}}, FoundDevice{{5, 1}, 1, {}}));
}

TEST(NpuSmiDriverTest, TheSecondChipThatClaimsADeviceIsAProblemNotADevice) {
  std::string table = Fixture("a3-wide-26.1.txt");
  const std::size_t second = table.find("| 1     1 ");
  ASSERT_NE(second, std::string::npos);
  table[second + 8] = '0';
  FakeTool tool(table);
  const Discovery found = Value(tool.Open()->Discover());
  EXPECT_THAT(found.devices, SizeIs(1));
  EXPECT_THAT(found.problems,
              ElementsAre("NPU 0 chip 1: its phy_id 0 is that of a chip before it"));
}

TEST(NpuSmiDriverTest, TellsWhoAChipIs) {
  FakeTool tool(Fixture("a3-24.1.txt"));
  const DeviceIdentity die = Value(tool.Open()->ReadIdentity({7, 1}));
  EXPECT_EQ(die.family, ChipFamily::k910_93);
  EXPECT_EQ(die.chip_name.view(), "Ascend910");
  EXPECT_EQ(die.pci_address.view(), "0000:82:00.0");
  EXPECT_TRUE(die.serial.empty() && die.die_id.empty());

  FakeTool first(Fixture("910b-first-generation-23.0.rc1.txt"));
  EXPECT_EQ(Value(first.Open()->ReadIdentity({0, 0})).family, ChipFamily::k910);
  FakeTool second(Fixture("910b-busy-24.1.txt"));
  EXPECT_EQ(Value(second.Open()->ReadIdentity({4, 0})).family, ChipFamily::k910B);
}

TEST(NpuSmiDriverTest, TakesTheTraitsOfAnUnknownChipFromTheColumns) {
  FakeTool tool(
      TableOf("| 0 X100 | OK | 98.2 40 0 / 0 |\n"
              "| 0 | 0000:C1:00.0 | 5 10 / 20 3310 / 65536 |"));
  const DeviceIdentity hbm = Value(tool.Open()->ReadIdentity({0, 0}));
  EXPECT_EQ(hbm.family, ChipFamily::kUnknown);
  EXPECT_EQ(hbm.traits, kHasHbm | kHasDdr | kChipPower);

  FakeTool plain(
      "| npu-smi 24.1.1 Version: 24.1.0 |\n| NPU Name | Health | Power(W) Temp(C) |\n"
      "| Chip Device | Bus-Id | AICore(%) Memory-Usage(MB) |\n"
      "| 0 X200 | OK | NA 40 |\n| 0 0 | NA | 5 10 / 20 |\n");
  EXPECT_EQ(Value(plain.Open()->ReadIdentity({0, 0})).traits, kNoHbm | kHasDdr);
}

TEST(NpuSmiDriverTest, ReadsTheValuesOfTheChipThatIsNamed) {
  FakeTool tool(Fixture("910b-busy-24.1.txt"));
  const auto driver = tool.Open();
  EXPECT_EQ(Value(driver->ReadHealth({2, 0})).state, Health::kAlarm);
  EXPECT_EQ(Value(driver->ReadTemperature({2, 0})).chip, Celsius{59});
  EXPECT_EQ(Value(driver->ReadPower({2, 0})).chip, Watts{301.9});
  EXPECT_EQ(Value(driver->ReadUtilization({0, 0})).aicore, Ratio{0.64});
  EXPECT_EQ(Value(driver->ReadUtilization({0, 0})).overall, std::nullopt);
  EXPECT_EQ(Value(driver->ReadHbm({2, 0})).used, Bytes{65001 * kMiB});
  EXPECT_EQ(Value(driver->ReadHbm({2, 0})).total, Bytes{65536 * kMiB});
}

TEST(NpuSmiDriverTest, The950ReportsTheLoadOfTheWholeNpu) {
  FakeTool tool(Fixture("950-25.7.txt"));
  const UtilizationReading load = Value(tool.Open()->ReadUtilization({0, 0}));
  EXPECT_EQ(load.overall, Ratio{0.18});
  EXPECT_EQ(load.aicore, std::nullopt);
}

TEST(NpuSmiDriverTest, WhatAChipLacksIsUnimplemented) {
  FakeTool b(Fixture("910b-busy-24.1.txt"));
  EXPECT_EQ(b.Open()->ReadDdr({0, 0}).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(b.Open()->ReadEcc({0, 0}).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(b.Open()->ReadCardPower({0, 0}).status().code(), absl::StatusCode::kUnimplemented);
  FakeTool duo(Fixture("310p-duo-24.1.txt"));
  EXPECT_EQ(duo.Open()->ReadHbm({2944, 0}).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(duo.Open()->ReadPower({2944, 0}).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(Value(duo.Open()->ReadDdr({2944, 1})).used, Bytes{11377 * kMiB});
}

TEST(NpuSmiDriverTest, ThePowerThatOldVersionsPrintForA310PIsNotTheChips) {
  FakeTool tool(
      "| npu-smi 22.0.0 Version: 22.0.0 |\n"
      "| NPU Name | Health | Power(W) Temp(C) Hugepages-Usage(page) |\n"
      "| Chip Device | Bus-Id | AICore(%) Memory-Usage(MB) |\n"
      "| 8 310P3 | OK | 17.2 44 0 / 0 |\n| 0 0 | 0000:01:00.0 | 0 1234 / 21527 |\n");
  const auto driver = tool.Open();
  EXPECT_EQ(driver->ReadPower({8, 0}).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(Value(driver->ReadTemperature({8, 0})).chip, Celsius{44});
}

TEST(NpuSmiDriverTest, WhatOneTableDoesNotShowOfAnUnknownChipMayComeLater) {
  constexpr std::string_view kHeader =
      "| npu-smi 24.1.1 Version: 24.1.0 |\n| NPU Name | Health | Power(W) Temp(C) |\n";
  FakeTool tool(fmt::format(
      "{}| Chip | Bus-Id | AICore(%) |\n| 0 X1 | OK | NA 40 |\n| 0 | NA | 5 |\n", kHeader));
  const auto driver = tool.Open();
  EXPECT_EQ(Value(driver->ReadPower({0, 0})).chip, std::nullopt);
  EXPECT_EQ(Value(driver->ReadHbm({0, 0})).total, std::nullopt);
  EXPECT_EQ(Value(driver->ReadDdr({0, 0})).total, std::nullopt);
  tool.Print(
      fmt::format("{}| Chip | Bus-Id | AICore(%) Memory-Usage(MB) HBM-Usage(MB) |\n"
                  "| 0 X1 | OK | 98.2 40 |\n| 0 | NA | 5 1 / 2 3 / 4 |\n",
                  kHeader));
  tool.clock.Advance(seconds(5));
  EXPECT_EQ(Value(driver->ReadPower({0, 0})).chip, Watts{98.2});
  EXPECT_EQ(Value(driver->ReadHbm({0, 0})).total, Bytes{4 * kMiB});
  EXPECT_EQ(Value(driver->ReadDdr({0, 0})).total, Bytes{2 * kMiB});
}

TEST(NpuSmiDriverTest, AHealthThatIsNoneOfTheToolsWordsIsUnknownAndCounted) {
  FakeTool tool(
      TableOf("| 0 910B3 | Fine | 98.2 40 0 / 0 |\n| 0 | 0000:C1:00.0 | 5 0 / 0 1 / 2 |\n"
              "| 1 910B3 | | 98.2 40 0 / 0 |\n| 0 | 0000:C2:00.0 | 5 0 / 0 1 / 2 |\n"
              "| 2 910B3 | UNKNOWN | 98.2 40 0 / 0 |\n| 0 | 0000:C3:00.0 | 5 0 / 0 1 / 2 |"));
  const auto driver = tool.Open();
  const HealthReading strange = Value(driver->ReadHealth({0, 0}));
  EXPECT_EQ(strange.state, Health::kUnknown);
  EXPECT_EQ(strange.refused.sentinel, 1);
  const HealthReading none = Value(driver->ReadHealth({1, 0}));
  EXPECT_EQ(none.state, std::nullopt);
  EXPECT_EQ(none.refused.sentinel, 0);
  const HealthReading unknown = Value(driver->ReadHealth({2, 0}));
  EXPECT_EQ(unknown.state, Health::kUnknown);
  EXPECT_EQ(unknown.refused.sentinel, 0);
}

TEST(NpuSmiDriverTest, LinesThatAreNotUnderstoodAreOneProblemToldOnce) {
  const std::string table = Fixture("a3-24.1.txt");
  FakeTool tool(fmt::format("{}odd \x1b[31m{}\neven\n", table, std::string(500, 'x')));
  const auto driver = tool.Open();
  const Discovery found = Value(driver->Discover());
  EXPECT_THAT(found.devices, SizeIs(4));
  ASSERT_THAT(found.problems, SizeIs(1));
  EXPECT_THAT(found.problems[0],
              ::testing::StartsWith("npu-smi info printed 2 lines that were not understood, the "
                                    "first: \"odd ?[31mxxx"));
  EXPECT_LT(found.problems[0].size(), 250U);
  tool.Print(table + "another\n");
  tool.clock.Advance(seconds(5));
  EXPECT_EQ(Value(driver->Discover()).problems, found.problems);
  tool.Print(table);
  tool.clock.Advance(seconds(5));
  EXPECT_THAT(Value(driver->Discover()).problems, IsEmpty());
}

TEST(NpuSmiDriverTest, OneDieCarriesThePowerOfBothAndTheOtherHasNone) {
  FakeTool tool(Fixture("a3-24.1.txt"));
  const auto driver = tool.Open();
  EXPECT_EQ(Value(driver->ReadPower({7, 0})).chip, Watts{178.5});
  const PowerReading other = Value(driver->ReadPower({7, 1}));
  EXPECT_EQ(other.chip, std::nullopt);
  EXPECT_EQ(other.refused.sentinel, 0);
}

TEST(NpuSmiDriverTest, RefusedValuesAreAbsentAndCounted) {
  FakeTool tool(
      TableOf("| 0 910B3 | OK | 0.0 40 0 / 0 |\n"
              "| 0 | 0000:C1:00.0 | 255 0 / 0 65537 / 65536 |"));
  const auto driver = tool.Open();
  const PowerReading power = Value(driver->ReadPower({0, 0}));
  EXPECT_EQ(power.chip, std::nullopt);
  EXPECT_EQ(power.refused.sentinel, 1);
  const UtilizationReading load = Value(driver->ReadUtilization({0, 0}));
  EXPECT_EQ(load.aicore, std::nullopt);
  EXPECT_EQ(load.refused.sentinel, 1);
  const HbmReading hbm = Value(driver->ReadHbm({0, 0}));
  EXPECT_EQ(hbm.used, std::nullopt);
  EXPECT_EQ(hbm.total, Bytes{65536 * kMiB});
  EXPECT_EQ(hbm.refused.sentinel, 1);
}

TEST(NpuSmiDriverTest, AChipOfNothingButZerosIsUnavailableNotHealthy) {
  FakeTool tool(
      TableOf("| 0 910B3 | OK | 0.0 0 0 / 0 |\n| 0 | 0000:C1:00.0 | 0 0 / 0 0 / 0 |\n"
              "| 1 910B3 | OK | 9.9 40 0 / 0 |\n| 0 | 0000:C2:00.0 | 0 0 / 0 1 / 2 |"));
  const auto driver = tool.Open();
  EXPECT_EQ(driver->ReadHealth({0, 0}).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(driver->ReadUtilization({0, 0}).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(driver->ReadIdentity({0, 0}).ok());
  EXPECT_EQ(Value(driver->ReadHealth({1, 0})).state, Health::kOk);
}

TEST(NpuSmiDriverTest, AChipOfNothingButZerosIsUnavailableWhateverNumbersItsFamilyHas) {
  FakeTool die(TableOf("| 0 Ascend910 | OK | - 0 0 / 0 |\n| 1 | 0000:C1:00.0 | 0 0 / 0 0 / 0 |"));
  EXPECT_EQ(die.Open()->ReadHealth({0, 1}).status().code(), absl::StatusCode::kUnavailable);
  FakeTool card(
      "| npu-smi 24.1.1 Version: 24.1.0 |\n| NPU Name | Health | Power(W) Temp(C) |\n"
      "| Chip Device | Bus-Id | AICore(%) Memory-Usage(MB) |\n"
      "| 0 310P3 | OK | NA 0 |\n| 0 0 | 0000:C1:00.0 | 0 0 / 0 |\n");
  EXPECT_EQ(card.Open()->ReadHealth({0, 0}).status().code(), absl::StatusCode::kUnavailable);
}

TEST(NpuSmiDriverTest, RefusedNumbersAreNoZerosAndAreCounted) {
  FakeTool tool(
      TableOf("| 0 910B3 | OK | 3276.5 32765 0 / 0 |\n"
              "| 0 | 0000:C1:00.0 | 255 0 / 0 4294967295 / 4294967295 |\n"
              "| 1 910B3 | OK | 0.0 0 0 / 0 |\n| 0 | 0000:C2:00.0 | 7 0 / 0 0 / 0 |"));
  const auto driver = tool.Open();
  EXPECT_EQ(Value(driver->ReadHealth({0, 0})).state, Health::kOk);
  EXPECT_EQ(Value(driver->ReadPower({0, 0})).refused.sentinel, 1);
  EXPECT_EQ(Value(driver->ReadTemperature({0, 0})).refused.sentinel, 1);
  EXPECT_EQ(Value(driver->ReadUtilization({0, 0})).refused.sentinel, 1);
  EXPECT_EQ(Value(driver->ReadHbm({0, 0})).refused.sentinel, 1);
  EXPECT_EQ(Value(driver->ReadUtilization({1, 0})).aicore, Ratio{0.07});
}

std::vector<std::string> Processes(NpuDriver& driver, DeviceAddress address) {
  std::array<ProcessReading, 2> rows;
  const std::size_t count = Value(driver.ReadProcesses(address, rows)).value_or(0);
  std::vector<std::string> texts;
  for (const ProcessReading& row : std::span(rows).first(count)) {
    texts.push_back(fmt::format("{} {} {:.0f}", row.pid, row.name.view(),
                                row.memory.value_or(Bytes{0}).value / kMiB));
  }
  return texts;
}

TEST(NpuSmiDriverTest, ReadsProcessesOfTheChipsThatTheTableSpeaksOf) {
  FakeTool tool(Fixture("a3-24.1.txt"));
  const auto driver = tool.Open();
  EXPECT_THAT(Processes(*driver, {7, 1}), ElementsAre("997 trainer 40000"));
  EXPECT_THAT(Processes(*driver, {7, 0}), IsEmpty());
  EXPECT_THAT(Processes(*driver, {6, 0}), IsEmpty());
  std::array<ProcessReading, 2> rows;
  EXPECT_EQ(Value(driver->ReadProcesses({6, 0}, rows)), 0U);

  FakeTool busy(Fixture("910b-busy-24.1.txt"));
  EXPECT_THAT(Processes(*busy.Open(), {2, 0}), ElementsAre("883  31002", "884  31003"));
}

TEST(NpuSmiDriverTest, ProcessesThatCannotBeTrustedAreNotTold) {
  std::array<ProcessReading, 2> rows;
  FakeTool tool(Fixture("910b-first-generation-23.0.rc1.txt"));
  EXPECT_EQ(tool.Open(seconds(60), false)->ReadProcesses({1, 0}, rows).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(NpuSmiDriverTest, ATableThatDoesNotTellTheProcessesIsNoErrorAndNoLackForEver) {
  std::array<ProcessReading, 2> rows;
  FakeTool tool(Fixture("910b-first-generation-23.0.rc1.txt"));  // leaves NPU 2 out
  EXPECT_EQ(Value(tool.Open()->ReadProcesses({2, 0}, rows)), std::nullopt);
  FakeTool soc(Fixture("310b-alarm-23.0.txt"));
  EXPECT_EQ(Value(soc.Open()->ReadProcesses({0, 0}, rows)), std::nullopt);
  FakeTool old(Fixture("910a-container-1.9.txt"));
  const auto driver = old.Open();
  EXPECT_EQ(Value(driver->ReadProcesses({4, 0}, rows)), std::nullopt);
  old.Print(Fixture("910a-container-1.9.txt") +
            "| NPU Chip | Process id | Process name | Process memory(MB) |\n"
            "| 4 0 | 77 | trainer | 5 |\n");
  old.clock.Advance(seconds(5));
  EXPECT_THAT(Processes(*driver, {4, 0}), ElementsAre("77 trainer 5"));
}

TEST(NpuSmiDriverTest, AChipThatLeavesTheTableIsNotFound) {
  FakeTool tool(Fixture("910b-busy-24.1.txt"));
  const auto driver = tool.Open();
  EXPECT_TRUE(driver->ReadHealth({2, 0}).ok());
  tool.Print(Fixture("910b-wide-26.0.txt"));
  tool.clock.Advance(seconds(5));
  EXPECT_EQ(driver->ReadHealth({2, 0}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(driver->ReadHealth({1, 0}).ok());
}

TEST(NpuSmiDriverTest, AsksForSlowPeriodsAndDeadlines) {
  FakeTool tool("");
  EXPECT_EQ(tool.Open()->limits().min_period, seconds(5));
  EXPECT_EQ(tool.Open()->limits().min_deadline, seconds(20));
}

TEST(NpuSmiDriverTest, ThreadsThatAskAtOnceShareOneRun) {
  FakeTool tool(Fixture("a3-24.1.txt"));
  const auto driver = tool.Open();
  for (int tick = 1; tick <= 3; ++tick) {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 16; ++thread) {
      threads.emplace_back([&, thread] {
        const DeviceAddress address{6 + thread % 2, thread / 2 % 2};
        EXPECT_TRUE(driver->ReadHealth(address).ok());
        EXPECT_TRUE(driver->ReadTemperature(address).ok());
        EXPECT_TRUE(driver->ReadHbm(address).ok());
      });
    }
    threads.clear();
    EXPECT_EQ(tool.RunsOf("info"), static_cast<std::size_t>(tick));
    tool.clock.Advance(seconds(5));
  }
}

TEST(NpuSmiDriverTest, ATableServesForOneSecond) {
  FakeTool tool(Fixture("a3-24.1.txt"));
  const auto driver = tool.Open();
  EXPECT_TRUE(driver->Discover().ok());
  tool.clock.Advance(milliseconds(999));
  EXPECT_TRUE(driver->ReadHealth({6, 0}).ok());
  EXPECT_EQ(tool.RunsOf("info"), 1U);
  tool.clock.Advance(milliseconds(1));
  EXPECT_TRUE(driver->ReadHealth({6, 0}).ok());
  EXPECT_EQ(tool.RunsOf("info"), 2U);
}

TEST(NpuSmiDriverTest, InterruptEndsTheRunAndAllThatWaitForIt) {
  FakeTool tool("", "");
  LifeLine life(tool / "life");
  WriteScript(tool.tool(), fmt::format("exec 3>{}; echo begun >&3; sleep 1000", life.path()));
  const auto driver = tool.Open();
  std::atomic<int> unavailable = 0;
  std::vector<std::jthread> threads;
  threads.emplace_back([&] {
    unavailable += driver->Discover().status().code() == absl::StatusCode::kUnavailable ? 1 : 0;
  });
  ASSERT_TRUE(life.AwaitWord());
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      const auto code = driver->ReadHealth({0, 0}).status().code();
      unavailable += code == absl::StatusCode::kUnavailable ? 1 : 0;
    });
  }
  driver->Interrupt();
  threads.clear();
  EXPECT_EQ(unavailable, 5);
  EXPECT_TRUE(life.AwaitEnd());
  EXPECT_EQ(driver->Discover().status().code(), absl::StatusCode::kUnavailable);
}

TEST(NpuSmiDriverTest, RunsGoOnAfterAFailure) {
  FakeTool tool("garbage");
  const auto driver = tool.Open();
  EXPECT_FALSE(driver->Discover().ok());
  EXPECT_EQ(driver->ReadHealth({6, 0}).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(tool.Runs(), SizeIs(1));
  tool.Print(Fixture("a3-24.1.txt"));
  tool.clock.Advance(seconds(1));
  EXPECT_TRUE(driver->Discover().ok());
}

}  // namespace
}  // namespace ascend::npu_smi

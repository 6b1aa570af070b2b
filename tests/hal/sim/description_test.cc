#include <array>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

constexpr double kMiB = 1048576;

std::shared_ptr<NpuDriver> OpenedMachine(const std::string& file, Clock& clock) {
  return OpenedText("machine: " + SourcePath("tests/machines/" + file) + "\nload: steady\n", clock);
}

TEST(SteadyTest, BusyChipReportsExactlyItsDescription) {
  VirtualClock clock;
  const auto driver = OpenedMachine("8x910b.yaml", clock);
  ASSERT_TRUE(driver);
  clock.Advance(std::chrono::minutes(10));
  const DeviceAddress chip{3, 0};
  EXPECT_EQ(driver->ReadTemperature(chip)->chip, Celsius{61});
  EXPECT_EQ(driver->ReadPower(chip)->chip, Watts{317.4});
  EXPECT_FALSE(driver->ReadCardPower(chip)->card.has_value());
  const auto utilization = driver->ReadUtilization(chip);
  EXPECT_EQ(utilization->aicore, Ratio{0.87});
  EXPECT_EQ(utilization->vector, Ratio{0.21});
  EXPECT_EQ(utilization->cube, Ratio{0.85});
  EXPECT_EQ(utilization->aicpu, Ratio{0.02});
  EXPECT_EQ(utilization->ctrlcpu, Ratio{0.11});
  EXPECT_EQ(utilization->overall, Ratio{0.87});
  const auto hbm = driver->ReadHbm(chip);
  EXPECT_EQ(hbm->used, Bytes{59872 * kMiB});
  EXPECT_EQ(hbm->total, Bytes{65536 * kMiB});
  EXPECT_EQ(hbm->temperature, Celsius{58});
  EXPECT_EQ(hbm->utilization, Ratio{0.91});
  EXPECT_EQ(hbm->bandwidth_utilization, Ratio{0.44});
  std::array<ProcessReading, kMaxProcesses> processes;
  ASSERT_EQ(*driver->ReadProcesses(chip, processes), 1U);
  EXPECT_EQ(processes[0].pid, 395864);
  EXPECT_EQ(processes[0].name.view(), "mindie_server");
  EXPECT_EQ(processes[0].memory, Bytes{56410 * kMiB});
}

TEST(SteadyTest, SickChipReportsExactlyItsDescription) {
  VirtualClock clock;
  const auto driver = OpenedMachine("8x910b.yaml", clock);
  ASSERT_TRUE(driver);
  const DeviceAddress chip{5, 0};
  EXPECT_EQ(driver->ReadHealth(chip)->state, Health::kAlarm);
  EXPECT_FALSE(driver->ReadHealth(chip)->lost);
  const auto faults = driver->ReadFaults(chip);
  ASSERT_EQ(faults->active.size(), 1U);
  EXPECT_EQ(faults->active[0], 0x80E01801U);
  EXPECT_TRUE(faults->events.empty()) << "it was there before";
  const auto ecc = driver->ReadEcc(chip);
  EXPECT_EQ(ecc->hbm.enabled, Count{1});
  EXPECT_EQ(ecc->hbm.single_bit, Count{7});
  EXPECT_EQ(ecc->hbm.double_bit, Count{1});
  EXPECT_EQ(ecc->hbm.lifetime_single_bit, Count{19});
  EXPECT_EQ(ecc->hbm.lifetime_double_bit, Count{2});
  EXPECT_EQ(ecc->hbm.isolated_pages, Count{2});
  EXPECT_FALSE(ecc->ddr.single_bit.has_value());
}

TEST(SteadyTest, OneBelowZeroIsATemperature) {
  VirtualClock clock;
  const auto driver = OpenedMachine("8x910b.yaml", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadTemperature({6, 0})->chip, Celsius{-1});
}

TEST(SteadyTest, ContainerSeesItsSubsetWithHbmAndDdr) {
  VirtualClock clock;
  const auto driver = OpenedMachine("2x910a.yaml", clock);
  ASSERT_TRUE(driver);
  const auto discovery = driver->Discover();
  ASSERT_EQ(discovery->devices.size(), 2U);
  EXPECT_EQ(discovery->devices[1], (FoundDevice{.address = {7, 0}, .device = 7, .logic_id = 1}));
  EXPECT_EQ(discovery->info.driver_version, "21.0.rc1");
  EXPECT_EQ(discovery->info.library_version, "1.9.3");
  const auto ddr = driver->ReadDdr({7, 0});
  EXPECT_EQ(ddr->total, Bytes{15078 * kMiB});
  EXPECT_EQ(ddr->used, Bytes{2563 * kMiB});
  EXPECT_EQ(ddr->hugepages_capacity, Bytes{0});
  EXPECT_EQ(driver->ReadHbm({7, 0})->total, Bytes{32768 * kMiB});
  EXPECT_EQ(driver->ReadHealth({7, 0})->state, Health::kWarning);
  EXPECT_FALSE(driver->ReadUtilization({7, 0})->vector.has_value());
  EXPECT_EQ(driver->ReadEcc({7, 0})->ddr.enabled, Count{0});
  std::array<ProcessReading, kMaxProcesses> processes;
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadProcesses({7, 0}, processes).status()));
}

TEST(SteadyTest, EveryMachineOfTheTestsOpens) {
  VirtualClock clock;
  for (const char* file : {"8x910b.yaml", "16x910c.yaml", "4x310p.yaml", "2x910a.yaml"}) {
    EXPECT_TRUE(OpenedMachine(file, clock)) << file;
  }
}

TEST(DescriptionTest, AbsentKeysAreAbsentFieldsAndAbsentSectionsUnimplemented) {
  VirtualClock clock;
  const auto driver = OpenedText(R"(
machine: {chips: [{device: 4, npu_id: 2, utilization: {aicore: 50}}]}
)",
                                 clock);
  ASSERT_TRUE(driver);
  const DeviceAddress chip{2, 0};
  EXPECT_FALSE(driver->ReadHealth(chip)->state.has_value());
  EXPECT_FALSE(driver->ReadTemperature(chip)->chip.has_value());
  EXPECT_FALSE(driver->ReadPower(chip)->chip.has_value());
  EXPECT_TRUE(driver->ReadUtilization(chip)->aicore.has_value());
  EXPECT_FALSE(driver->ReadUtilization(chip)->cube.has_value());
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadHbm(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadDdr(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadEcc(chip).status()));
  EXPECT_TRUE(driver->ReadFaults(chip)->active.empty());
  EXPECT_EQ(driver->ReadIdentity(chip)->family, ChipFamily::kUnknown);
  EXPECT_TRUE(driver->ReadIdentity(chip)->pci_address.empty());
  EXPECT_FALSE(driver->Discover()->devices[0].logic_id.has_value());
}

TEST(DescriptionTest, DefaultsAreMergedMapByMapAndNullRemoves) {
  VirtualClock clock;
  const auto driver = OpenedText(R"(
load: steady
machine:
  defaults:
    power_watts: 90.5
    hbm: {total_mib: 100, used_mib: 40}
    ecc: {hbm: {single_bit: 1}}
  chips:
    - {device: 0, npu_id: 0, hbm: {used_mib: 60}}
    - {device: 1, npu_id: 1, power_watts: null, ecc: ~, hbm: {used_mib: null}}
)",
                                 clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadHbm({0, 0})->total, Bytes{100 * kMiB});
  EXPECT_EQ(driver->ReadHbm({0, 0})->used, Bytes{60 * kMiB});
  EXPECT_EQ(driver->ReadPower({0, 0})->chip, Watts{90.5});
  EXPECT_EQ(driver->ReadEcc({0, 0})->hbm.single_bit, Count{1});
  EXPECT_FALSE(driver->ReadPower({1, 0})->chip.has_value());
  EXPECT_FALSE(driver->ReadHbm({1, 0})->used.has_value());
  EXPECT_EQ(driver->ReadHbm({1, 0})->total, Bytes{100 * kMiB});
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadEcc({1, 0}).status()));
}

TEST(DescriptionTest, IdentityIsFilledAndTraitsFollowTheChip) {
  VirtualClock clock;
  const auto driver = OpenedText(R"(
machine:
  chips:
    - {device: 0, npu_id: 0, chip_name: 310P3, board_id: 0x6A, pci_address: "0000:0A:00.0",
       die_id: "1-2", serial: 42, model: M, product: P, firmware_version: "7.3"}
)",
                                 clock);
  ASSERT_TRUE(driver);
  const auto identity = driver->ReadIdentity({0, 0});
  EXPECT_EQ(identity->family, ChipFamily::k310P);
  EXPECT_EQ(identity->traits, kNoHbm | kHasDdr | kCardPower);
  EXPECT_EQ(identity->board_id.view(), "0x6a");
  EXPECT_EQ(identity->pci_address.view(), "0000:0a:00.0");
  EXPECT_EQ(identity->die_id.view(), "1-2");
  EXPECT_EQ(identity->serial.view(), "42");
  EXPECT_EQ(identity->model.view(), "M");
  EXPECT_EQ(identity->product.view(), "P");
  EXPECT_EQ(identity->firmware_version.view(), "7.3");
}

TEST(DescriptionTest, HugePagesBecomeBytes) {
  VirtualClock clock;
  const auto driver = OpenedText(R"(
machine:
  chips:
    - {device: 0, npu_id: 0, ddr: {hugepages_total: 15, hugepages_free: 10, hugepage_kib: 2048}}
)",
                                 clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadDdr({0, 0})->hugepages_capacity, Bytes{30 * kMiB});
  EXPECT_EQ(driver->ReadDdr({0, 0})->hugepages_used, Bytes{10 * kMiB});
}

TEST(DescriptionTest, MachineWithoutChipsIsFoundEmpty) {
  VirtualClock clock;
  const auto driver = OpenedText("machine: {chips: []}\n", clock);
  ASSERT_TRUE(driver);
  const auto discovery = driver->Discover();
  ASSERT_TRUE(discovery.ok());
  EXPECT_TRUE(discovery->devices.empty());
}

TEST(DescriptionTest, ProcessesAreCutToTheRoomOfTheCaller) {
  VirtualClock clock;
  const auto driver = OpenedText(R"(
load: steady
machine:
  chips:
    - {device: 0, npu_id: 0, faults: ["80E01801", "80e01801", "00000001"],
       processes: [{pid: 7}, {pid: 8, name: a}]}
)",
                                 clock);
  ASSERT_TRUE(driver);
  const auto faults = driver->ReadFaults({0, 0});
  ASSERT_EQ(faults->active.size(), 3U);
  EXPECT_EQ(faults->active[1], 0x80E01801U) << "repeats are kept";
  std::array<ProcessReading, 1> processes;
  EXPECT_EQ(*driver->ReadProcesses({0, 0}, processes), 1U);
  EXPECT_EQ(processes[0].pid, 7);
  EXPECT_TRUE(processes[0].name.empty());
  EXPECT_FALSE(processes[0].memory.has_value());
}

TEST(DescriptionTest, MachinePathIsRelativeToTheScenario) {
  VirtualClock clock;
  const TemporaryFile machine("chips: [{device: 9, npu_id: 9}]\n");
  const std::string name = machine.path().substr(machine.path().rfind('/') + 1);
  const auto driver = OpenedText("machine: " + name + "\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->Discover()->devices.at(0).device, 9);
}

}  // namespace
}  // namespace ascend

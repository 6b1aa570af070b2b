// Machine descriptions, printed as npu-smi would, give the values of the description.
#include <gtest/gtest.h>

#include <array>
#include <span>

#include "hal/chip_family.h"
#include "tests/hal/npu_smi/fake_tool.h"

namespace ascend::npu_smi {
namespace {

constexpr double kMiB = 1 << 20;

std::string MemoryProse(const char* word, const std::optional<Bytes>& used,
                        const std::optional<Bytes>& total) {
  if (!used || !total) return "";
  return fmt::format(" {} {:.0f}/{:.0f}", word, used->value / kMiB, total->value / kMiB);
}

template <typename Reading>
Reading ValueOrNone(const absl::StatusOr<Reading>& reading) {
  EXPECT_TRUE(reading.ok() || reading.status().code() == absl::StatusCode::kUnimplemented)
      << reading.status().message();
  return reading.ok() ? *reading : Reading{};
}

template <typename T>
std::string NumberOr(const std::optional<T>& value, const char* format, double scale = 1) {
  return value ? fmt::format(fmt::runtime(format), value->value * scale) : "?";
}

std::string ChipProse(NpuDriver& driver, const FoundDevice& found, std::string_view id_source) {
  const DeviceAddress address = found.address;
  const DeviceIdentity identity = ValueOrNone(driver.ReadIdentity(address));
  const HbmReading hbm = ValueOrNone(driver.ReadHbm(address));
  const DdrReading ddr = ValueOrNone(driver.ReadDdr(address));
  const bool has_hbm = (identity.traits & kHasHbm) != 0;
  return fmt::format(
      "[{} {}; {}{}; {}] {} {}°C {}W ai {}%{}{}", address.card, identity.chip_name.view(),
      address.chip, id_source == "npu_id" ? "" : fmt::format(" {}", found.device),
      Upper(identity.pci_address.str()), WordOf(ValueOrNone(driver.ReadHealth(address)).state),
      NumberOr(ValueOrNone(driver.ReadTemperature(address)).chip, "{:.0f}"),
      NumberOr(ValueOrNone(driver.ReadPower(address)).chip, "{:.1f}"),
      NumberOr(ValueOrNone(driver.ReadUtilization(address)).aicore, "{:.0f}", 100),
      MemoryProse("hbm", hbm.used, hbm.total),
      MemoryProse(has_hbm ? "ddr" : "mem", ddr.used, ddr.total));
}

// Adds the rows of a chip to `rows`; false if the tool has no process table.
bool AddProcesses(NpuDriver& driver, DeviceAddress address, std::vector<std::string>& rows) {
  std::array<ProcessReading, kMaxProcesses> processes;
  const auto count = driver.ReadProcesses(address, processes);
  if (!count.ok() || !*count) return false;
  for (const ProcessReading& row : std::span(processes).first(**count)) {
    rows.push_back(fmt::format("npu {} chip {} pid {} name '{}' {} MB", address.card, address.chip,
                               row.pid, row.name.view(), NumberOr(row.memory, "{:.0f}", 1 / kMiB)));
  }
  return true;
}

// The form of npu_smi_text.py --prose, from the driver's readings.
std::string DriverProse(NpuDriver& driver) {
  const auto found = driver.Discover();
  EXPECT_TRUE(found.ok()) << found.status().message();
  if (!found.ok()) return "";
  EXPECT_TRUE(found->problems.empty());
  std::vector<std::string> parts;
  std::vector<std::string> rows;
  std::vector<std::string> idle;
  bool told = true;
  for (const FoundDevice& device : found->devices) {
    parts.push_back(ChipProse(driver, device, found->info.device_id_source));
    const std::size_t before = rows.size();
    told = AddProcesses(driver, device.address, rows) && told;
    const std::string npu = std::to_string(device.address.card);
    if (device.address.chip == 0) idle.push_back(npu);
    if (rows.size() != before) std::erase(idle, npu);
  }
  if (!told) parts.emplace_back("no process table");
  parts.insert(parts.end(), rows.begin(), rows.end());
  if (told && !idle.empty())
    parts.push_back(fmt::format("no processes on NPU {}", Join(idle, ",")));
  return Join(parts, "; ");
}

class NpuSmiMachinesTest : public ::testing::TestWithParam<const char*> {};

TEST_P(NpuSmiMachinesTest, TheDriverReadsTheMachineThatTheToolPrints) {
  const std::string machine =
      fmt::format("{}/tests/machines/{}.yaml", ASCEND_SOURCE_DIR, GetParam());
  FakeTool tool(RunPython({machine}));
  const auto driver = tool.Open();
  EXPECT_EQ(Lines(RunPython({"--prose", machine})).at(0), DriverProse(*driver));
  EXPECT_EQ(tool.RunsOf("info"), 1U);
}

INSTANTIATE_TEST_SUITE_P(AllFamilies, NpuSmiMachinesTest,
                         ::testing::Values("8x910b", "16x910c", "4x310p", "2x910a"),
                         [](const auto& machine) { return fmt::format("Of{}", machine.param); });

}  // namespace
}  // namespace ascend::npu_smi

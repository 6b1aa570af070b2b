#include "hal/npu_smi/npu_smi_driver.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "hal/chip_family.h"
#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/locate.h"
#include "hal/npu_smi/table.h"
#include "hal/npu_smi/tool_runs.h"
#include "hal/open.h"
#include "hal/pid_namespace.h"

namespace ascend::npu_smi {
namespace {

// A run takes about a second of a CPU on a full machine.
constexpr std::chrono::seconds kMinPeriod{5};
// The run's deadline, the killing of a tool that resists, and room to spare.
constexpr std::chrono::seconds kMinDeadline{15};

constexpr double kBytesPerMegabyte = 1 << 20;  // the "MB" of the tool: a 32 GiB chip shows 32768
constexpr double kPercent = 100;

Bytes FromMegabytes(std::uint64_t megabytes) {
  return Bytes{static_cast<double>(megabytes) * kBytesPerMegabyte};
}

std::optional<Ratio> FromPercent(std::optional<double> percent) {
  if (!percent) return std::nullopt;
  return Ratio{*percent / kPercent};
}

// Of a family where the name tells it, else of the columns that the tool prints for the chip.
ChipTraits TraitsOfChip(const Chip& chip, const InfoTable& table) {
  const ChipFamily family = FamilyOf(chip.name, std::nullopt);
  if (family != ChipFamily::kUnknown) return TraitsOf(family);
  ChipTraits traits = table.hbm_column ? kHasHbm : kNoHbm;
  if (chip.ddr || chip.ddr_refused) traits |= kHasDdr;
  if (chip.power_watts || chip.power_refused) traits |= kChipPower;
  if (table.npu_util_column) traits |= kOverallLoad;
  return traits;
}

enum class IdSource { kPhyId, kDevice, kNpuId, kIndex };

IdSource IdSourceOf(const InfoTable& table) {
  if (table.phy_id_column) return IdSource::kPhyId;
  if (table.device_column) return IdSource::kDevice;
  std::set<std::int32_t> npus;
  for (const Chip& chip : table.chips) npus.insert(chip.npu);
  return npus.size() == table.chips.size() ? IdSource::kNpuId : IdSource::kIndex;
}

std::string_view NameOf(IdSource source) {
  constexpr std::array<std::string_view, 4> kNames = {"phy_id", "device", "npu_id", "index"};
  return kNames[static_cast<std::size_t>(source)];
}

std::optional<std::int32_t> DeviceOf(const Chip& chip, IdSource source, std::size_t index) {
  switch (source) {
    case IdSource::kPhyId:
      return chip.phy_id;
    case IdSource::kDevice:
      return chip.device_id;
    case IdSource::kNpuId:
      return chip.npu;
    case IdSource::kIndex:
      return static_cast<std::int32_t>(index);
  }
  return std::nullopt;
}

// What is read of one chip: the chip, and the table that it is in.
struct ChipInTable {
  std::shared_ptr<const InfoTable> table;
  const Chip* chip;

  const Chip* operator->() const { return chip; }
  // Whether chips of its family never have it. Of an unknown family nothing is concluded: what one
  // table does not show, the next may.
  [[nodiscard]] bool Lacks(ChipTraits trait) const {
    const ChipFamily family = FamilyOf(chip->name, std::nullopt);
    return family != ChipFamily::kUnknown && (TraitsOf(family) & trait) == 0;
  }
};

class NpuSmiDriver final : public NpuDriver {
 public:
  NpuSmiDriver(DriverSetup setup, Clock& clock)
      : sees_host_pids_(setup.sees_host_pids),
        runs_(std::move(setup.tool), setup.run_deadline, clock) {}

  [[nodiscard]] DriverLimits limits() const override { return {kMinPeriod, kMinDeadline}; }
  void Interrupt() override { runs_.Interrupt(); }

  absl::StatusOr<Discovery> Discover() override;
  absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress address) override;
  absl::StatusOr<HealthReading> ReadHealth(DeviceAddress address) override;
  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress address) override;
  absl::StatusOr<PowerReading> ReadPower(DeviceAddress address) override;
  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress address) override;
  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress address) override;
  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress address) override;
  absl::StatusOr<std::optional<std::size_t>> ReadProcesses(
      DeviceAddress address, std::span<ProcessReading> processes) override;

 private:
  absl::StatusOr<ChipInTable> Find(DeviceAddress address);
  // As Find; fails where the tool read nothing of the chip.
  absl::StatusOr<ChipInTable> FindRead(DeviceAddress address);

  const bool sees_host_pids_;
  ToolRuns runs_;
  // The first problem with the text as a whole, touched by Discover only: it is repeated as it was,
  // so that a tool whose text differs each time is told once.
  std::string not_understood_;
};

std::string NotUnderstood(const InfoTable& table) {
  return fmt::format("npu-smi info printed {} lines that were not understood, the first: \"{}\"",
                     table.not_understood, table.not_understood_lines.front());
}

absl::StatusOr<Discovery> NpuSmiDriver::Discover() {
  const auto table = runs_.Get();
  if (!table.ok()) return table.status();
  const InfoTable& info = **table;
  const IdSource source = IdSourceOf(info);
  Discovery found;
  found.info = {"npu_smi", info.tool_version, info.driver_version, std::string(NameOf(source))};
  found.problems = info.incomplete;
  if (info.not_understood > 0) {
    if (not_understood_.empty()) not_understood_ = NotUnderstood(info);
    found.problems.push_back(not_understood_);
  }
  std::set<std::int32_t> devices;
  for (std::size_t index = 0; index < info.chips.size(); ++index) {
    const Chip& chip = info.chips[index];
    const auto device = DeviceOf(chip, source, index);
    if (!device || *device < 0) {
      found.problems.push_back(fmt::format("NPU {} chip {}: its {} was not printed", chip.npu,
                                           chip.chip, NameOf(source)));
    } else if (!devices.insert(*device).second) {
      // A container that shares one die by slices sees it twice.
      found.problems.push_back(fmt::format("NPU {} chip {}: its {} {} is that of a chip before it",
                                           chip.npu, chip.chip, NameOf(source), *device));
    } else {
      found.devices.push_back({{chip.npu, chip.chip}, *device, chip.device_id});
    }
  }
  return found;
}

absl::StatusOr<ChipInTable> NpuSmiDriver::Find(DeviceAddress address) {
  const auto table = runs_.Get();
  // Why the tool fails is told by Discover; to a device it is something that may pass.
  if (!table.ok()) return absl::UnavailableError(table.status().message());
  for (const Chip& chip : (*table)->chips) {
    if (chip.npu == address.card && chip.chip == address.chip) return ChipInTable{*table, &chip};
  }
  return absl::NotFoundError(
      fmt::format("npu-smi info lists no NPU {} chip {}", address.card, address.chip));
}

absl::StatusOr<ChipInTable> NpuSmiDriver::FindRead(DeviceAddress address) {
  auto chip = Find(address);
  if (chip.ok() && (*chip)->nothing_read) {
    return absl::UnavailableError(fmt::format(
        "npu-smi info prints nothing but zeros for NPU {} chip {}", address.card, address.chip));
  }
  return chip;
}

absl::StatusOr<DeviceIdentity> NpuSmiDriver::ReadIdentity(DeviceAddress address) {
  const auto chip = Find(address);
  if (!chip.ok()) return chip.status();
  DeviceIdentity identity;
  identity.family = FamilyOf((*chip)->name, std::nullopt);
  identity.traits = TraitsOfChip(*chip->chip, *chip->table);
  identity.pci_address = (*chip)->bus_id;
  identity.chip_name = (*chip)->name;
  return identity;
}

absl::StatusOr<HealthReading> NpuSmiDriver::ReadHealth(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  HealthReading reading;
  reading.state = (*chip)->health;
  reading.refused.sentinel = (*chip)->health_refused ? 1 : 0;
  return reading;
}

absl::StatusOr<TemperatureReading> NpuSmiDriver::ReadTemperature(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  TemperatureReading reading;
  if (const auto celsius = (*chip)->temperature_celsius) reading.chip = Celsius{*celsius};
  reading.refused.sentinel = (*chip)->temperature_refused ? 1 : 0;
  return reading;
}

absl::StatusOr<PowerReading> NpuSmiDriver::ReadPower(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  // Some versions print a number for 310P, whose power is measured for the card and not the chip.
  if (chip->Lacks(kChipPower)) return NpuDriver::Lacks("chip power");
  PowerReading reading;
  if (const auto watts = (*chip)->power_watts) reading.chip = Watts{*watts};
  reading.refused.sentinel = (*chip)->power_refused ? 1 : 0;
  return reading;
}

absl::StatusOr<UtilizationReading> NpuSmiDriver::ReadUtilization(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  UtilizationReading reading;
  reading.aicore = FromPercent((*chip)->aicore_percent);
  reading.overall = FromPercent((*chip)->npu_percent);
  reading.refused.sentinel = (*chip)->load_refused ? 1 : 0;
  return reading;
}

// Used above total is seen when memory is given back between the driver's two reads.
template <typename Reading>
Reading MemoryReading(const std::optional<Usage>& usage, bool refused) {
  Reading reading;
  reading.refused.sentinel = refused ? 1 : 0;
  if (!usage) return reading;
  reading.total = FromMegabytes(usage->total);
  if (usage->used <= usage->total) {
    reading.used = FromMegabytes(usage->used);
  } else {
    ++reading.refused.sentinel;
  }
  return reading;
}

absl::StatusOr<HbmReading> NpuSmiDriver::ReadHbm(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  if (chip->Lacks(kHasHbm)) return NpuDriver::Lacks("HBM");
  return MemoryReading<HbmReading>((*chip)->hbm, (*chip)->hbm_refused);
}

absl::StatusOr<DdrReading> NpuSmiDriver::ReadDdr(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  if (chip->Lacks(kHasDdr)) return NpuDriver::Lacks("DDR");
  return MemoryReading<DdrReading>((*chip)->ddr, (*chip)->ddr_refused);
}

absl::StatusOr<std::optional<std::size_t>> NpuSmiDriver::ReadProcesses(
    DeviceAddress address, std::span<ProcessReading> processes) {
  if (!sees_host_pids_) return NpuDriver::Lacks("processes: not in the host's pid namespace");
  const auto chip = Find(address);
  if (!chip.ok()) return chip.status();
  const InfoTable& table = *chip->table;
  // Old versions and 310B have no table of processes, and some leave NPUs out of it.
  if (std::ranges::find(table.process_npus, address.card) == table.process_npus.end()) {
    return std::nullopt;
  }
  std::size_t count = 0;
  for (const Process& process : table.processes) {
    if (process.npu != address.card || process.chip != address.chip) continue;
    if (count == processes.size()) break;
    ProcessReading& reading = processes[count++];
    reading.pid = process.pid;
    reading.name = process.name;
    reading.memory.reset();
    if (process.memory_mb) reading.memory = FromMegabytes(*process.memory_mb);
  }
  return count;
}

}  // namespace

std::shared_ptr<NpuDriver> MakeDriver(DriverSetup setup, Clock& clock) {
  return std::make_shared<NpuSmiDriver>(std::move(setup), clock);
}

}  // namespace ascend::npu_smi

namespace ascend {

absl::StatusOr<std::shared_ptr<NpuDriver>> OpenNpuSmi(const NpuSmiOptions& options, Clock& clock) {
  const char* const search_path = std::getenv("PATH");
  auto tool = npu_smi::LocateTool(
      options.path, npu_smi::ToolCandidates(search_path == nullptr ? "" : search_path),
      ::geteuid() == 0);
  if (!tool.ok()) return tool.status();
  npu_smi::DriverSetup setup;
  setup.tool = *std::move(tool);
  setup.sees_host_pids = InInitialPidNamespace();
  return npu_smi::MakeDriver(std::move(setup), clock);
}

}  // namespace ascend

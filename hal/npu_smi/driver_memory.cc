// What is in the chip's memory: HBM, DDR, their errors, and the processes.
#include <algorithm>
#include <span>

#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/driver.h"
#include "hal/npu_smi/plausible.h"

namespace ascend::npu_smi {
namespace {

Bytes FromMegabytes(std::uint64_t megabytes) {
  return Bytes{static_cast<double>(megabytes) * kBytesPerMegabyte};
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

EccCounts EccOfMemory(const EccValues::Memory& values, Plausible& plausible) {
  EccCounts counts;
  counts.single_bit = plausible.Number(values.single_bit);
  counts.double_bit = plausible.Number(values.double_bit);
  counts.lifetime_single_bit = plausible.Number(values.lifetime_single_bit);
  counts.lifetime_double_bit = plausible.Number(values.lifetime_double_bit);
  counts.isolated_pages = plausible.Number(values.double_bit_pages);
  counts.pending_isolated_pages = plausible.Number(values.pending_double_bit_pages);
  return counts;
}

}  // namespace

absl::StatusOr<HbmReading> NpuSmiDriver::ReadHbm(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  if (chip->Lacks(kHasHbm)) return NpuDriver::Lacks("HBM");
  auto reading = MemoryReading<HbmReading>((*chip)->hbm, (*chip)->hbm_refused);
  Plausible plausible(reading.refused);
  const ChipAt at{address, chip->is_950()};
  const SteadyTime give_up = QueriesGiveUp();
  if (const auto usages = queries_.InCard("usages", at, BlockId::kLast, give_up); usages.ok()) {
    const UsageValues values = UsagesOf(*usages);
    reading.utilization = plausible.Percent(values.hbm_percent);
    reading.bandwidth_utilization = plausible.Percent(values.hbm_bandwidth_percent);
  }
  if (const auto memory = queries_.InCard("memory", at, BlockId::kLast, give_up); memory.ok()) {
    reading.temperature = plausible.Temperature(MemoryOf(*memory).hbm_celsius);
  }
  return reading;
}

absl::StatusOr<DdrReading> NpuSmiDriver::ReadDdr(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  if (chip->Lacks(kHasDdr)) return NpuDriver::Lacks("DDR");
  auto reading = MemoryReading<DdrReading>((*chip)->ddr, (*chip)->ddr_refused);
  const auto block =
      queries_.InCard("usages", {address, chip->is_950()}, BlockId::kLast, QueriesGiveUp());
  if (block.ok()) {
    const UsageValues values = UsagesOf(*block);
    const auto percent = values.ddr_bandwidth_percent ? values.ddr_bandwidth_percent
                                                      : values.memory_bandwidth_percent;
    reading.bandwidth_utilization = Plausible(reading.refused).Percent(percent);
  }
  return reading;
}

absl::StatusOr<EccReading> NpuSmiDriver::ReadEcc(DeviceAddress address) {
  const auto chip = Know(address);
  if (!chip.ok()) return chip.status();
  const auto block = queries_.InCard("ecc", chip->at, BlockId::kLast, QueriesGiveUp());
  if (!block.ok()) return block.status();
  const EccValues values = EccOf(*block);
  EccReading reading;
  Plausible plausible(reading.refused);
  reading.hbm = EccOfMemory(values.hbm, plausible);
  reading.ddr = EccOfMemory(values.ddr, plausible);
  return reading;
}

absl::StatusOr<std::optional<std::size_t>> NpuSmiDriver::ReadProcesses(
    DeviceAddress address, std::span<ProcessReading> processes) {
  if (!sees_host_pids_) return NpuDriver::Lacks("processes: not in the host's pid namespace");
  const auto chip = tables_.Of(address);
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

}  // namespace ascend::npu_smi

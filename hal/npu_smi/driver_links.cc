// What the chip is connected by: topology, HCCS, SIO, PCIe, super pod, network.
#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/driver.h"
#include "hal/npu_smi/hccs_text.h"
#include "hal/npu_smi/plausible.h"
#include "hal/pcie_sysfs.h"

namespace ascend::npu_smi {
namespace {

// All ones is what a counter shows that was not read.
template <class Q>
std::optional<Q> Counted(std::optional<std::uint64_t> value, double unit, Refused& refused) {
  if (!value) return std::nullopt;
  if (*value == UINT64_MAX) {
    ++refused.sentinel;
    return std::nullopt;
  }
  return Q{static_cast<double>(*value) * unit};
}

std::optional<std::uint32_t> ToId(std::optional<double> value, Refused& refused) {
  if (!value) return std::nullopt;
  if (*value < 0 || *value >= UINT32_MAX) {
    ++refused.sentinel;
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*value);
}

}  // namespace

absl::StatusOr<std::int32_t> NpuSmiDriver::LabelOf(DeviceAddress address,
                                                   const TopologyMatrix& matrix) {
  const auto chip = Know(address);
  if (!chip.ok()) return chip.status();
  const std::optional<std::int32_t> label =
      matrix.physical ? chip->device : std::optional(address.card);
  const auto has = [&](const TopologyRow& row) { return row.label == label; };
  if (label && std::ranges::any_of(matrix.rows, has)) return *label;
  return absl::InternalError(fmt::format("npu-smi info -t topo has no row for NPU {} chip {}",
                                         address.card, address.chip));
}

absl::StatusOr<TopologyReading> NpuSmiDriver::ReadTopology(DeviceAddress address) {
  const auto matrix = queries_.Topology(QueriesGiveUp());
  if (!matrix.ok()) return matrix.status();
  const auto label = LabelOf(address, *matrix);
  if (!label.ok()) return label.status();
  // Rows have labels of NPUs where no NPU has two chips, else of physical ids.
  std::map<std::int32_t, std::int32_t> devices;
  if (!matrix->physical) {
    MutexLock lock(mutex_);
    for (const auto& [known_address, chip] : known_) {
      if (chip.device) devices.emplace(known_address.card, *chip.device);
    }
    if (devices.size() != known_.size()) {
      return absl::InternalError("npu-smi info -t topo does not tell the chips of an NPU apart");
    }
  }
  TopologyReading reading;
  for (const TopologyCell& cell : matrix->cells) {
    if (cell.from != *label || !cell.path) continue;
    const auto device = devices.find(cell.to);
    if (matrix->physical) {
      reading.links.Add({cell.to, *cell.path});
    } else if (device != devices.end()) {
      reading.links.Add({device->second, *cell.path});
    }
  }
  return reading;
}

absl::StatusOr<CpuAffinityReading> NpuSmiDriver::ReadCpuAffinity(DeviceAddress address) {
  const auto matrix = queries_.Topology(QueriesGiveUp());
  if (!matrix.ok()) return matrix.status();
  const auto label = LabelOf(address, *matrix);
  if (!label.ok()) return label.status();
  CpuAffinityReading reading;
  for (const TopologyRow& row : matrix->rows) {
    if (row.label == *label) reading.cpus = row.cpu_affinity;
  }
  if (reading.cpus.empty()) return NpuDriver::Lacks("CPU affinity");
  return reading;
}

absl::StatusOr<HccsReading> NpuSmiDriver::ReadHccs(DeviceAddress address) {
  const auto chip =
      KnowOf(address, "HCCS", {ChipFamily::k310P, ChipFamily::k910B, ChipFamily::k910_93});
  if (!chip.ok()) return chip.status();
  const auto block = queries_.OfChip("hccs", chip->at, BlockId::kLast, QueriesGiveUp());
  if (!block.ok()) return block.status();
  const HccsValues values = HccsOf(*block);
  HccsReading reading;
  if (values.healthy) reading.up = Count{*values.healthy ? 1.0 : 0.0};
  for (const HccsLinkValues& link : values.links) {
    HccsLink added;
    added.index = link.link;
    Refused& refused = reading.refused;
    added.lanes = Counted<Count>(link.lanes_in_use, 1, refused);
    added.lanes_expected = Counted<Count>(link.lane_mode, 1, refused);
    added.transmitted = Counted<Bytes>(link.transmit_packets, kHccsFlitBytes, refused);
    added.received = Counted<Bytes>(link.receive_packets, kHccsFlitBytes, refused);
    added.crc_errors = Counted<Count>(link.errors, 1, refused);
    added.retries = Counted<Count>(link.retries, 1, refused);
    if (reading.links.Add(added) == nullptr) break;
  }
  return reading;
}

absl::StatusOr<SioReading> NpuSmiDriver::ReadSio(DeviceAddress address) {
  const auto chip = KnowOf(address, "SIO", {ChipFamily::k910_93, ChipFamily::k950});
  if (!chip.ok()) return chip.status();
  const auto block = queries_.OfChip("sio", chip->at, BlockId::kLast, QueriesGiveUp());
  if (!block.ok()) return block.status();
  const SioValues values = SioOf(*block);
  SioReading reading;
  Plausible plausible(reading.refused);
  reading.transmit_errors = plausible.Number(values.transmit_errors);
  reading.receive_errors = plausible.Number(values.receive_errors);
  return reading;
}

absl::StatusOr<PcieReading> NpuSmiDriver::ReadPcie(DeviceAddress address, std::string_view pci) {
  PcieReading reading = ReadPcieSysfs(sysfs_root_, pci);
  const auto chip = Know(address);
  if (!chip.ok()) return chip.status();
  const auto block = queries_.OfChip("pcie-err", chip->at, BlockId::kLast, QueriesGiveUp());
  const bool nothing_from_kernel = !reading.speed && !reading.lanes;
  if (!block.ok() && nothing_from_kernel) return block.status();
  if (!block.ok()) return reading;
  const PcieErrorValues values = PcieErrorsOf(*block);
  Plausible plausible(reading.refused);
  reading.errors.transmit = plausible.Number(values.transmit);
  reading.errors.receive = plausible.Number(values.receive);
  reading.errors.data_link_lcrc = plausible.Number(values.lcrc);
  reading.errors.ecrc = plausible.Number(values.ecrc);
  reading.errors.retry = plausible.Number(values.retry);
  return reading;
}

absl::StatusOr<SuperPodReading> NpuSmiDriver::ReadSuperPod(DeviceAddress address) {
  const auto chip = KnowOf(address, "super pod", {ChipFamily::k910_93, ChipFamily::k950});
  if (!chip.ok()) return chip.status();
  const auto block = queries_.OfChip("spod-info", chip->at, BlockId::kLast, QueriesGiveUp());
  if (!block.ok()) return block.status();
  const SuperPodValues values = SuperPodOf(*block);
  Refused refused;
  SuperPodReading reading;
  reading.super_pod_id = ToId(values.super_pod_id, refused);
  reading.server_id = ToId(values.server_index, refused);
  reading.sdid = ToId(values.sdid, refused);
  reading.scale = ToId(values.size, refused);
  return reading;
}

absl::StatusOr<HccnChip> NpuSmiDriver::NetworkOf(DeviceAddress address) {
  const auto chip =
      KnowOf(address, "network",
             {ChipFamily::k910, ChipFamily::k910B, ChipFamily::k910_93, ChipFamily::k950});
  if (!chip.ok()) return chip.status();
  if (!chip->hccn_id) return absl::UnavailableError("the physical id of the chip is not known");
  return HccnChip{*chip->hccn_id, chip->at.is_950};
}

absl::StatusOr<NetworkHealthReading> NpuSmiDriver::ReadNetworkHealth(DeviceAddress address) {
  const auto chip = NetworkOf(address);
  return chip.ok() ? hccn_.ReadHealth(*chip) : chip.status();
}

absl::StatusOr<NetworkLinkReading> NpuSmiDriver::ReadNetworkLink(DeviceAddress address) {
  const auto chip = NetworkOf(address);
  return chip.ok() ? hccn_.ReadLink(*chip) : chip.status();
}

absl::StatusOr<NetworkCountersReading> NpuSmiDriver::ReadNetworkCounters(DeviceAddress address) {
  const auto chip = NetworkOf(address);
  return chip.ok() ? hccn_.ReadCounters(*chip) : chip.status();
}

absl::StatusOr<NetworkBandwidthReading> NpuSmiDriver::ReadNetworkBandwidth(DeviceAddress address,
                                                                           nanoseconds /*window*/) {
  const auto chip = NetworkOf(address);
  return chip.ok() ? hccn_.ReadBandwidth(*chip) : chip.status();
}

absl::StatusOr<OpticalReading> NpuSmiDriver::ReadOptical(DeviceAddress address) {
  const auto chip = NetworkOf(address);
  return chip.ok() ? hccn_.ReadOptical(*chip) : chip.status();
}

absl::StatusOr<UbReading> NpuSmiDriver::ReadUb(DeviceAddress address) {
  const auto chip = NetworkOf(address);
  return chip.ok() ? hccn_.ReadUb(*chip) : chip.status();
}

}  // namespace ascend::npu_smi

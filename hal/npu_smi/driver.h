// The driver on the vendor's tools. Its readings are in driver_*.cc by what they are about.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hal/hccn_tool.h"
#include "hal/mutex.h"
#include "hal/npu_driver.h"
#include "hal/npu_smi/chip_queries.h"
#include "hal/npu_smi/chip_tables.h"
#include "hal/npu_smi/device_ids.h"
#include "hal/npu_smi/npu_smi_driver.h"
#include "hal/npu_smi/query_runs.h"
#include "hal/npu_smi/tool_runs.h"

namespace ascend::npu_smi {

// A reading takes what the table of all cards has of the chip, which costs one run for all devices,
// and asks what only queries tell: one run for each card (or chip) and query in a second. Where
// both have a part of a reading, the query may fail and the table's part is answered without it.
// The queries of npu-smi and hccn_tool share three places, so that with the table's at most four
// processes run at once.
class NpuSmiDriver final : public NpuDriver {
 public:
  NpuSmiDriver(DriverSetup setup, Clock& clock);

  [[nodiscard]] DriverLimits limits() const override;
  void Interrupt() override;
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> UnknownLines() const override;

  absl::StatusOr<Discovery> Discover() override;
  absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress address) override;

  absl::StatusOr<HealthReading> ReadHealth(DeviceAddress address) override;
  absl::StatusOr<FaultsReading> ReadFaults(DeviceAddress address) override;
  FaultDetail DetailOf(DeviceAddress address, std::uint32_t code) override;
  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress address) override;
  absl::StatusOr<PowerReading> ReadPower(DeviceAddress address) override;
  absl::StatusOr<CardPowerReading> ReadCardPower(DeviceAddress address) override;
  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress address) override;
  absl::StatusOr<PowerLimitReading> ReadPowerLimit(DeviceAddress address) override;
  absl::StatusOr<ClockReading> ReadClocks(DeviceAddress address) override;
  absl::StatusOr<SensorReading> ReadSensors(DeviceAddress address) override;
  absl::StatusOr<MediaReading> ReadMedia(DeviceAddress address) override;
  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress address) override;
  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress address) override;
  absl::StatusOr<EccReading> ReadEcc(DeviceAddress address) override;
  absl::StatusOr<CompatibilityReading> ReadCompatibility(DeviceAddress address) override;

  absl::StatusOr<TopologyReading> ReadTopology(DeviceAddress address) override;
  absl::StatusOr<CpuAffinityReading> ReadCpuAffinity(DeviceAddress address) override;
  absl::StatusOr<HccsReading> ReadHccs(DeviceAddress address) override;
  absl::StatusOr<SioReading> ReadSio(DeviceAddress address) override;
  absl::StatusOr<PcieReading> ReadPcie(DeviceAddress address, std::string_view pci) override;
  absl::StatusOr<SuperPodReading> ReadSuperPod(DeviceAddress address) override;

  absl::StatusOr<NetworkHealthReading> ReadNetworkHealth(DeviceAddress address) override;
  absl::StatusOr<NetworkLinkReading> ReadNetworkLink(DeviceAddress address) override;
  absl::StatusOr<NetworkCountersReading> ReadNetworkCounters(DeviceAddress address) override;
  absl::StatusOr<NetworkBandwidthReading> ReadNetworkBandwidth(DeviceAddress address,
                                                               nanoseconds window) override;
  absl::StatusOr<OpticalReading> ReadOptical(DeviceAddress address) override;
  absl::StatusOr<UbReading> ReadUb(DeviceAddress address) override;

  absl::StatusOr<std::optional<std::size_t>> ReadProcesses(
      DeviceAddress address, std::span<ProcessReading> processes) override;

 private:
  // What discovery learnt of a chip.
  struct KnownChip {
    ChipAt at;
    ChipFamily family = ChipFamily::kUnknown;
    std::optional<std::int32_t> device;
    std::optional<std::int32_t> hccn_id;
  };
  struct Learnt {
    std::shared_ptr<const InfoTable> table;
    DeviceIds ids;
    std::string problem;
  };

  absl::StatusOr<Learnt> Learn();
  // Of a chip that was not learnt yet, learns all.
  absl::StatusOr<KnownChip> Know(DeviceAddress address);
  // As Know; kUnimplemented for chips of a known family that is none of `families`.
  absl::StatusOr<KnownChip> KnowOf(DeviceAddress address, const char* what,
                                   std::initializer_list<ChipFamily> families);
  // The chip in the table; fails where the tool read nothing of it.
  absl::StatusOr<ChipInTable> FindRead(DeviceAddress address);
  absl::StatusOr<HccnChip> NetworkOf(DeviceAddress address);
  absl::StatusOr<Block> AskHealth(DeviceAddress address);
  // The row of the chip; its labels are those of `matrix`.
  absl::StatusOr<std::int32_t> LabelOf(DeviceAddress address, const TopologyMatrix& matrix);

  const bool sees_host_pids_;
  const std::string sysfs_root_;
  const std::shared_ptr<RunGate> gate_;
  ToolRuns table_runs_;
  QueryRuns query_runs_;
  ChipQueries queries_;
  ChipTables tables_;
  HccnTool hccn_;
  // The first problem with the text as a whole, touched by Discover only: it is repeated as it was,
  // so that a tool whose text differs each time is told once.
  std::string not_understood_;

  Mutex mutex_;
  std::map<DeviceAddress, KnownChip> known_ ABSL_GUARDED_BY(mutex_);
  Mapping mapping_ ABSL_GUARDED_BY(mutex_);  // the last that was printed
};

}  // namespace ascend::npu_smi

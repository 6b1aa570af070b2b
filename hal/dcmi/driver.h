// The vendor's library as an NpuDriver.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hal/dcmi/card_walk.h"
#include "hal/dcmi/fault_details.h"
#include "hal/dcmi/fault_events.h"
#include "hal/dcmi/functions.h"
#include "hal/dcmi/identity.h"
#include "hal/dcmi/known_lacks.h"
#include "hal/dcmi/library.h"
#include "hal/dcmi/network_tool.h"
#include "hal/dcmi/outcome.h"
#include "hal/dcmi/vendor_values.h"
#include "hal/npu_driver.h"
#include "hal/open.h"

namespace ascend::dcmi {

// Each call goes to the library on the calling thread, with no lock held. Destroyed only when no
// call is under way (its callers share it): that unloads the library, unless it took a subscription
// to fault events (fault_events.h) or a card is still being asked (card_walk.h).
class DcmiDriver final : public NpuDriver {
 public:
  // The library is initialised. `events` is null where it sends none, else outlives the driver.
  DcmiDriver(Library library, const Functions& functions, FaultInbox* events,
             const DcmiOptions& options, Clock& clock);

  void Interrupt() override { hccn_.Interrupt(); }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> UnknownLines() const override {
    return {{"hccn_tool", hccn_.unknown_lines()}};
  }

  absl::StatusOr<Discovery> Discover() override;
  absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress at) override;

  absl::StatusOr<HealthReading> ReadHealth(DeviceAddress at) override;
  absl::StatusOr<FaultsReading> ReadFaults(DeviceAddress at) override;
  FaultDetail DetailOf(DeviceAddress at, std::uint32_t code) override;
  absl::StatusOr<CompatibilityReading> ReadCompatibility(DeviceAddress at) override;

  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress at) override;
  absl::StatusOr<PowerReading> ReadPower(DeviceAddress at) override;
  absl::StatusOr<CardPowerReading> ReadCardPower(DeviceAddress at) override;
  absl::StatusOr<PowerLimitReading> ReadPowerLimit(DeviceAddress at) override;
  absl::StatusOr<VoltageReading> ReadVoltage(DeviceAddress at) override;
  absl::StatusOr<ClockReading> ReadClocks(DeviceAddress at) override;
  absl::StatusOr<SensorReading> ReadSensors(DeviceAddress at) override;
  absl::StatusOr<ThrottleReading> ReadThrottle(DeviceAddress at) override;
  absl::StatusOr<FanReading> ReadFans(DeviceAddress at) override;

  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress at) override;
  absl::StatusOr<CoreUtilizationReading> ReadCoreUtilization(DeviceAddress at) override;
  absl::StatusOr<MediaReading> ReadMedia(DeviceAddress at) override;
  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress at) override;
  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress at) override;
  absl::StatusOr<EccReading> ReadEcc(DeviceAddress at) override;
  absl::StatusOr<VnpuReading> ReadVnpus(DeviceAddress at) override;

  absl::StatusOr<TopologyReading> ReadTopology(DeviceAddress at) override;
  absl::StatusOr<CpuAffinityReading> ReadCpuAffinity(DeviceAddress at) override;
  absl::StatusOr<HccsReading> ReadHccs(DeviceAddress at) override;
  absl::StatusOr<HccsBandwidthReading> ReadHccsBandwidth(DeviceAddress at,
                                                         nanoseconds window) override;
  absl::StatusOr<SioReading> ReadSio(DeviceAddress at) override;
  absl::StatusOr<PcieReading> ReadPcie(DeviceAddress at, std::string_view pci_address) override;
  absl::StatusOr<PcieBandwidthReading> ReadPcieBandwidth(DeviceAddress at,
                                                         nanoseconds window) override;
  absl::StatusOr<SuperPodReading> ReadSuperPod(DeviceAddress at) override;

  absl::StatusOr<NetworkHealthReading> ReadNetworkHealth(DeviceAddress at) override;
  absl::StatusOr<NetworkLinkReading> ReadNetworkLink(DeviceAddress at) override;
  absl::StatusOr<NetworkCountersReading> ReadNetworkCounters(DeviceAddress at) override;
  absl::StatusOr<NetworkBandwidthReading> ReadNetworkBandwidth(DeviceAddress at,
                                                               nanoseconds window) override;
  absl::StatusOr<OpticalReading> ReadOptical(DeviceAddress at) override;
  absl::StatusOr<UbReading> ReadUb(DeviceAddress at) override;

  absl::StatusOr<std::optional<std::size_t>> ReadProcesses(
      DeviceAddress at, std::span<ProcessReading> processes) override;

 private:
  using Devices = std::vector<FoundDevice>;
  struct NetworkPortId {
    int port_id = 0;
    std::uint32_t index = 0;
  };

  // One item of dcmi_get_device_info; the library is told the size of T.
  template <class T>
  int Info(DeviceAddress at, InfoItem item, T& value) const {
    unsigned int size = sizeof(T);
    return f_.device_info(at, item.main_cmd, item.sub_cmd, &value, &size);
  }
  // All rates of the cores by one call, which not every chip and library has.
  int ReadMulti(DeviceAddress at, UtilizationReading& reading, Border& border);
  // One rate of dcmi_get_device_utilization_rate, asked once where the chip lacks it.
  int ReadRate(DeviceAddress at, int type, Question question, std::optional<Ratio>& rate,
               Border& border);
  int ReadEccOf(DeviceAddress at, int type, Question question, EccCounts& counts, Border& border);
  int ReadClock(DeviceAddress at, int type, Question question, std::optional<Hertz>& clock,
                Border& border);
  void ReadVnpu(DeviceAddress at, Vnpu& vnpu, Border& border);
  // The links that the chip says it has, as a set of bits; all there can be where it does not say.
  std::uint32_t HccsLinks(DeviceAddress at, HccsReading& reading, Border& border, Outcome& outcome);
  template <class Counts>
  int ReadHccsCounts(DeviceAddress at, InfoItem item, Question question, HccsReading& reading,
                     Border& border);
  // The ports of the chip's network by the library's numbers: the only one, but on a 950 those of
  // its UB ports that carry Ethernet.
  std::vector<NetworkPortId> NetworkPorts(DeviceAddress at);
  absl::StatusOr<NetworkCountersReading> CountersOfLibrary(DeviceAddress at);
  // As hccn_tool names the chip.
  [[nodiscard]] absl::StatusOr<HccnChip> HccnChipOf(DeviceAddress at) const;
  void ReadUbCounters(DeviceAddress at, UbPortInfo port, UbPort& found, Border& border);

  // The devices that the newest Discover found.
  [[nodiscard]] std::shared_ptr<const Devices> devices() const;
  [[nodiscard]] std::optional<std::int32_t> LogicIdOf(DeviceAddress at) const;

  const std::shared_ptr<const Library> library_;
  const Functions f_;
  FaultInbox* const events_;
  const std::string sysfs_;
  const bool pids_are_the_hosts_;
  const nanoseconds card_patience_;
  CardWalk cards_;
  std::atomic<bool> physical_ids_work_{false};
  DeviceLacks driver_lacks_;
  KnownLacks lacks_;
  UnrelatedPairs unrelated_;
  KnownIdentities identities_;
  KnownFaults known_faults_;
  NetworkTool hccn_;

  mutable Mutex mutex_;
  std::shared_ptr<const Devices> devices_ ABSL_GUARDED_BY(mutex_) =
      std::make_shared<const Devices>();
};

}  // namespace ascend::dcmi

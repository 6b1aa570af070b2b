// The one seam between this program and the vendor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/clock.h"
#include "hal/link_readings.h"
#include "hal/network_readings.h"
#include "hal/readings.h"

namespace ascend {

// What a driver asks of whoever schedules it.
struct DriverLimits {
  nanoseconds min_period{0};    // no group is read more often than this
  nanoseconds min_deadline{0};  // no call is given up earlier than this
};

struct Discovery {
  DriverInfo info;
  std::vector<FoundDevice> devices;
  std::optional<Health> driver_health;  // of the kernel driver itself
  // Cards that could not be enumerated and output that was not understood, one line each.
  std::vector<std::string> problems;
};

// Every method may block for as long as the kernel driver likes. Discover is called by the
// discovery thread, the Read methods by the thread of the device that they name: calls for
// different devices run at the same time, calls for one device never do.
//
// Errors: kUnimplemented, the chip, library or tool does not have it (may be asked once and then
// dropped, so it is not answered for what one moment lacks); kUnavailable, may pass: a time out, a
// chip that is busy or being reset, and the library's -8013, which means both "busy" and "not
// supported in a container" and so may stay for ever; kNotFound, the device is gone;
// kPermissionDenied, the driver does not let this process ask (-8002: not root, or not in a
// privileged container), which lasts until the process is started differently; kInternal, anything
// else. The text has the vendor's code. An error of Discover carries a DriverState
// (hal/driver_state.h). A driver throws nothing and never ends the process.
class NpuDriver {
 public:
  virtual ~NpuDriver() = default;

  [[nodiscard]] virtual DriverLimits limits() const { return {}; }
  // Asks calls in progress to return early, from any thread, at the end of the program. The
  // vendor's library cannot; a tool can be killed and a simulated hang released.
  virtual void Interrupt() {}
  // The lines that each tool printed and nobody understood, since the start: name and count, which
  // only grows. Any thread.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::uint64_t>> UnknownLines() const {
    return {};
  }
  // Enumerates only: no call that asks a chip for anything but its ids.
  virtual absl::StatusOr<Discovery> Discover() = 0;
  // What cannot change while die id and PCI address stay the same is read once.
  virtual absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress) = 0;

  virtual absl::StatusOr<HealthReading> ReadHealth(DeviceAddress) = 0;
  virtual absl::StatusOr<FaultsReading> ReadFaults(DeviceAddress) { return Lacks("fault codes"); }
  // Texts do not change: the driver asks once for each code.
  virtual FaultDetail DetailOf(DeviceAddress, std::uint32_t code) {
    (void)code;
    return {};
  }
  virtual absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress) = 0;
  virtual absl::StatusOr<PowerReading> ReadPower(DeviceAddress) = 0;
  virtual absl::StatusOr<CardPowerReading> ReadCardPower(DeviceAddress) {
    return Lacks("card power");
  }
  virtual absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress) = 0;
  virtual absl::StatusOr<PowerLimitReading> ReadPowerLimit(DeviceAddress) {
    return Lacks("power limit");
  }
  virtual absl::StatusOr<VoltageReading> ReadVoltage(DeviceAddress) { return Lacks("voltage"); }
  virtual absl::StatusOr<ClockReading> ReadClocks(DeviceAddress) { return Lacks("clocks"); }
  virtual absl::StatusOr<SensorReading> ReadSensors(DeviceAddress) { return Lacks("sensors"); }
  virtual absl::StatusOr<ThrottleReading> ReadThrottle(DeviceAddress) {
    return Lacks("throttle reasons");
  }
  virtual absl::StatusOr<CoreUtilizationReading> ReadCoreUtilization(DeviceAddress) {
    return Lacks("utilisation by core");
  }
  virtual absl::StatusOr<MediaReading> ReadMedia(DeviceAddress) { return Lacks("media engines"); }
  virtual absl::StatusOr<FanReading> ReadFans(DeviceAddress) { return Lacks("fans"); }
  virtual absl::StatusOr<HbmReading> ReadHbm(DeviceAddress) = 0;
  virtual absl::StatusOr<DdrReading> ReadDdr(DeviceAddress) = 0;
  virtual absl::StatusOr<EccReading> ReadEcc(DeviceAddress) { return Lacks("ECC"); }
  virtual absl::StatusOr<CompatibilityReading> ReadCompatibility(DeviceAddress) {
    return Lacks("compatibility");
  }
  virtual absl::StatusOr<VnpuReading> ReadVnpus(DeviceAddress) { return Lacks("vNPUs"); }

  virtual absl::StatusOr<TopologyReading> ReadTopology(DeviceAddress) { return Lacks("topology"); }
  virtual absl::StatusOr<CpuAffinityReading> ReadCpuAffinity(DeviceAddress) {
    return Lacks("CPU affinity");
  }
  virtual absl::StatusOr<HccsReading> ReadHccs(DeviceAddress) { return Lacks("HCCS"); }
  // Sleeps for `window`, as do the other bandwidths.
  virtual absl::StatusOr<HccsBandwidthReading> ReadHccsBandwidth(DeviceAddress,
                                                                 nanoseconds window) {
    (void)window;
    return Lacks("HCCS bandwidth");
  }
  virtual absl::StatusOr<SioReading> ReadSio(DeviceAddress) { return Lacks("SIO"); }
  // `pci_address` as in the identity, empty where it is unknown.
  virtual absl::StatusOr<PcieReading> ReadPcie(DeviceAddress, std::string_view pci_address) {
    (void)pci_address;
    return Lacks("PCIe");
  }
  virtual absl::StatusOr<PcieBandwidthReading> ReadPcieBandwidth(DeviceAddress,
                                                                 nanoseconds window) {
    (void)window;
    return Lacks("PCIe bandwidth");
  }
  virtual absl::StatusOr<SuperPodReading> ReadSuperPod(DeviceAddress) { return Lacks("super pod"); }

  virtual absl::StatusOr<NetworkHealthReading> ReadNetworkHealth(DeviceAddress) {
    return Lacks("network health");
  }
  virtual absl::StatusOr<NetworkLinkReading> ReadNetworkLink(DeviceAddress) {
    return Lacks("network link");
  }
  virtual absl::StatusOr<NetworkCountersReading> ReadNetworkCounters(DeviceAddress) {
    return Lacks("network counters");
  }
  virtual absl::StatusOr<NetworkBandwidthReading> ReadNetworkBandwidth(DeviceAddress,
                                                                       nanoseconds window) {
    (void)window;
    return Lacks("network bandwidth");
  }
  virtual absl::StatusOr<OpticalReading> ReadOptical(DeviceAddress) {
    return Lacks("optical modules");
  }
  virtual absl::StatusOr<UbReading> ReadUb(DeviceAddress) { return Lacks("UB ports"); }

  // Fills a prefix of `processes` and returns its length; nothing where the driver does not tell
  // the chip's processes this time, which is no error. kUnimplemented where the list is not proven
  // to be the host's.
  virtual absl::StatusOr<std::optional<std::size_t>> ReadProcesses(
      DeviceAddress, std::span<ProcessReading> processes) {
    (void)processes;
    return Lacks("processes");
  }

 protected:
  static absl::Status Lacks(const char* what) { return absl::UnimplementedError(what); }
};

}  // namespace ascend

// The one seam between this program and the vendor.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/clock.h"
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
  // Enumerates only: no call that asks a chip for anything but its ids.
  virtual absl::StatusOr<Discovery> Discover() = 0;
  virtual absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress) = 0;

  virtual absl::StatusOr<HealthReading> ReadHealth(DeviceAddress) = 0;
  // Fills a prefix of `codes` with the active fault codes, repeats included; returns its length.
  virtual absl::StatusOr<std::size_t> ReadFaults(DeviceAddress, std::span<std::uint32_t> codes) {
    (void)codes;
    return Lacks("fault codes");
  }
  virtual absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress) = 0;
  virtual absl::StatusOr<PowerReading> ReadPower(DeviceAddress) = 0;
  virtual absl::StatusOr<CardPowerReading> ReadCardPower(DeviceAddress) {
    return Lacks("card power");
  }
  virtual absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress) = 0;
  virtual absl::StatusOr<HbmReading> ReadHbm(DeviceAddress) = 0;
  virtual absl::StatusOr<DdrReading> ReadDdr(DeviceAddress) = 0;
  virtual absl::StatusOr<EccReading> ReadEcc(DeviceAddress) { return Lacks("ECC"); }
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

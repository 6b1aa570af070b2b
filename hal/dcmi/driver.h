// The vendor's library as an NpuDriver.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <utility>

#include "hal/dcmi/functions.h"
#include "hal/dcmi/known_lacks.h"
#include "hal/dcmi/library.h"
#include "hal/dcmi/vendor_values.h"
#include "hal/npu_driver.h"

namespace ascend::dcmi {

// Each call goes to the library on the calling thread, with no lock held. Destroyed only when no
// call is under way (its callers share it): that unloads the library.
class DcmiDriver final : public NpuDriver {
 public:
  // The library is initialised.
  DcmiDriver(Library library, const Functions& functions);

  absl::StatusOr<Discovery> Discover() override;
  absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress at) override;
  absl::StatusOr<HealthReading> ReadHealth(DeviceAddress at) override;
  absl::StatusOr<std::size_t> ReadFaults(DeviceAddress at, std::span<std::uint32_t> codes) override;
  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress at) override;
  absl::StatusOr<PowerReading> ReadPower(DeviceAddress at) override;
  absl::StatusOr<CardPowerReading> ReadCardPower(DeviceAddress at) override;
  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress at) override;
  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress at) override;
  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress at) override;
  absl::StatusOr<EccReading> ReadEcc(DeviceAddress at) override;
  absl::StatusOr<std::optional<std::size_t>> ReadProcesses(
      DeviceAddress at, std::span<ProcessReading> processes) override;

 private:
  // All rates of the cores by one call, which not every chip and library has.
  int ReadMulti(DeviceAddress at, UtilizationReading& reading, Border& border);
  // One rate of dcmi_get_device_utilization_rate, asked once where the chip lacks it.
  int ReadRate(DeviceAddress at, int type, std::optional<Ratio>& rate, Border& border);
  int ReadEccOf(DeviceAddress at, int type, EccCounts& counts, Border& border);

  const Library library_;
  const Functions f_;
  const bool pids_are_the_hosts_;
  std::atomic<bool> physical_ids_work_{false};
  KnownLacks lacks_;
};

}  // namespace ascend::dcmi

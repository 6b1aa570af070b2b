#include "hal/dcmi/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "hal/dcmi/discovery.h"
#include "hal/dcmi/identity.h"
#include "hal/dcmi/processes.h"
#include "hal/pid_namespace.h"

namespace ascend::dcmi {
namespace {

constexpr std::uint32_t kNotStarted = 0xFFFFFFFF;
constexpr std::uint32_t kNotAsked = 4;  // what the library presets
constexpr std::uint32_t kNoCode31 = 0x7FFFFFFF;
constexpr std::uint32_t kNoCode32 = 0xFFFFFFFF;
constexpr std::array<Health, 4> kHealthStates = {Health::kOk, Health::kWarning, Health::kAlarm,
                                                 Health::kCritical};

}  // namespace

DcmiDriver::DcmiDriver(Library library, const Functions& functions)
    : library_(std::move(library)), f_(functions), pids_are_the_hosts_(InInitialPidNamespace()) {}

absl::StatusOr<Discovery> DcmiDriver::Discover() {
  return Enumeration(f_, physical_ids_work_).Run();
}

absl::StatusOr<DeviceIdentity> DcmiDriver::ReadIdentity(DeviceAddress at) {
  return IdentityOf(f_, at);
}

absl::StatusOr<HealthReading> DcmiDriver::ReadHealth(DeviceAddress at) {
  HealthReading reading;
  unsigned int raw = kNotAsked;
  const int code = f_.health(at.card, at.chip, &raw);
  if (code == kNotReady) {
    reading.lost = true;
    return reading;
  }
  if (code != kOk) return StatusOf(f_.health.name, code);
  if (raw < kHealthStates.size()) {
    reading.state = kHealthStates[raw];
    return reading;
  }
  reading.state = Health::kUnknown;
  if (raw != kNotStarted && raw != kNotAsked) Border(reading.refused).Refuse();
  return reading;
}

absl::StatusOr<std::size_t> DcmiDriver::ReadFaults(DeviceAddress at,
                                                   std::span<std::uint32_t> codes) {
  Room<std::array<unsigned int, kMaxFaultCodes>> list(Room<int>::kZeros);
  int count = 0;
  const int code = f_.errorcode_v2(at.card, at.chip, &count, list.value.data(), list.value.size());
  if (code != kOk) return StatusOf(f_.errorcode_v2.name, code);
  if (count < 0 || static_cast<std::size_t>(count) > list.value.size()) {
    return absl::InternalError(fmt::format("{}: answers {} codes", f_.errorcode_v2.name, count));
  }
  std::size_t filled = 0;
  for (const unsigned int fault : std::span(list.value).first(static_cast<std::size_t>(count))) {
    const bool no_code = fault == 0 || fault == kNoCode31 || fault == kNoCode32;
    if (!no_code && filled < codes.size()) codes[filled++] = fault;
  }
  return filled;
}

absl::StatusOr<TemperatureReading> DcmiDriver::ReadTemperature(DeviceAddress at) {
  TemperatureReading reading;
  int raw = std::numeric_limits<int>::max();
  const int code = f_.temperature(at.card, at.chip, &raw);
  if (code != kOk) return StatusOf(f_.temperature.name, code);
  reading.chip = Border(reading.refused).Degrees(raw);
  return reading;
}

absl::StatusOr<PowerReading> DcmiDriver::ReadPower(DeviceAddress at) {
  PowerReading reading;
  int raw = -1;
  const int code = f_.power_info(at.card, at.chip, &raw);
  if (code != kOk) return StatusOf(f_.power_info.name, code);
  reading.chip = Border(reading.refused).TenthsOfWatts(raw);
  return reading;
}

absl::StatusOr<CardPowerReading> DcmiDriver::ReadCardPower(DeviceAddress at) {
  CardPowerReading reading;
  int raw = -1;
  const int code = f_.mcu_power_info(at.card, &raw);
  if (code != kOk) return StatusOf(f_.mcu_power_info.name, code);
  reading.card = Border(reading.refused).TenthsOfWatts(raw);
  return reading;
}

absl::StatusOr<std::optional<std::size_t>> DcmiDriver::ReadProcesses(
    DeviceAddress at, std::span<ProcessReading> processes) {
  if (!pids_are_the_hosts_) {
    return absl::UnimplementedError(
        "processes: not in the initial pid namespace, so pids would not be the host's");
  }
  return ProcessesOf(f_, at, processes);
}

}  // namespace ascend::dcmi

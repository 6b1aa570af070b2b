#include "hal/dcmi/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hal/dcmi/discovery.h"
#include "hal/dcmi/processes.h"
#include "hal/pid_namespace.h"
#include "hal/same_chip.h"

namespace ascend::dcmi {
namespace {

constexpr std::uint32_t kHealthNotAsked = 4;  // what the library presets

}  // namespace

DcmiDriver::DcmiDriver(Library library, const Functions& functions, FaultInbox* events,
                       const DcmiOptions& options, Clock& clock)
    : library_(std::make_shared<const Library>(std::move(library))),
      f_(functions),
      events_(events),
      sysfs_(options.sysfs),
      pids_are_the_hosts_(InInitialPidNamespace()),
      card_patience_(options.card_patience),
      cards_([library = library_, functions](
                 int id, const OnCall& on_call) { return AskCard(functions, id, on_call); },
             card_patience_),
      hccn_(HccnOptionsFor(options.hccn_path), clock) {}

absl::StatusOr<Discovery> DcmiDriver::Discover() {
  const EnumerationMemory memory{
      .cards = cards_, .physical_ids_work = physical_ids_work_, .lacks = driver_lacks_};
  absl::StatusOr<Discovery> found = Enumeration(f_, memory, card_patience_).Run();
  if (!found.ok()) return found;
  auto devices = std::make_shared<const Devices>(found->devices);
  MutexLock lock(mutex_);
  devices_ = std::move(devices);
  return found;
}

std::shared_ptr<const DcmiDriver::Devices> DcmiDriver::devices() const {
  MutexLock lock(mutex_);
  return devices_;
}

std::optional<std::int32_t> DcmiDriver::LogicIdOf(DeviceAddress at) const {
  const auto known = devices();
  const auto found = std::ranges::find(*known, at, &FoundDevice::address);
  return found == known->end() ? std::nullopt : found->logic_id;
}

absl::StatusOr<DeviceIdentity> DcmiDriver::ReadIdentity(DeviceAddress at) {
  const auto before = identities_.Find(at);
  absl::StatusOr<DeviceIdentity> identity = IdentityOf(f_, at, identities_);
  if (before && identity.ok() && IsAnotherChip(*before, *identity)) {
    lacks_.Of(at).Forget();
    unrelated_.Forget();
  }
  return identity;
}

absl::StatusOr<HealthReading> DcmiDriver::ReadHealth(DeviceAddress at) {
  HealthReading reading;
  unsigned int raw = kHealthNotAsked;
  const int code = f_.health(at, &raw);
  if (code == kNotReady) {
    reading.lost = true;
    return reading;
  }
  if (code != kOk) return StatusOf(f_.health.name, code);
  const std::optional<Health> state = HealthOf(raw);
  reading.state = state.value_or(Health::kUnknown);
  if (!state) Border(reading.refused).Refuse();
  return reading;
}

absl::StatusOr<FaultsReading> DcmiDriver::ReadFaults(DeviceAddress at) {
  Room<std::array<unsigned int, kMaxFaultCodes>> list(Room<int>::kZeros);
  int count = 0;
  const int code = f_.errorcode_v2(at, &count, list.value.data(), list.value.size());
  if (code != kOk) return StatusOf(f_.errorcode_v2.name, code);
  if (count < 0 || static_cast<std::size_t>(count) > list.value.size()) {
    return absl::InternalError(fmt::format("{}: answers {} codes", f_.errorcode_v2.name, count));
  }
  FaultsReading reading;
  for (const unsigned int fault : std::span(list.value).first(static_cast<std::size_t>(count))) {
    if (fault != 0 && !IsNoValue(fault)) reading.active.Add(fault);
  }
  // Events name a device by its logic id, as the vendor's own programs take it.
  const std::optional<std::int32_t> logic_id = LogicIdOf(at);
  if (events_ != nullptr && logic_id) reading.events = events_->Take(*logic_id);
  return reading;
}

FaultDetail DcmiDriver::DetailOf(DeviceAddress at, std::uint32_t code) {
  if (const auto known = known_faults_.Find(code)) return *known;
  FaultDetail detail;
  if (AskDetail(f_, lacks_.Of(at), at, code, detail)) known_faults_.Keep(code, detail);
  return detail;
}

absl::StatusOr<CompatibilityReading> DcmiDriver::ReadCompatibility(DeviceAddress at) {
  CompatibilityReading reading;
  int raw = -1;
  const int code = f_.compatibility(at, &raw);
  if (code != kOk) return StatusOf(f_.compatibility.name, code);
  if (raw == kCompatible || raw == kIncompatible) {
    reading.fits = Count{raw == kCompatible ? 1.0 : 0.0};
  } else if (raw != kCompatibilityUnknown) {
    Border(reading.refused).Refuse();
  }
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

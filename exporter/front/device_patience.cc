#include "exporter/front/device_patience.h"

#include <algorithm>

#include "exporter/front/doubling.h"
#include "fmt/format.h"

namespace ascend {
namespace {

constexpr std::chrono::minutes kFirstWait{1};
constexpr std::chrono::hours kMostWait{1};
constexpr std::chrono::minutes kCured{10};
constexpr std::int32_t kSearch = -1;  // no device has this id

}  // namespace

bool Stuck(const DeviceCalls& device, Mono now) {
  return device.deadline && *device.deadline <= now;
}

std::vector<DeviceCalls> CallsAndSearch(const HostState& state, Mono started, Mono now) {
  std::vector<DeviceCalls> calls = state.devices;
  DeviceCalls search{.device = kSearch, .deadline = state.look_deadline};
  if (!search.deadline && !state.found) {
    search.deadline = started + kSilentStart;
  } else if (!search.deadline) {
    // A search leaves no note of its end; between two of them it has returned.
    search.last_return = now;
  }
  calls.push_back(search);
  return calls;
}

bool DevicePatience::Hangs(const DeviceCalls& device, Mono now) const {
  return Stuck(device, now) && now - *device.deadline >= hung_after_;
}

void DevicePatience::Note(std::span<const DeviceCalls> devices, Mono now) {
  const auto cured = [&](const DeviceCalls& device, Record& record) {
    if (Stuck(device, now)) record.answers_since.reset();
    if (Stuck(device, now) || !device.last_return) return false;
    if (!record.answers_since) record.answers_since = device.last_return;
    return *device.last_return - *record.answers_since >= kCured && now >= record.held_until;
  };
  for (const DeviceCalls& device : devices) {
    std::erase_if(records_, [&](Record& record) {
      return record.device == device.device && cured(device, record);
    });
  }
}

bool DevicePatience::ReplacementDue(std::span<const DeviceCalls> devices, Mono now,
                                    Mono& check) const {
  for (const DeviceCalls& device : devices) {
    if (!device.deadline) continue;
    const Record* record = Find(device.device);
    const Mono due = std::max(*device.deadline + hung_after_,
                              record != nullptr ? record->replace_at : Mono::min());
    if (due <= now) return true;
    check = std::min(check, due);
  }
  return false;
}

void DevicePatience::CountReplacement(std::span<const DeviceCalls> devices, Mono now) {
  for (const DeviceCalls& device : devices) {
    if (!Hangs(device, now)) continue;
    Record& record = FindOrAdd(device.device);
    record.replace_wait = Doubled(record.replace_wait, kFirstWait, kMostWait);
    record.replace_at = now + record.replace_wait;
  }
}

HoldDevice DevicePatience::Hold(std::int32_t device, Mono now) {
  Record& record = FindOrAdd(device);
  record.hold_wait_before = record.hold_wait;
  record.hold_wait = Doubled(record.hold_wait, kFirstWait, kMostWait);
  record.held_until = now + record.hold_wait;
  record.answers_since.reset();
  return {device, record.held_until};
}

HoldDevice DevicePatience::HoldOn(std::int32_t device, Mono until) {
  Record& record = FindOrAdd(device);
  record.held_until = std::max(record.held_until, until);
  return {device, record.held_until};
}

HoldDevice DevicePatience::Free(std::int32_t device, Mono now) {
  Record& record = FindOrAdd(device);
  record.hold_wait = record.hold_wait_before;
  record.held_until = std::min(record.held_until, now);
  return {device, record.held_until};
}

Mono DevicePatience::HeldUntil(std::int32_t device) const {
  const Record* record = Find(device);
  return record != nullptr ? record->held_until : Mono::min();
}

std::vector<HoldDevice> DevicePatience::HeldDevices(Mono now) const {
  std::vector<HoldDevice> held;
  for (const Record& record : records_) {
    if (now < record.held_until) held.push_back({record.device, record.held_until});
  }
  return held;
}

bool DevicePatience::HoldsAllBut(std::int32_t device, std::span<const DeviceCalls> devices,
                                 Mono now) const {
  return std::all_of(devices.begin(), devices.end(), [&](const DeviceCalls& other) {
    return other.device == device || now < HeldUntil(other.device);
  });
}

const DevicePatience::Record* DevicePatience::Find(std::int32_t device) const {
  const auto record = std::find_if(records_.begin(), records_.end(),
                                   [&](const Record& known) { return known.device == device; });
  return record != records_.end() ? &*record : nullptr;
}

DevicePatience::Record& DevicePatience::FindOrAdd(std::int32_t device) {
  const auto record = std::find_if(records_.begin(), records_.end(),
                                   [&](const Record& known) { return known.device == device; });
  if (record != records_.end()) return *record;
  return records_.emplace_back(Record{.device = device});
}

std::string DevicePatience::Describe(Mono now) const {
  std::string text;
  for (const Record& record : records_) {
    text += fmt::format(" device {} replace {} last {} held {} last {} before {}", record.device,
                        In(record.replace_at, now), In(now + record.replace_wait, now),
                        In(record.held_until, now), In(now + record.hold_wait, now),
                        In(now + record.hold_wait_before, now));
    if (record.answers_since) text += " cured " + In(*record.answers_since + kCured, now);
    text += ';';
  }
  return text;
}

}  // namespace ascend

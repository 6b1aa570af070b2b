// How often hosts are replaced because a device's calls do not return, and which devices are held.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exporter/front/host_events.h"
#include "hal/clock.h"

namespace ascend {

// Whether the call under way has passed its deadline.
bool Stuck(const DeviceCalls& device, Mono now);
// The search of a host that has not even begun its first one is stuck from this age on.
inline constexpr std::chrono::minutes kSilentStart{1};
// The devices of a host that started at `started` and, as one more of them, its search for devices.
std::vector<DeviceCalls> CallsAndSearch(const HostState& state, Mono started, Mono now);

// Remembers each device that was ever stuck for long, so its size is bounded by the devices that
// exist. Not thread-safe.
//
// A host is replaced on behalf of a stuck device at once, then not before 1 min, 2 min, ... 1 h
// have passed since the last time. A device that may hold a lock is held for 1 min, 2 min, ... 1 h.
// Both begin anew when the device has answered for 10 min.
class DevicePatience {
 public:
  explicit DevicePatience(nanoseconds hung_after) : hung_after_(hung_after) {}

  // Takes note of who answers.
  void Note(std::span<const DeviceCalls> devices, Mono now);

  // Whether the host is to be replaced on behalf of a device that hangs. `check` is lowered to when
  // to ask again if nothing else happens.
  [[nodiscard]] bool ReplacementDue(std::span<const DeviceCalls> devices, Mono now,
                                    Mono& check) const;
  // It is going to be replaced, which serves every device that hangs.
  void CountReplacement(std::span<const DeviceCalls> devices, Mono now);

  HoldDevice Hold(std::int32_t device, Mono now);
  // One that is held stays so at least until then.
  HoldDevice HoldOn(std::int32_t device, Mono until);
  // As if its last hold had never been.
  HoldDevice Free(std::int32_t device, Mono now);
  // As if no device had ever been stuck.
  void Forget() { records_.clear(); }
  // When the hold of a device ends; not later than `now`: it is not held.
  [[nodiscard]] Mono HeldUntil(std::int32_t device) const;
  [[nodiscard]] std::vector<HoldDevice> HeldDevices(Mono now) const;
  // Whether every other device of a host is held.
  [[nodiscard]] bool HoldsAllBut(std::int32_t device, std::span<const DeviceCalls> devices,
                                 Mono now) const;
  [[nodiscard]] std::string Describe(Mono now) const;

 private:
  struct Record {
    std::int32_t device = 0;
    nanoseconds replace_wait{};
    Mono replace_at{};  // not before
    nanoseconds hold_wait{};
    nanoseconds hold_wait_before{};
    Mono held_until{};
    std::optional<Mono> answers_since{};
  };

  [[nodiscard]] const Record* Find(std::int32_t device) const;
  Record& FindOrAdd(std::int32_t device);
  [[nodiscard]] bool Hangs(const DeviceCalls& device, Mono now) const;

  const nanoseconds hung_after_;
  std::vector<Record> records_;
};

}  // namespace ascend

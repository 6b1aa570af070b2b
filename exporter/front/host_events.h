// What the keeper of driver hosts is told of them, and what it asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "hal/clock.h"

namespace ascend {

// A call into the driver: for which device, by which collector (its index in the catalogue).
struct HostCall {
  std::int32_t device = 0;
  std::uint8_t collector = 0;

  friend bool operator==(const HostCall&, const HostCall&) = default;
};

// What is known of a host that ended. Devices, collectors and openings are ones that exist: the
// front checks what comes from a host's memory.
struct HostDeath {
  enum class Kind : std::uint8_t { kExited, kSignalled };
  Kind kind = Kind::kExited;
  int code = 0;                           // exit status or signal
  std::optional<HostCall> culprit{};      // the call whose thread crashed, from the crash note
  std::vector<HostCall> in_progress{};    // calls under way when it ended
  std::optional<std::int32_t> opening{};  // driver that was being asked for devices, from 0
};

// The calls of one device, as a host's memory tells them.
struct DeviceCalls {
  std::int32_t device = 0;
  // Of the call under way, in the past if the call is stuck. Nothing: no call is under way.
  std::optional<Mono> deadline{};
  std::optional<Mono> begun{};        // when the call under way began, if that is known
  std::optional<Mono> last_return{};  // when the last call returned; nothing: none has
  bool sampled = false;               // good values have come from this host
  // No call is under way though one should be: the deadline is that of its silence.
  bool silent = false;
};

struct HostState {
  bool found = false;  // its first search for devices has ended, whether there were any or not
  std::vector<DeviceCalls> devices{};  // what the last search found, each id once
  // Of the attempt that is under way to get the devices from a driver, and that driver, from 0.
  std::optional<Mono> look_deadline{};
  std::optional<std::int32_t> opening{};
};

struct StartHost {
  int berth = 0;
  friend bool operator==(const StartHost&, const StartHost&) = default;
};
struct SignalHost {
  int berth = 0;
  int signal = 0;  // SIGTERM or SIGKILL
  friend bool operator==(const SignalHost&, const SignalHost&) = default;
};
// Take no more blocks from the host: it is about to end.
struct DetachHost {
  int berth = 0;
  friend bool operator==(const DetachHost&, const DetachHost&) = default;
};
// Hosts are not to make such calls until then; Mono::max(): never again; a time that is not in the
// future: they may again.
struct HoldDevice {
  std::int32_t device = 0;
  Mono until{};
  friend bool operator==(const HoldDevice&, const HoldDevice&) = default;
};
struct HoldCall {
  HostCall call{};
  Mono until{};
  friend bool operator==(const HoldCall&, const HoldCall&) = default;
};
struct HoldOpening {
  std::int32_t opening = 0;
  Mono until{};
  friend bool operator==(const HoldOpening&, const HoldOpening&) = default;
};
using HostAction =
    std::variant<StartHost, SignalHost, DetachHost, HoldDevice, HoldCall, HoldOpening>;
using HostActions = std::vector<HostAction>;  // to be done in order

}  // namespace ascend

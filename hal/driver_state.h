// Why a driver works or does not, in words that an operator can act on.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace ascend {

enum class DriverState : std::uint8_t {
  kOk,
  kNoDevices,
  kLibraryNotFound,
  kLibraryRejected,
  kSymbolMissing,
  kInitFailed,
  kDeviceInUse,
  kDeviceNodeDenied,
  kNotAdmin,
  kToolNotFound,
  kToolFailed,
  kReleased,
  kHung,
  kCrashed,
};

// The label values of ascend_exporter_driver_state, in the order of the enumeration.
inline constexpr std::array<std::string_view, 14> kDriverStateNames = {"ok",
                                                                       "no_devices",
                                                                       "library_not_found",
                                                                       "library_rejected",
                                                                       "symbol_missing",
                                                                       "init_failed",
                                                                       "device_in_use",
                                                                       "device_node_denied",
                                                                       "not_admin",
                                                                       "tool_not_found",
                                                                       "tool_failed",
                                                                       "released",
                                                                       "hung",
                                                                       "crashed"};

// A failure of `state`, with one line that says what, where and what to do.
absl::Status DriverError(DriverState state, std::string_view message);

// The state that a driver's error carries; kInitFailed where it carries none, kOk for an OK status.
DriverState StateOf(const absl::Status& status);

}  // namespace ascend

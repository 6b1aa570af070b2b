// Fault codes: what to do about each, and the rows of the engine's memory of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "collectors/metric.h"

namespace ascend {

// What the vendor's cluster manager does about a fault by default; kUnknown for codes not in its
// list.
enum class FaultAction : std::uint8_t {
  kNone,
  kDegraded,
  kDrain,
  kIsolate,
  kReset,
  kResetWhenIdle,
  kRestartRequest,
  kRestartWorkload,
  kUnknown,
};
inline constexpr std::size_t kFaultActions = 9;
inline constexpr std::array<std::string_view, kFaultActions> kFaultActionNames = {
    "none",   "degraded",        "drain",           "isolate",
    "reset",  "reset_when_idle", "restart_request", "restart_workload",
    "unknown"};

// Label values of the severity, in the order of FaultSeverity.
inline constexpr std::array<std::string_view, 5> kFaultSeverityNames = {"warning", "minor", "major",
                                                                        "critical", "unknown"};

FaultAction ActionOf(std::uint32_t code);

// Rows of the faults collector, by their place in its table. The collector fills kFaultActive, one
// sample a code whose value is how often the driver lists it, and kFaultInfo; the device worker
// fills the others.
enum FaultRow : std::size_t { kFaultActive, kFaultInfo, kFaultLast, kFaultCount };  // + action
inline constexpr std::size_t kFaultRows = kFaultCount + kFaultActions;

}  // namespace ascend

// Durations as users write them: a decimal number and a unit, such as 250ms, 1.5s or 24h.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/statusor.h"

namespace ascend {

struct DurationBounds {
  std::chrono::nanoseconds least;
  std::chrono::nanoseconds most;
};

// Units: ms, s, m, h, d. The error quotes `text` and fits behind "where: ".
absl::StatusOr<std::chrono::nanoseconds> ParseDuration(const std::string& text,
                                                       const DurationBounds& bounds);

// The shortest text that ParseDuration reads as `duration`, rounded to whole milliseconds.
std::string FormatDuration(std::chrono::nanoseconds duration);

}  // namespace ascend

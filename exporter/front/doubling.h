// Waits that double.
#pragma once

#include <algorithm>
#include <string>

#include "fmt/format.h"
#include "hal/clock.h"

namespace ascend {

// The wait after `wait`; zero: none was yet.
inline nanoseconds Doubled(nanoseconds wait, nanoseconds first, nanoseconds most) {
  return std::clamp(2 * wait, first, most);
}

// How long until `due`, in milliseconds.
inline std::string In(Mono due, Mono now) {
  if (due == Mono::max()) return "never";
  return fmt::format("{}", std::chrono::ceil<std::chrono::milliseconds>(
                               std::max(due - now, Mono::duration::zero()))
                               .count());
}

}  // namespace ascend

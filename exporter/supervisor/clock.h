// Time that only goes forward, for deadlines.
#pragma once

#include <time.h>

#include <cstdint>

namespace ascend::supervisor {

// Milliseconds since an arbitrary start. Counts the time that the process was stopped.
inline std::int64_t NowMs() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

inline constexpr std::int64_t kNever = INT64_MAX;

}  // namespace ascend::supervisor

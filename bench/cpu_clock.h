// Time in seconds, from clocks rather than ticks.
#pragma once

#include <ctime>

namespace ascend {

inline double SecondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// What all threads of this process have spent.
inline double CpuSeconds() { return SecondsOf(CLOCK_PROCESS_CPUTIME_ID); }

inline double WallSeconds() { return SecondsOf(CLOCK_MONOTONIC); }

}  // namespace ascend

// The process_* values that Prometheus client libraries show, from /proc/self.
#pragma once

#include <optional>

namespace ascend {

// Absent: /proc did not tell.
struct ProcessStats {
  std::optional<double> cpu_seconds, max_fds, open_fds, resident_bytes, threads, virtual_bytes;
};

ProcessStats ReadProcessStats();

// When the process started, in seconds since the Unix epoch. It reads /proc/stat, which is long on
// large hosts, and never changes: ask once.
std::optional<double> ReadStartTime();

}  // namespace ascend

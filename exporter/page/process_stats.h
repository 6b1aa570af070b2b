// The process_* values that Prometheus client libraries show, from /proc/self.
#pragma once

#include <sys/types.h>

#include <optional>

namespace ascend {

// Absent: /proc did not tell.
struct ProcessStats {
  std::optional<double> cpu_seconds, max_fds, open_fds, resident_bytes, threads, virtual_bytes;
};

ProcessStats ReadProcessStats();

// What a process of any user has used, from /proc/PID/stat. Nothing if there is no such process.
struct ProcessUse {
  double cpu_seconds = 0, resident_bytes = 0;
};
std::optional<ProcessUse> ReadProcessUse(pid_t pid);

// When the process started, in seconds since the Unix epoch. It reads /proc/stat, which is long on
// large hosts, and never changes: ask once.
std::optional<double> ReadStartTime();

}  // namespace ascend

// The process_* values that Prometheus client libraries show, from /proc/self.
#pragma once

#include <optional>

namespace ascend {

// Absent: /proc did not tell.
struct ProcessStats {
  std::optional<double> cpu_seconds, max_fds, open_fds, resident_bytes, start_time, threads,
      virtual_bytes;
};

ProcessStats ReadProcessStats();

}  // namespace ascend

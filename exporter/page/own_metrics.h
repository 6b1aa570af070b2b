// What the exporter says of itself: counters of a prometheus-cpp registry, and process_*.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/page/process_stats.h"
#include "hal/mutex.h"

namespace ascend {

struct OwnFamily {
  std::string_view name, type;
  std::string_view labels;  // as METRICS.md prints them
  std::string_view help, zh;
};
struct NamedProcess {
  std::string role;
  pid_t pid = 0;
};

// Every family of OwnMetrics, sorted by name, for METRICS.md.
std::span<const OwnFamily> OwnFamilies();

// Any thread may count; prometheus-cpp's metrics are atomic.
class OwnMetrics {
 public:
  OwnMetrics();

  prometheus::Registry registry;
  prometheus::Family<prometheus::Gauge>& build_info;
  prometheus::Family<prometheus::Gauge>& collector_success;
  prometheus::Family<prometheus::Gauge>& collector_last_duration;
  prometheus::Family<prometheus::Counter>& driver_calls;
  prometheus::Family<prometheus::Histogram>& driver_call_duration;
  prometheus::Family<prometheus::Gauge>& driver_refused;
  prometheus::Family<prometheus::Counter>& call_timeouts;
  prometheus::Family<prometheus::Counter>& skipped_ticks;
  prometheus::Family<prometheus::Counter>& unknown_lines;
  prometheus::Family<prometheus::Counter>& rejected_values;
  prometheus::Family<prometheus::Counter>& http_requests;
  prometheus::Family<prometheus::Counter>& call_crashes;
  prometheus::Family<prometheus::Gauge>& held_calls;
  prometheus::Family<prometheus::Counter>& host_restarts;
  // Nothing was ever reloaded: no child.
  prometheus::Family<prometheus::Gauge>& reload_successful;
  prometheus::Family<prometheus::Gauge>& reload_success_time;
  prometheus::Gauge& hosts_left_behind;
  prometheus::Gauge& stuck_calls;
  prometheus::Gauge& http_connections;
  prometheus::Counter& duplicate_devices;

  // The processes that make up the exporter, by role; none while it is a single one.
  void SetProcesses(std::vector<NamedProcess> processes);

  // Appends all of it, and process_*, in the text format 0.0.4, sorted by family.
  void EncodeText(std::string& out) const;

 private:
  const std::optional<double> start_time_ = ReadStartTime();
  mutable Mutex mutex_;
  std::vector<NamedProcess> processes_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend

// The gates of the benchmark. Each measures, adds its rows to the report and says what kept it from
// measuring; a missed bar is a row, not an error. Main thread only.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "bench/report.h"

namespace ascend {

struct GateOptions {
  int repeat = 5;      // rounds, in which both sides take turns; the best of each side counts
  std::string folder;  // where ascend-exporter and the stand-in for the vendor's library are
};

absl::Status EncodeGate(const GateOptions& options, Report& report);
absl::Status UnchangedGate(const GateOptions& options, Report& report);
absl::Status ScrapeGate(const GateOptions& options, Report& report);
absl::Status EngineGate(const GateOptions& options, Report& report);
absl::Status BlockedGate(const GateOptions& options, Report& report);
absl::Status SlowGate(const GateOptions& options, Report& report);
absl::Status IdleGate(const GateOptions& options, Report& report);
absl::Status CallsGate(const GateOptions& options, Report& report);
absl::Status StartGate(const GateOptions& options, Report& report);

}  // namespace ascend

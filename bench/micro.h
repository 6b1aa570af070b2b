// Timings of single functions, by Google Benchmark. They have no bars: they show where time goes.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace ascend {

// `flags` are those of Google Benchmark, such as --benchmark_filter=Number.
absl::Status RunMicro(std::vector<std::string> flags);

}  // namespace ascend

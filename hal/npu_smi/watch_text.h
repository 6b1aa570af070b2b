// The rows of `npu-smi info watch`, which prints its header once and then rows until it is killed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hal/npu_smi/unknown_lines.h"

namespace ascend::npu_smi {

// Members of columns that are not printed are absent.
struct WatchRow {
  std::int32_t npu = 0;
  std::optional<std::int32_t> chip;  // not printed on 950
  std::optional<double> watts, celsius;
  std::optional<double> aicore_percent, aicpu_percent, ctrlcpu_percent;
  std::optional<double> memory_percent, memory_bandwidth_percent, npu_percent, cube_percent;
  friend bool operator==(const WatchRow&, const WatchRow&) = default;
};
struct WatchText {
  std::vector<WatchRow> rows;
  UnknownLines unknown;
};
WatchText ParseWatch(std::string_view text);

}  // namespace ascend::npu_smi

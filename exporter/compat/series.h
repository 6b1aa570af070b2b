// Lines of a metrics page taken apart. What is read may come from anybody: nothing is trusted but
// its size, which the caller bounds.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend {

using SeriesLabels = std::vector<std::pair<std::string, std::string>>;

struct SeriesName {
  std::string name;
  SeriesLabels labels;  // as written, in their order

  // Empty if there is none, as Prometheus means it.
  [[nodiscard]] std::string_view Label(std::string_view label) const;
};

// Takes `name{a="x",b="y"}` off the front of `text`. Nothing if there is none, or one with a label
// twice or more than 64 labels.
std::optional<SeriesName> TakeSeries(std::string_view& text);

struct PageSample {
  SeriesName series;
  double value = 0;
  bool has_timestamp = false;
};

struct MetricsPage {
  std::vector<PageSample> samples;
  std::size_t bad_lines = 0;  // lines that are no sample and no comment
  std::string first_bad;      // where the first is and how it begins
};

// Reads the text format 0.0.4. An error says why it is no metrics page: not one sample, or more
// than half a million.
absl::StatusOr<MetricsPage> ReadMetricsPage(std::string_view text);

}  // namespace ascend

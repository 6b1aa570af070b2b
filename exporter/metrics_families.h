// The families of METRICS.md: what all rows of the catalogue say of each, put together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectors/collector.h"

namespace ascend {

struct LabelValues {
  std::string name;
  std::vector<std::string> values;  // empty: not a closed set
};

struct MetricFamily {
  const Row* first = nullptr;
  Topic topic = Topic::kState;
  std::vector<LabelValues> labels;
  std::vector<std::string> collectors;  // the names that switch it: collectors, or rows' options
  std::vector<std::string> chips;       // families; all of them: every chip
  bool by_default = true;               // one of the collectors runs without being asked for
  std::vector<std::string> dcmi, dcmiv2, tool, host;
};

// Chip families by their names in the document, from old to new.
inline constexpr std::array<std::string_view, 7> kChipNames = {"310",  "310B", "310P", "910",
                                                               "910B", "910C", "950"};

// Of every collector, also of those that are off by default; by topic, in the order of the rows.
std::vector<MetricFamily> AllMetricFamilies();

}  // namespace ascend

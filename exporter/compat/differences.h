// Two pages with the npu-exporter's names held against each other, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exporter/compat/series.h"

namespace ascend {

struct Comparison {
  // Whether the npu-exporter's design or what this program does differently accounts for it.
  std::vector<std::string> explained, unexplained;
  std::size_t equal = 0;  // values that are the same on both pages
};

// A page with this program's names in those of the npu-exporter; one that has them already as it
// is.
MetricsPage InVendorNames(const MetricsPage& page);

// `there` is the npu-exporter's page, `here` this program's, both with its names. Devices in the
// order of their numbers.
Comparison ComparePages(const MetricsPage& there, const MetricsPage& here);

// One line for each motion that is tolerated.
std::string TolerancesText();

}  // namespace ascend

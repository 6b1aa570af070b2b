// Reads a page in the Prometheus text format, as far as pages of this program use it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend {

struct PageSeries {
  std::string name;
  std::map<std::string, std::string> labels;
  double value = 0;
};

struct PageText {
  std::map<std::string, std::string> help;  // by family
  std::vector<PageSeries> series;           // as on the page
};

absl::StatusOr<PageText> ParsePage(std::string_view page);

}  // namespace ascend

// METRICS.md, made from the catalogue.
#pragma once

#include <string>

namespace ascend {

std::string MetricsDocument();

}  // namespace ascend

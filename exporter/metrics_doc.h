// METRICS.md and METRICS.zh-CN.md, made from the catalogue.
#pragma once

#include <string>

#include "exporter/settings/settings.h"

namespace ascend {

std::string MetricsDocument(Language language);

}  // namespace ascend

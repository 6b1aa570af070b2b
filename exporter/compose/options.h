// From settings to the parts of the engine.
#pragma once

#include "exporter/engine/engine.h"
#include "exporter/settings/settings.h"

namespace ascend {

DiscoveryOptions MakeDiscoveryOptions(const Settings& settings);
PublishingOptions MakePublishingOptions(const Settings& settings);
EngineOptions MakeEngineOptions(const Settings& settings);

}  // namespace ascend

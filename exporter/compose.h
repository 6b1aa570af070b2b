// From settings to the parts of the engine.
#pragma once

#include <vector>

#include "exporter/engine/discovery.h"
#include "exporter/settings/settings.h"
#include "hal/clock.h"

namespace ascend {

// The drivers to try, in order. `auto` never names the simulation.
std::vector<DriverCandidate> Candidates(const Settings& settings, Clock& clock);

DiscoveryOptions MakeDiscoveryOptions(const Settings& settings);

}  // namespace ascend

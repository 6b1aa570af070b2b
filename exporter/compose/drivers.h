// From settings to the drivers to try, in order. The two kinds are apart, so that a program is
// linked with the one that it runs.
#pragma once

#include <vector>

#include "exporter/engine/driver_choice.h"
#include "exporter/settings/settings.h"
#include "hal/clock.h"

namespace ascend {

// Those that talk to hardware, as --driver says. Never the simulation.
std::vector<DriverCandidate> RealDrivers(const Settings& settings, Clock& clock);

std::vector<DriverCandidate> SimulatedDriver(const Settings& settings, Clock& clock);

}  // namespace ascend

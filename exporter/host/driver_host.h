// The process that loads the vendor's library and samples the devices, one thread for each. It has
// no network; what it finds goes into memory that it shares with the front.
#pragma once

#include <functional>
#include <vector>

#include "exporter/engine/driver_choice.h"
#include "exporter/settings/settings.h"
#include "hal/clock.h"

namespace ascend {

using MakeDrivers = std::vector<DriverCandidate> (*)(const Settings& settings, Clock& clock);

// Started by the supervisor (supervisor/protocol.h) and by nobody else. Runs until SIGTERM, or
// until the supervisor is gone; then ends at once, whatever a driver's call does. SIGUSR1: a new
// front wants to be told everything. SIGUSR2: look for devices now. Returns the exit status.
int RunDriverHost(MakeDrivers make_drivers);

}  // namespace ascend

// Serves metrics until it is told to end.
#pragma once

#include "exporter/settings/settings.h"

namespace ascend {

// With --isolation=full becomes the supervisor of three processes, and returns only if it cannot;
// run again by that supervisor, hands it the settings. With --isolation=none does all by itself.
// `argv` is the program's own. Returns the exit status of the process.
int Serve(const Settings& settings, char** argv);

}  // namespace ascend

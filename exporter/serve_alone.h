// All in one process, for debugging: a crash in the vendor's library ends it, and nothing replaces
// a library that hangs.
#pragma once

#include "exporter/settings/settings.h"

namespace ascend {

// Until SIGTERM or SIGINT. Logging has been started. Returns the exit status of the process.
int ServeAlone(const Settings& settings);

}  // namespace ascend

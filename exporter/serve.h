// The command without a name: sample and serve until told to stop.
#pragma once

#include "exporter/settings/settings.h"

namespace ascend {

// Returns the exit status of the process. May end the process itself when a thread is stuck inside
// the vendor's library.
int Serve(const Settings& settings);

}  // namespace ascend

// What an operator should hear once, at the start.
#pragma once

#include "exporter/settings/settings.h"

namespace ascend {

// Logs what is unusual or missing in how the program was started. Before rights are dropped, which
// it tells of, and after everything that may end the start with an error.
void SayHints(const Settings& settings);

}  // namespace ascend

// The command `simulate`: plays a scenario in virtual time.
#pragma once

#include "exporter/settings/settings.h"

namespace ascend {

// Prints a page at every `invocation.simulate_every` of virtual time, each under a comment that
// says when it would have been scraped. The same scenario prints the same bytes. Returns the exit
// status.
int Simulate(const Invocation& invocation);

}  // namespace ascend

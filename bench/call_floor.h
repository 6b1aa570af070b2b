// What the library's calls cost by themselves.
#pragma once

#include <chrono>

#include "absl/status/statusor.h"
#include "bench/stand_in.h"

namespace ascend {

// CPU seconds in a second of a bare loop that makes the calls of the groups "fast" and "health" as
// the program does, and does nothing else: one thread a chip, which sleeps until the multiples of
// the period, health at each second. In a process of its own, which loads the stand-in. Main thread
// only, while no other thread runs.
absl::StatusOr<double> CallFloor(const StandIn& stand_in, std::chrono::milliseconds period,
                                 std::chrono::seconds span);

}  // namespace ascend

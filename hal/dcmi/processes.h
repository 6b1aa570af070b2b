// The processes on a chip.
#pragma once

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"
#include "hal/dcmi/functions.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// Fills a prefix of `processes` and returns its length. Names come from /proc and are empty where
// the process has ended since. Blocks in the vendor's library; any thread.
absl::StatusOr<std::size_t> ProcessesOf(const Functions& functions, DeviceAddress at,
                                        std::span<ProcessReading> processes);

}  // namespace ascend::dcmi

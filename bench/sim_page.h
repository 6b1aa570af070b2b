// What the gates render: a simulated node, and variations of its values.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "exporter/page/own_metrics.h"
#include "exporter/page/snapshot.h"

namespace ascend {

using SharedSnapshot = std::shared_ptr<const Snapshot>;

// Sixteen 910C chips, some seconds of virtual time after the start. `own` counts what the engine
// does.
absl::StatusOr<SharedSnapshot> SimulatedSnapshot(OwnMetrics& own);

// Snapshots with the same series. Each value differs from that of the snapshot before (of the last
// one, for the first), but stays of its kind: a flag, an integer, a decimal with as many places, or
// a number that needs all its digits. `count` is even.
std::vector<SharedSnapshot> Variations(const Snapshot& snapshot, int count);

// The same, but every value is a random double from 0 to 100 with all its digits.
std::vector<SharedSnapshot> RandomVariations(const Snapshot& snapshot, int count);

}  // namespace ascend

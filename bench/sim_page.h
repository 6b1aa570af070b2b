// What the gates render: a simulated node, and variations of its values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "exporter/page/own_metrics.h"
#include "exporter/page/snapshot.h"

namespace ascend {

using SharedSnapshot = std::shared_ptr<const Snapshot>;

struct SimulatedPage {
  std::string scenario = "16x910c";
  std::size_t chips = 16;
  bool everything = false;  // with all that is off by default
};

// The page some virtual time after the start, when every group was sampled. `own` counts what the
// engine does.
absl::StatusOr<SharedSnapshot> SimulatedSnapshot(OwnMetrics& own, const SimulatedPage& page = {});

// Snapshots with the same series. Each value differs from that of the snapshot before (of the last
// one, for the first), but stays of its kind: a flag, an integer, a decimal with as many places, or
// a number that needs all its digits. `count` is even.
std::vector<SharedSnapshot> Variations(const Snapshot& snapshot, int count);

// The same, but every value is a random double from 0 to 100 with all its digits.
std::vector<SharedSnapshot> RandomVariations(const Snapshot& snapshot, int count);

}  // namespace ascend

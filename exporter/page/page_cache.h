// One rendering for each generation, served to whoever asks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "exporter/page/own_metrics.h"
#include "exporter/page/snapshot.h"

namespace ascend {

// Event loop only.
class PageCache {
 public:
  PageCache(const SnapshotStore& store, const OwnMetrics& own) : store_(store), own_(own) {}

  // The page of the newest snapshot. The same pointer until there is a newer one: nothing is
  // rendered or copied. Before the first snapshot, the exporter's own metrics.
  std::shared_ptr<const std::string> Text();

 private:
  const SnapshotStore& store_;
  const OwnMetrics& own_;
  std::shared_ptr<const Snapshot> shown_;
  std::shared_ptr<const std::string> text_;
};

}  // namespace ascend

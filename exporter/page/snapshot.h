// All that one page shows, at one moment.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "exporter/page/layout.h"
#include "hal/mutex.h"

namespace ascend {

// Immutable once stored.
struct Snapshot {
  std::shared_ptr<const Layout> layout;
  std::vector<std::optional<double>> values;  // absent: unknown, no line on the page
  bool discovered = false;  // the first attempt to find devices has ended, well or not
};

// Hands the newest snapshot from the publisher to whoever serves it. Any thread; never blocks on
// more than the copy of a pointer.
class SnapshotStore {
 public:
  void Store(std::shared_ptr<const Snapshot> snapshot) {
    MutexLock lock(mutex_);
    snapshot_.swap(snapshot);  // so that the old one is freed with the argument, after the lock
  }
  // Null before the first snapshot.
  [[nodiscard]] std::shared_ptr<const Snapshot> Load() const {
    MutexLock lock(mutex_);
    return snapshot_;
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const Snapshot> snapshot_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend

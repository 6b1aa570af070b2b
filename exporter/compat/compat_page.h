// The npu-exporter's page of the newest snapshot: rendered once for each generation that is asked
// for, and served to whoever asks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "exporter/compat/plan.h"
#include "exporter/page/snapshot.h"
#include "hal/mutex.h"

namespace ascend {

// Any thread; waits for nothing but another's rendering.
class CompatPage {
 public:
  // `store` must outlive it.
  CompatPage(const SnapshotStore& store, CompatOptions options)
      : store_(store), options_(std::move(options)) {}

  // The same pointer until there is a newer snapshot. Before the first one, what is known without
  // a driver.
  std::shared_ptr<const std::string> Text();

 private:
  const SnapshotStore& store_;
  const CompatOptions options_;
  Mutex mutex_;
  std::shared_ptr<const Snapshot> shown_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Layout> layout_ ABSL_GUARDED_BY(mutex_);  // that of plan_
  std::optional<CompatPlan> plan_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const std::string> text_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend

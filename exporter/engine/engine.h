// Both sides of the border in one process: threads that sample, and one that publishes. Snapshots
// come out of it, nothing goes in.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "exporter/engine/leavable_thread.h"
#include "exporter/engine/publisher.h"
#include "exporter/engine/sampling.h"
#include "exporter/page/own_metrics.h"
#include "exporter/page/snapshot.h"

namespace ascend {

struct EngineOptions {
  DiscoveryOptions discovery{};
  std::optional<int> expected_devices{};
};

// `clock`, `own` and `store` outlive the engine and, if Stop left a thread behind, the process.
class Engine {
 public:
  Engine(std::shared_ptr<const Catalog> catalog, EngineOptions options,
         std::vector<DriverCandidate> candidates, Clock& clock, OwnMetrics& own,
         SnapshotStore& store);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Any thread: makes a newer snapshot if the time of the newest has passed.
  void Refresh() { publisher_->Refresh(); }

  // Ends all threads within `patience`. False: one is stuck inside a driver and was left behind;
  // the process should end without running destructors that such a thread could meet.
  bool Stop(std::chrono::milliseconds patience = std::chrono::seconds(2));

 private:
  std::shared_ptr<Publisher> publisher_;
  std::shared_ptr<Sampling> sampling_;
  std::optional<LeavableThread> publisher_thread_;
};

}  // namespace ascend

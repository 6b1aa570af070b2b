// The sampling engine: threads and what they share. Snapshots come out of it, nothing goes in.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exporter/engine/discovery.h"
#include "exporter/engine/leavable_thread.h"
#include "exporter/engine/publisher.h"
#include "exporter/page/own_metrics.h"
#include "exporter/page/snapshot.h"

namespace ascend {

// Threads: one for each device, one that publishes and watches, one that looks for devices.
// `clock`, `own` and `store` outlive the engine and, if Stop left a thread behind, the process.
class Engine {
 public:
  Engine(std::shared_ptr<const Catalog> catalog, DiscoveryOptions options,
         std::vector<DriverCandidate> candidates, Clock& clock, OwnMetrics& own,
         SnapshotStore& store);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Ends all threads within `patience`. False: one is stuck inside a driver and was left behind;
  // the process should end without running destructors that such a thread could meet.
  bool Stop(std::chrono::milliseconds patience = std::chrono::seconds(2));

 private:
  const std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<Publisher> publisher_;
  std::shared_ptr<DiscoveryLoop> discovery_;
  std::optional<LeavableThread> publisher_thread_;
  std::optional<LeavableThread> discovery_thread_;
};

}  // namespace ascend

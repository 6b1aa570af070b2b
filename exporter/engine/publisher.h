// Merges what the workers found into snapshots, and watches for calls that hang.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/catalog.h"
#include "exporter/engine/call_metrics.h"
#include "exporter/engine/card_values.h"
#include "exporter/engine/device_view.h"
#include "exporter/engine/line_budget.h"
#include "exporter/engine/topology.h"
#include "exporter/page/own_metrics.h"
#include "exporter/page/snapshot.h"
#include "hal/clock.h"
#include "hal/mutex.h"

namespace ascend {

// One thread calls Step; SetTopology may be called from any.
class Publisher {
 public:
  struct Parts {
    std::shared_ptr<const Catalog> catalog;
    OwnMetrics* own = nullptr;
    SnapshotStore* store = nullptr;
    Clock* clock = nullptr;
    // When a look for devices that is under way should have ended; 0: none is.
    std::shared_ptr<const std::atomic<std::int64_t>> look_deadline_ns;
    std::function<void()> on_trouble;  // a device hung or got lost: look for devices again
  };
  explicit Publisher(Parts parts);

  // Devices that were known and are named again keep their values.
  void SetTopology(Topology topology);

  // Drains all rings, drops what is stale, and stores a snapshot if something changed: within 10 ms
  // if a device changed its state, else at most one in 100 ms. Returns when to call again if nobody
  // rings.
  Mono Step();

 private:
  void TakeTopology(std::int64_t now);
  void Hurry(std::int64_t now);
  void Rebind();
  void ShowRefused();
  void Drain(std::int64_t now);
  void Watch(std::int64_t now);
  void WatchLook(std::int64_t now);
  [[nodiscard]] std::vector<DeviceState> States(std::int64_t now) const;
  void Publish(std::int64_t now, const std::vector<DeviceState>& states);
  bool SayChanges(const std::vector<DeviceState>& states, Mono now);
  void FillDevice(std::size_t index, std::int64_t now, Snapshot& snapshot);
  void FillNode(const std::vector<DeviceState>& states, Snapshot& snapshot);
  [[nodiscard]] std::int64_t NextPublish() const;

  const Parts parts_;
  const Catalog& catalog_;
  Mutex mutex_;
  std::optional<Topology> inbox_ ABSL_GUARDED_BY(mutex_);

  Topology topology_;
  bool discovered_ = false;
  bool look_hangs_ = false;  // the search for devices
  std::vector<prometheus::Gauge*> refused_;
  // What the log said of each device. One that flaps has little to say, so that the others are
  // heard.
  struct Said {
    std::optional<DeviceState> state;
    LineBudget budget{2, std::chrono::minutes(10)};
  };
  std::map<int, Said> said_;
  LineBudget log_budget_{10, std::chrono::minutes(10)};
  std::vector<DeviceView> devices_;  // by device id
  std::vector<DeviceState> states_;  // as published last
  CallMetrics call_metrics_;
  CardValues card_values_;
  std::shared_ptr<const Layout> layout_;
  std::size_t most_devices_ = 0;
  std::int64_t urgent_since_ = 0;    // a state changed: do not wait for the rate; 0: none did
  std::int64_t dirty_since_ = 0;     // 0: nothing new
  std::int64_t last_published_ = 0;  // 0: never
};

}  // namespace ascend

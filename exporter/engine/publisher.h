// Merges what the workers found into snapshots, and watches for calls that hang.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectors/catalog.h"
#include "exporter/border/topology_record.h"
#include "exporter/engine/call_metrics.h"
#include "exporter/engine/card_values.h"
#include "exporter/engine/device_view.h"
#include "exporter/engine/line_budget.h"
#include "exporter/page/own_metrics.h"
#include "exporter/page/snapshot.h"
#include "hal/clock.h"
#include "hal/mutex.h"

namespace ascend {

// What the publisher takes from the settings.
struct PublishingOptions {
  SamplingOptions sampling;
  std::optional<int> expected_devices{};
  nanoseconds lost_retention = std::chrono::hours(24);  // as in DiscoveryOptions
};

// Takes from one driver host, and, while another is to take over from it, from that one too. One
// thread at a time calls any method but Refresh, which any may call.
class Publisher {
 public:
  struct Parts {
    std::shared_ptr<const Catalog> catalog;
    OwnMetrics* own = nullptr;
    SnapshotStore* store = nullptr;
    Clock* clock = nullptr;
    std::shared_ptr<Board> board;
    std::function<void()> on_trouble;  // a device hung or got lost: look for devices again
  };
  Publisher(Parts parts, PublishingOptions options);

  // Other settings, from the next snapshot on. The catalogue has the same rows in the same order.
  void Configure(std::shared_ptr<const Catalog> catalog, PublishingOptions options);

  // The host whose devices are shown; null: it has ended, and its values stay until they are stale.
  // One that was beside goes on with what it has told.
  void Use(std::shared_ptr<Berth> berth);
  // A host that is to take over: devices that it knows are sampled by both. Null: none is.
  void Accompany(std::shared_ptr<Berth> berth);
  // There is no host, and this is why; no device has values. Nothing: the usual. True if that is
  // news, which the next Step shows.
  bool SetAbsence(std::optional<DriverState> why);

  // Drains all rings, drops what is stale, and stores a snapshot if something changed: within 10 ms
  // if a device changed its state, else at most one in 100 ms. Returns when to call again if nobody
  // rings the board's bell.
  Mono Step();

  // For whoever is about to show the newest snapshot: if its time has passed, because this process
  // was stopped or the host slept, makes a newer one first. Blocks no longer than a Step.
  void Refresh();

  // For who decides about hosts: what the host in use, or the one beside it, has found; null until
  // its first search has ended. Valid until the next call of any method.
  [[nodiscard]] const Topology* topology() const { return TopologyOf(main_); }
  [[nodiscard]] const Topology* beside_topology() const { return TopologyOf(beside_); }
  // Whether the device is shown.
  [[nodiscard]] bool Knows(std::int32_t device) const;
  // Whether that host has told good values of the device.
  [[nodiscard]] bool Sampled(std::int32_t device, bool beside) const;

 private:
  // What is known of a host.
  struct Source {
    std::shared_ptr<Berth> berth;
    std::optional<Topology> topology{};  // none: its first search has not ended
    std::set<std::int32_t> listed{};     // every device that it ever told of
    std::uint64_t counted_duplicates = 0;
    std::map<std::string, std::uint64_t> counted_lines{};
  };

  static const Topology* TopologyOf(const std::optional<Source>& source) {
    return source && source->topology ? &*source->topology : nullptr;
  }
  Mono StepLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool TakeTopology(std::optional<Source>& source);
  void CountNews(Source& source);
  void Hurry(std::int64_t now);
  void Rebind();
  std::vector<TopologyDevice> AllDevices();
  void RememberMost();
  void AccompanyDevices();
  void ShowRefused();
  bool Drain(std::int64_t now);
  bool DrainRing(DeviceView& device, DeviceChannel* channel, std::int64_t now);
  void Watch(std::int64_t now);
  void WatchLook(std::int64_t now);
  bool Held(const DeviceView& device, std::int64_t now) const;
  [[nodiscard]] std::vector<DeviceState> States(std::int64_t now) const;
  void Publish(std::int64_t now, const std::vector<DeviceState>& states);
  bool SayChanges(const std::vector<DeviceState>& states, Mono now);
  void FillDevice(std::size_t index, std::int64_t now, Snapshot& snapshot);
  void FillNode(const std::vector<DeviceState>& states, Snapshot& snapshot);
  [[nodiscard]] DriverState State() const;
  [[nodiscard]] bool Late(std::int64_t now) const;
  [[nodiscard]] std::int64_t NextPublish() const;
  [[nodiscard]] std::int64_t LookDeadline() const;

  const Parts parts_;
  const Catalog& catalog_;  // whose numbers all others use
  std::shared_ptr<const Catalog> shown_catalog_;
  PublishingOptions options_;
  Mutex mutex_;  // between the publisher's thread and Refresh
  std::optional<Source> main_, beside_;
  std::optional<DriverState> absence_;
  Topology topology_;  // of the host in use, or of the last one
  SamplingPlan plan_;
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
  std::vector<DeviceView> devices_;               // by device id
  std::map<std::int32_t, std::int64_t> carried_;  // lost before this host began; since when
  std::vector<DeviceState> states_;               // as published last
  CallMetrics call_metrics_;
  CardValues card_values_;
  std::shared_ptr<const Layout> layout_;
  std::unique_ptr<std::array<std::byte, kMaxBlockBytes>> record_;
  GroupBlock block_;
  int most_devices_ = 0;
  std::int64_t urgent_since_ = 0;    // a state changed: do not wait for the rate; 0: none did
  std::int64_t dirty_since_ = 0;     // 0: nothing new
  std::int64_t last_published_ = 0;  // 0: never
  std::atomic<std::int64_t> next_step_{0};
};

}  // namespace ascend

// Counts what blocks say of driver calls.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "collectors/catalog.h"
#include "exporter/border/group_block.h"
#include "exporter/engine/device_view.h"
#include "exporter/page/own_metrics.h"

namespace ascend {

// Publisher thread only.
class CallMetrics {
 public:
  // `catalog` numbers the collectors and outlives this.
  CallMetrics(const Catalog& catalog, OwnMetrics& own);

  // From now on there are series for the collectors that run by this one, too.
  void Show(const Catalog& catalog);
  void Count(const GroupBlock& block, DeviceView& device);
  // Counts the call that is stuck on the device, once.
  void CountTimeout(std::uint64_t call, DeviceView& device);
  // Sets ascend_exporter_collector_success from the devices' newest results.
  void UpdateSuccess(const std::vector<DeviceView>& devices);

 private:
  struct PerCollector {
    std::array<prometheus::Counter*, kCallResultNames.size()> calls{};
    std::array<prometheus::Counter*, kRejectReasonNames.size()> rejected{};
    prometheus::Histogram* duration = nullptr;  // null: nothing of it was created
    prometheus::Gauge* last_duration = nullptr;
    prometheus::Gauge* success = nullptr;  // null while no device has a result
  };

  void AddSeries(std::size_t collector);

  const Catalog& catalog_;
  OwnMetrics& own_;
  std::vector<PerCollector> collectors_;
  std::array<prometheus::Counter*, kGroups> skipped_{};
  std::set<std::string> timed_out_;  // devices
};

}  // namespace ascend

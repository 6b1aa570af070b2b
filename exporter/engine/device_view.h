// What the publisher knows of one device: its newest values, how old they are, whether it answers.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "collectors/catalog.h"
#include "exporter/engine/topology.h"
#include "exporter/page/layout.h"
#include "exporter/page/snapshot.h"

namespace ascend {

// Publisher thread only. Times are monotonic nanoseconds; 0 is never.
class DeviceView {
 public:
  DeviceView(const Catalog& catalog, const TopologyDevice& device);

  // Goes on with the same device under a new worker, or none if it was lost.
  void Rebind(const TopologyDevice& device);
  // Takes the values of a block.
  void Apply(const GroupBlock& block);
  // Drops what is too old. True if anything was.
  bool Expire(std::int64_t now, const SamplingPlan& plan);
  // Looks whether a call hangs.
  void Watch(std::int64_t now, const SamplingPlan& plan);

  // When Expire or Watch next could find something.
  [[nodiscard]] std::int64_t NextCheck(std::int64_t now, const SamplingPlan& plan) const;

  [[nodiscard]] DeviceState State(std::int64_t now, const SamplingPlan& plan) const;
  [[nodiscard]] bool Up(std::int64_t now, const SamplingPlan& plan) const;
  // The number of the call that is under way past its deadline, 0 if there is none.
  [[nodiscard]] std::uint64_t StuckCall(std::int64_t now) const;
  // The name of the collector whose call began last; empty if there is no worker.
  [[nodiscard]] std::string_view LastCollector() const;

  [[nodiscard]] const PageDevice& page_device() const { return page_device_; }
  [[nodiscard]] const std::shared_ptr<DeviceChannel>& channel() const { return channel_; }
  // Whether there is a series that was not there, or one is named differently. Series that ended
  // are forgotten on the way.
  bool TakeSeriesChanged();
  [[nodiscard]] const std::vector<std::optional<double>>& values() const { return values_; }
  // The values of page_device().open, in its order.
  [[nodiscard]] const std::vector<std::optional<double>>& open_values() const {
    return open_values_;
  }
  [[nodiscard]] std::optional<double> last_answer_wall() const { return last_answer_wall_; }
  [[nodiscard]] std::optional<CallResult> last_result(std::size_t collector) const {
    return last_results_[collector];
  }
  // True the first time that it is asked for the collector.
  bool NewlyRejected(std::size_t collector) {
    const bool before = rejected_before_[collector];
    rejected_before_[collector] = true;
    return !before;
  }
  // The newest call that was counted as timed out, so that none counts twice.
  std::uint64_t counted_timeout = 0;

 private:
  void Take(const Sample& sample, std::string_view text);
  void TakeOpen(const Sample& sample, std::string_view text);
  void Clear(std::size_t collector);
  void ClearAll();
  [[nodiscard]] bool Fresh(std::int64_t now, const SamplingPlan& plan) const;

  const Catalog& catalog_;
  PageDevice page_device_;
  std::shared_ptr<DeviceChannel> channel_;
  bool waiting_ = false;
  std::vector<std::optional<double>> values_;            // by slot
  std::vector<std::optional<double>> open_values_;       // of page_device_.open
  std::vector<std::int64_t> last_good_;                  // by collector
  std::vector<std::optional<CallResult>> last_results_;  // by collector
  std::vector<bool> rejected_before_;                    // by collector
  std::int64_t last_answer_ = 0;                         // of the fast or the health group
  std::optional<double> last_answer_wall_;
  bool hung_ = false;
  bool lost_ = false;
  bool series_changed_ = true;
};

}  // namespace ascend

// What the publisher knows of one device: its newest values, how old they are, what they add up to,
// whether it answers. It outlives workers and driver hosts, so integrals and counts go on.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "collectors/catalog.h"
#include "exporter/border/group_block.h"
#include "exporter/border/topology_record.h"
#include "exporter/engine/fault_tracker.h"
#include "exporter/engine/row_memory.h"
#include "exporter/engine/sampling_plan.h"
#include "exporter/page/layout.h"
#include "exporter/page/snapshot.h"

namespace ascend {

// Publisher thread only. Times are monotonic nanoseconds; 0 is never.
class DeviceView {
 public:
  DeviceView(const Catalog& catalog, const TopologyDevice& device, nanoseconds window);

  // Goes on with the same device under a new worker, or none if it was lost. What is known stays
  // until it is stale, or until the new worker cannot say that it is the same chip.
  void Rebind(const TopologyDevice& device);
  // Takes also what the worker of a host tells that is to take over; null, or without a channel:
  // there is none.
  void Accompany(const TopologyDevice* device);
  // Forgets all values: nobody samples the device, on purpose.
  void Release();
  // The same rows in the same order, others of them shown.
  void UseCatalog(const Catalog& catalog) { catalog_ = &catalog; }

  // What a block is applied with: which of the device's channels it came from, the time on this
  // side of the border, and how old a value may be.
  struct Arrival {
    const DeviceChannel* from = nullptr;
    std::int64_t now = 0;
    double wall_seconds = 0;
    const SamplingPlan* plan = nullptr;
  };
  // Takes the values of a block that ReadBlock has accepted; turns its samples into what is
  // published, in place.
  void Apply(GroupBlock& block, const Arrival& arrival);
  // Drops what is too old. True if anything was.
  bool Expire(std::int64_t now, const SamplingPlan& plan);
  // Looks whether a call hangs. `held`: it is not called, since it hung.
  void Watch(std::int64_t now, const SamplingPlan& plan, bool held);

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
  [[nodiscard]] const std::shared_ptr<DeviceChannel>& beside() const { return beside_; }
  // Whether the channel has told a good value since it was bound.
  [[nodiscard]] bool sampled_by(const DeviceChannel* channel) const {
    if (channel == nullptr) return false;
    return channel == channel_.get() ? sampled_ : channel == beside_.get() && beside_sampled_;
  }
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
  [[nodiscard]] bool Trusts(const DeviceChannel* from) const;
  void ConfirmIdentity(const GroupBlock& block, const Arrival& arrival);
  void TakeCall(const GroupBlock& block, const CallRecord& call, std::span<Sample> samples,
                const Arrival& arrival);
  std::span<const Sample> Remember(const CallRecord& call, std::span<Sample> samples,
                                   const Arrival& arrival, nanoseconds most_gap);
  bool HearsFaults(const CallRecord& call, const Arrival& arrival, nanoseconds period);
  void ForgetHistory();
  void Take(const Sample& sample, std::string_view text);
  void TakeOpen(const Sample& sample, std::string_view text);
  void Clear(std::size_t collector);
  void ClearAll();
  [[nodiscard]] bool Fresh(std::int64_t now, const SamplingPlan& plan) const;

  const Catalog* catalog_;
  PageDevice page_device_;
  std::shared_ptr<DeviceChannel> channel_, beside_;
  std::uint32_t worker_, beside_worker_ = 0;
  bool waiting_ = false;
  // Whether the worker of the channel, or of the one beside it, has said who the device is; and
  // whether it has told a good value.
  bool confirmed_ = false, beside_confirmed_ = false;
  bool sampled_ = false, beside_sampled_ = false;
  std::int64_t bound_ns_ = 0;              // when the first block of the channel came; 0: none has
  std::size_t health_, faults_collector_;  // indexes of collectors
  RowMemory memory_;
  FaultTracker faults_;
  const DeviceChannel* faults_from_ = nullptr;  // who was heard last about faults
  std::int64_t faults_heard_ = 0;               // and when its call began
  std::vector<std::uint32_t> told_faults_;
  std::size_t text_left_ = 0;  // of the block that is applied
  std::vector<Sample> fault_samples_;
  std::string labels_;                                   // of the sample that is taken
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

// Samples one device: which group is due, one call after the other, what came of each.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/catalog.h"
#include "collectors/collector.h"
#include "exporter/border/berth.h"
#include "exporter/border/group_block.h"
#include "exporter/engine/call_log.h"
#include "exporter/engine/sampling_plan.h"
#include "hal/clock.h"
#include "hal/npu_driver.h"

namespace ascend {

// Lives on the device's own thread, where its calls may block. It knows nothing of the publisher
// but the channel, and owns or shares all that it touches: its thread may be left behind inside the
// driver. It keeps no value between two samplings but facts, so that nothing is lost with it.
class DeviceSampler {
 public:
  struct Parts {
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<NpuDriver> driver;
    std::shared_ptr<DeviceChannel> channel;
    std::uint32_t worker = 0;  // marks the blocks
    std::shared_ptr<const Board> board;
    std::shared_ptr<CallLog> log;
    // After each block that was pushed. Urgent: the device came or went.
    std::function<void(bool urgent)> on_block;
    Clock* clock = nullptr;  // outlives every thread
  };
  DeviceSampler(Parts parts, const SamplingPlan& plan, const FoundDevice& device);

  // Samples one group that is due, if any is, and those that come due meanwhile and have a shorter
  // period; pushes their blocks. Returns when the next one is due, which may be now.
  Mono RunDue();
  // Any thread: the next RunDue tells everything anew, to a consumer that knows nothing.
  void Refresh() { refresh_.store(true); }
  // Any thread: what is asked once is asked again, since other devices came or went.
  void ForgetFacts() { forget_facts_.store(true); }

 private:
  // What a collector of a fact has found: it is told again each round without a call.
  struct Fact {
    Mono asked{};
    std::vector<Sample> samples;
    std::vector<char> text;
    std::size_t text_begin = 0;  // to which the samples' texts refer
  };

  [[nodiscard]] std::optional<Group> NextGroup(nanoseconds shorter_than) const;
  void AskFactsAgain();
  void RunGroup(Group group);
  void SampleGroup(Group group);
  void LetPass(Group group);
  void Begin(Group group);
  void Push();
  void Call(std::size_t collector);
  CallResult Judge(const absl::Status& status, bool late, std::size_t collector, Mono now);
  void Take(std::size_t collector, const Sink& sink);
  void Append(CallRecord& record, const Sink& sink);
  void AppendOne(CallRecord& record, const Sample& sample);
  [[nodiscard]] Mono HeldUntil(std::optional<std::size_t> collector) const;
  void Keep(const Sink& sink, Fact& fact) const;
  void Repeat(std::size_t collector, const Fact& fact);
  void Identify(const DeviceIdentity& identity);
  void BeginAnew();
  void ReadIdentityAgain() { due_[static_cast<std::size_t>(Group::kIdentity)] = Mono{}; }
  Mono NextDue(Group group, Mono was_due);
  Mono RetryIdentity(Mono started);

  const Parts parts_;
  const SamplingPlan plan_;
  const FoundDevice device_;
  std::optional<DeviceIdentity> identity_;
  std::array<Mono, kGroups> due_{};               // the zero time: at once
  std::array<std::uint32_t, kGroups> skipped_{};  // ticks not yet reported
  nanoseconds identity_retry_{0};                 // back-off while nobody knows who the device is
  std::vector<bool> worked_;                      // by collector
  std::vector<bool> unsupported_;                 // by collector: asked once, then dropped
  std::vector<bool> was_slow_;                    // by collector: the last time
  std::vector<std::optional<Fact>> facts_;        // by collector
  std::atomic<bool> refresh_{false}, forget_facts_{false};
  GroupBlock block_;
};

}  // namespace ascend

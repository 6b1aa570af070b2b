#include "exporter/engine/call_metrics.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace ascend {
namespace {

const prometheus::Histogram::BucketBoundaries& Buckets() {
  static const prometheus::Histogram::BucketBoundaries buckets = {0.0001, 0.001, 0.005, 0.025,
                                                                  0.1,    0.5,   1,     5};
  return buckets;
}

constexpr std::size_t kMostDevices = 1024;

std::string Text(std::string_view text) { return std::string(text); }

}  // namespace

CallMetrics::CallMetrics(const Catalog& catalog, OwnMetrics& own)
    : catalog_(catalog), own_(own), collectors_(catalog.collectors().size()) {
  Show(catalog);
  for (std::size_t i = 0; i < kGroups; ++i) {
    skipped_[i] = &own.skipped_ticks.Add({{"group", Text(kGroupNames[i])}});
  }
}

void CallMetrics::Show(const Catalog& catalog) {
  for (std::size_t i = 0; i < collectors_.size(); ++i) {
    if (catalog.runs(i)) AddSeries(i);
  }
}

void CallMetrics::AddSeries(std::size_t collector) {
  PerCollector& per = collectors_[collector];
  if (per.duration != nullptr) return;
  const std::string name = Text(catalog_.collectors()[collector]->name);
  for (std::size_t i = 0; i < per.calls.size(); ++i) {
    per.calls[i] =
        &own_.driver_calls.Add({{"collector", name}, {"result", Text(kCallResultNames[i])}});
  }
  for (std::size_t i = 0; i < per.rejected.size(); ++i) {
    per.rejected[i] =
        &own_.rejected_values.Add({{"collector", name}, {"reason", Text(kRejectReasonNames[i])}});
  }
  per.duration = &own_.driver_call_duration.Add({{"collector", name}}, Buckets());
}

void CallMetrics::Count(const GroupBlock& block, DeviceView& device) {
  const auto group = static_cast<std::size_t>(block.group);
  if (group < kGroups) skipped_[group]->Increment(block.skipped_ticks);
  const std::size_t calls = std::min<std::size_t>(block.calls_used, GroupBlock::kMaxCalls);
  for (const CallRecord& call : std::span(block.calls).first(calls)) {
    const auto result = static_cast<std::size_t>(call.result);
    if (call.repeated || call.collector >= collectors_.size() || result >= kCallResultNames.size())
      continue;
    PerCollector& per = collectors_[call.collector];
    AddSeries(call.collector);
    const double seconds = static_cast<double>(std::max<std::int64_t>(0, call.duration_ns)) / 1e9;
    per.calls[result]->Increment();
    per.duration->Observe(seconds);
    if (per.last_duration == nullptr) {
      const std::string name = Text(catalog_.collectors()[call.collector]->name);
      per.last_duration = &own_.collector_last_duration.Add({{"collector", name}});
    }
    per.last_duration->Set(seconds);
    if (call.result == CallResult::kTimeout) CountTimeout(call.number, device);
    for (std::size_t i = 0; i < per.rejected.size(); ++i) {
      if (call.rejected[i] == 0) continue;
      if (device.NewlyRejected(call.collector)) {
        spdlog::warn("device {}: {} answered a value that cannot be true ({}); it is left out",
                     device.page_device().found.device, catalog_.collectors()[call.collector]->name,
                     kRejectReasonNames[i]);
      }
      per.rejected[i]->Increment(call.rejected[i]);
    }
  }
}

void CallMetrics::CountTimeout(std::uint64_t call, DeviceView& device) {
  if (call <= device.counted_timeout) return;  // numbers only grow
  device.counted_timeout = call;
  const std::string name = std::to_string(device.page_device().found.device);
  // More devices than there can be were named by a host that is not to be trusted.
  if (timed_out_.size() < kMostDevices) timed_out_.insert(name);
  if (timed_out_.contains(name)) own_.call_timeouts.Add({{"device", name}}).Increment();
}

void CallMetrics::UpdateSuccess(const std::vector<DeviceView>& devices) {
  for (std::size_t i = 0; i < collectors_.size(); ++i) {
    std::optional<bool> success;
    for (const DeviceView& device : devices) {
      const std::optional<CallResult> result = device.last_result(i);
      if (!result) continue;
      const bool good = *result == CallResult::kOk || *result == CallResult::kUnsupported;
      success = success.value_or(true) && good;
    }
    prometheus::Gauge*& gauge = collectors_[i].success;
    if (success && gauge == nullptr) {
      gauge = &own_.collector_success.Add({{"collector", Text(catalog_.collectors()[i]->name)}});
    }
    if (success) {
      gauge->Set(*success ? 1 : 0);
    } else if (gauge != nullptr) {
      own_.collector_success.Remove(std::exchange(gauge, nullptr));
    }
  }
}

}  // namespace ascend

#include "exporter/engine/call_log.h"

#include <spdlog/spdlog.h>

namespace ascend {
namespace {
constexpr auto kSummaryPeriod = std::chrono::minutes(10);
}

void CallLog::Failed(int device, std::string_view collector, std::string_view reason, Mono now) {
  ++failures_;
  if (failures_ == 1) {
    spdlog::warn("device {}: {} fails: {}", device, collector, reason);
  } else if (now - last_said_ >= kSummaryPeriod) {
    spdlog::warn("device {}: {} still fails, {} times so far: {}", device, collector, failures_,
                 reason);
  } else {
    return;
  }
  last_said_ = now;
}

void CallLog::Succeeded(int device, std::string_view collector) {
  if (failures_ == 0) return;
  spdlog::info("device {}: {} works again after {} failures", device, collector, failures_);
  failures_ = 0;
}

}  // namespace ascend

#include "exporter/engine/call_log.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace ascend {
namespace {
constexpr auto kSayAgainAfter = std::chrono::minutes(10);
constexpr std::size_t kMostReasons = 256;
}  // namespace

void CallLog::Failed(int device, std::string_view collector, std::string_view reason, Mono now) {
  MutexLock lock(mutex_);
  Failure& failure = failing_[{device, std::string(collector)}];
  ++failure.times;
  failure.reason = reason;
  if (said_.size() >= kMostReasons) said_.clear();
  const auto [said, first] = said_.try_emplace(failure.reason, now);
  if (!first && now - said->second < kSayAgainAfter) return;
  said->second = now;
  failure.said = true;
  Say(true,
      first ? fmt::format("device {}: {} fails: {}", device, collector, reason)
            : fmt::format("device {}: {} still fails, {} times so far; calls that fail now: {}: {}",
                          device, collector, failure.times, failing_.size(), reason),
      now);
}

void CallLog::Succeeded(int device, std::string_view collector, Mono now) {
  MutexLock lock(mutex_);
  if (failing_.empty()) return;
  const auto failure = failing_.find({device, std::string(collector)});
  if (failure == failing_.end()) return;
  if (failure->second.said) {
    Say(false,
        fmt::format("device {}: {} works again after {} failures", device, collector,
                    failure->second.times),
        now);
  }
  End(failure);
}

void CallLog::Forget(int device, std::string_view collector) {
  MutexLock lock(mutex_);
  const auto failure = failing_.find({device, std::string(collector)});
  if (failure != failing_.end()) End(failure);
}

void CallLog::Forget(int device) {
  MutexLock lock(mutex_);
  for (auto failure = failing_.begin(); failure != failing_.end();) {
    const auto next = std::next(failure);
    if (failure->first.first == device) End(failure);
    failure = next;
  }
}

// When the last call that failed for a reason is over, the reason is news again.
void CallLog::End(Failing::iterator failure) {
  const std::string reason = std::move(failure->second.reason);
  failing_.erase(failure);
  const bool over = std::ranges::none_of(
      failing_, [&](const auto& entry) { return entry.second.reason == reason; });
  if (over) said_.erase(reason);
}

void CallLog::Say(bool bad, const std::string& text, Mono now) {
  const std::optional<std::size_t> left_out = budget_.Take(now);
  if (!left_out) return;
  if (*left_out > 0) spdlog::warn("{} lines about driver calls were left out", *left_out);
  spdlog::log(bad ? spdlog::level::warn : spdlog::level::info, "{}", text);
}

}  // namespace ascend

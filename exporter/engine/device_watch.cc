#include <algorithm>
#include <limits>

#include "collectors/health.h"
#include "exporter/engine/device_view.h"

namespace ascend {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::uint64_t DeviceView::StuckCall(std::int64_t now) const {
  if (channel_ == nullptr) return 0;
  const std::uint64_t number = channel_->call_number.load(std::memory_order_acquire);
  const std::int64_t deadline = channel_->call_deadline_ns.load(std::memory_order_acquire);
  const bool same = channel_->call_number.load(std::memory_order_acquire) == number;
  return same && number % 2 == 1 && now >= deadline ? number : 0;
}

std::string_view DeviceView::LastCollector() const {
  if (channel_ == nullptr) return {};
  const std::size_t index = channel_->call_collector.load(std::memory_order_relaxed);
  return index < catalog_->collectors().size() ? catalog_->collectors()[index]->name : "";
}

void DeviceView::Watch(std::int64_t now, const SamplingPlan& plan, bool held) {
  const bool missed = now - last_answer_ >= 2 * plan[Group::kFast].period.count();
  hung_ = hung_ || (missed && (held || StuckCall(now) != 0));
}

std::int64_t DeviceView::NextCheck(std::int64_t now, const SamplingPlan& plan) const {
  std::int64_t next = kNever;
  for (std::size_t i = 0; i < last_good_.size(); ++i) {
    const GroupPlan& group = plan[catalog_->collectors()[i]->group];
    if (last_good_[i] != 0) next = std::min(next, last_good_[i] + group.stale_after.count() + 1);
  }
  if (channel_ == nullptr || hung_) return next;
  // A device that answers moves this on with each answer, so that nothing wakes for it.
  const std::int64_t missed = last_answer_ + 2 * plan[Group::kFast].period.count();
  const std::int64_t deadline = channel_->call_deadline_ns.load(std::memory_order_acquire);
  const bool calling = channel_->call_number.load(std::memory_order_acquire) % 2 == 1;
  if (calling) return std::min(next, std::max(missed, deadline));
  // One that does not answer may begin to hang at any time, and nobody tells.
  return std::min(next, missed > now ? missed : now + plan[Group::kFast].period.count());
}

bool DeviceView::Fresh(std::int64_t now, const SamplingPlan& plan) const {
  return last_answer_ != 0 && now - last_answer_ <= plan[Group::kFast].stale_after.count();
}

bool DeviceView::Up(std::int64_t now, const SamplingPlan& plan) const {
  return (channel_ != nullptr || waiting_) && !lost_ && !hung_ && Fresh(now, plan);
}

DeviceState DeviceView::State(std::int64_t now, const SamplingPlan& plan) const {
  if ((channel_ == nullptr && !waiting_) || lost_) return DeviceState::kLost;
  if (hung_) return DeviceState::kHung;
  if (!Fresh(now, plan)) return DeviceState::kUnknown;
  if (health_ == catalog_->collectors().size()) return DeviceState::kUnknown;
  const CatalogRow& row = catalog_->RowsOfCollector(health_)[0];
  const auto is = [&](Health state) {
    return values_[row.first_slot + static_cast<std::size_t>(state)].value_or(0) == 1;
  };
  if (is(Health::kOk)) return DeviceState::kHealthy;
  const bool bad = is(Health::kWarning) || is(Health::kAlarm) || is(Health::kCritical);
  return bad ? DeviceState::kUnhealthy : DeviceState::kUnknown;
}

}  // namespace ascend

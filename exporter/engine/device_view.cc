#include "exporter/engine/device_view.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "collectors/all.h"
#include "hal/same_chip.h"

namespace ascend {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::size_t IndexOf(const Catalog& catalog, const Collector& collector) {
  const auto found = std::ranges::find(catalog.collectors(), &collector);
  return static_cast<std::size_t>(found - catalog.collectors().begin());
}

}  // namespace

DeviceView::DeviceView(const Catalog& catalog, const TopologyDevice& device)
    : catalog_(catalog),
      page_device_{device.found, std::nullopt, {}},
      channel_(device.channel),
      values_(catalog.device_slots()),
      last_good_(catalog.collectors().size()),
      last_results_(catalog.collectors().size()),
      rejected_before_(catalog.collectors().size()) {}

void DeviceView::Rebind(const TopologyDevice& device) {
  if (page_device_.found != device.found) {
    page_device_.found = device.found;
    series_changed_ = true;
  }
  waiting_ = device.waiting;
  if (channel_ == device.channel) return;
  channel_ = device.channel;
  if (waiting_) return;  // what is known is true until it is stale, and hung is hung
  if (channel_ != nullptr && page_device_.identity) {  // a new worker finds out who it is
    page_device_.identity.reset();
    series_changed_ = true;
  }
  hung_ = false;
  lost_ = false;
  last_answer_ = 0;
  counted_timeout = 0;
  ClearAll();
}

void DeviceView::ClearAll() {
  for (std::size_t i = 0; i < last_good_.size(); ++i) Clear(i);
  std::ranges::fill(last_results_, std::nullopt);
}

void DeviceView::Clear(std::size_t collector) {
  last_good_[collector] = 0;
  for (const CatalogRow& row : catalog_.RowsOfCollector(collector)) {
    std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(row.first_slot), row.row->slots(),
                std::nullopt);
  }
  const std::size_t first = catalog_.FirstRow(collector);
  const std::size_t end = first + catalog_.RowsOfCollector(collector).size();
  for (std::size_t i = 0; i < open_values_.size(); ++i) {
    const std::uint32_t row = page_device_.open[i].row;
    if (row >= first && row < end) open_values_[i].reset();
  }
}

// The block may come from another process: every index in it is checked before it is used.
void DeviceView::Apply(const GroupBlock& block) {
  if (block.identified && page_device_.identity != block.identity) {
    if (page_device_.identity && IsAnotherChip(*page_device_.identity, block.identity)) ClearAll();
    page_device_.identity = block.identity;
    series_changed_ = true;
  }
  const std::string_view text(block.text.data(),
                              std::min<std::size_t>(block.text_used, GroupBlock::kMaxText));
  std::size_t next = 0;
  const std::size_t calls = std::min<std::size_t>(block.calls_used, GroupBlock::kMaxCalls);
  for (const CallRecord& call : std::span(block.calls).first(calls)) {
    const std::size_t first = std::min(next, GroupBlock::kMaxSamples);
    next = std::min<std::size_t>(first + call.samples, GroupBlock::kMaxSamples);
    if (call.collector >= last_good_.size()) continue;
    last_results_[call.collector] = call.result;
    if (call.result != CallResult::kOk) continue;
    Clear(call.collector);
    last_good_[call.collector] = call.started_ns;
    const bool health = catalog_.collectors()[call.collector] == &kHealthCollector;
    if (health) lost_ = block.lost;
    const bool answered = !(health && block.lost);  // the driver answers for a chip that is gone
    if (answered && (block.group == Group::kFast || block.group == Group::kHealth)) {
      hung_ = false;
      last_answer_ = call.started_ns;
      last_answer_wall_ =
          static_cast<double>(block.started_wall_ns + call.started_ns - block.started_ns) / 1e9;
    }
    for (const Sample& sample : std::span(block.samples).subspan(first, next - first)) {
      if (sample.row < catalog_.rows().size()) Take(sample, text);
    }
  }
}

void DeviceView::Take(const Sample& sample, std::string_view text) {
  const CatalogRow& row = catalog_.rows()[sample.row];
  if (row.row->is_open()) {
    if (row.shown) TakeOpen(sample, text);
  } else if (row.row->kind == Kind::kState) {
    for (std::size_t i = 0; i < row.row->slots(); ++i) {
      values_[row.first_slot + i] = static_cast<double>(i) == sample.value ? 1 : 0;
    }
  } else {
    values_[row.first_slot] = sample.value;
  }
}

void DeviceView::TakeOpen(const Sample& sample, std::string_view text) {
  std::string labels;
  text.remove_prefix(
      std::min<std::size_t>(sample.text == 0 ? text.size() : sample.text - 1U, text.size()));
  for (std::size_t i = 0; i < catalog_.rows()[sample.row].row->text_labels.size(); ++i) {
    const std::size_t size = std::min(text.find('\0'), text.size());
    labels.append(text.substr(0, size)).push_back('\0');
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  std::vector<OpenSeries>& open = page_device_.open;
  const auto order = [](const OpenSeries& series) { return std::pair(series.row, series.key); };
  const auto place = std::ranges::lower_bound(
      open, std::pair<std::uint32_t, std::uint32_t>(sample.row, sample.key), {}, order);
  const auto index = place - open.begin();
  if (place == open.end() || place->row != sample.row || place->key != sample.key) {
    open.insert(place, {sample.row, sample.key, std::move(labels)});
    open_values_.insert(open_values_.begin() + index, sample.value);
    series_changed_ = true;
    return;
  }
  open_values_[static_cast<std::size_t>(index)] = sample.value;
  if (place->text == labels) return;
  place->text = std::move(labels);
  series_changed_ = true;
}

bool DeviceView::TakeSeriesChanged() {
  if (!std::exchange(series_changed_, false)) return false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < open_values_.size(); ++i) {
    if (!open_values_[i]) continue;
    if (kept != i) page_device_.open[kept] = std::move(page_device_.open[i]);
    open_values_[kept++] = open_values_[i];
  }
  page_device_.open.resize(kept);
  open_values_.resize(kept);
  return true;
}

bool DeviceView::Expire(std::int64_t now, const SamplingPlan& plan) {
  bool expired = false;
  for (std::size_t i = 0; i < last_good_.size(); ++i) {
    const GroupPlan& group = plan[catalog_.collectors()[i]->group];
    if (last_good_[i] == 0 || now - last_good_[i] <= group.stale_after.count()) continue;
    Clear(i);
    expired = true;
  }
  return expired;
}

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
  return index < catalog_.collectors().size() ? catalog_.collectors()[index]->name : "";
}

void DeviceView::Watch(std::int64_t now, const SamplingPlan& plan) {
  const bool missed = now - last_answer_ >= 2 * plan[Group::kFast].period.count();
  hung_ = hung_ || (missed && StuckCall(now) != 0);
}

std::int64_t DeviceView::NextCheck(std::int64_t now, const SamplingPlan& plan) const {
  std::int64_t next = kNever;
  for (std::size_t i = 0; i < last_good_.size(); ++i) {
    const GroupPlan& group = plan[catalog_.collectors()[i]->group];
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
  const std::size_t health = IndexOf(catalog_, kHealthCollector);
  if (health == catalog_.collectors().size()) return DeviceState::kUnknown;
  const CatalogRow& row = catalog_.RowsOfCollector(health)[0];
  const auto is = [&](Health state) {
    return values_[row.first_slot + static_cast<std::size_t>(state)].value_or(0) == 1;
  };
  if (is(Health::kOk)) return DeviceState::kHealthy;
  const bool bad = is(Health::kWarning) || is(Health::kAlarm) || is(Health::kCritical);
  return bad ? DeviceState::kUnhealthy : DeviceState::kUnknown;
}

}  // namespace ascend

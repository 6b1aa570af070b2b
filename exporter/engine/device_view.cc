#include "exporter/engine/device_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collectors/all.h"
#include "collectors/faults.h"
#include "collectors/ranges.h"
#include "hal/same_chip.h"

namespace ascend {
namespace {

// How long a new worker has to say who its device is, before it is taken for an unknown one.
constexpr std::int64_t kIdentityPatience = 30'000'000'000;
constexpr std::uint16_t kNoRow = 0xfffd;  // of a sample that is left out
// Open series that are kept of one device: far more than a chip has.
constexpr std::size_t kMostOpen = 8192;

// Checked again on this side of the border: a host may tell anything.
bool IsPossible(double value, const Row& row) {
  if (row.kind == Kind::kState) {
    return value >= 0 && value < static_cast<double>(row.states.size()) &&
           value == std::floor(value);
  }
  return IsPlausible(value, row);
}

std::size_t IndexOf(const Catalog& catalog, const Collector& collector) {
  const auto found = std::ranges::find(catalog.collectors(), &collector);
  return static_cast<std::size_t>(found - catalog.collectors().begin());
}

}  // namespace

DeviceView::DeviceView(const Catalog& catalog, const TopologyDevice& device, nanoseconds window)
    : catalog_(&catalog),
      page_device_{device.found, std::nullopt, {}},
      channel_(device.channel),
      worker_(device.worker),
      waiting_(device.waiting),
      health_(IndexOf(catalog, kHealthCollector)),
      faults_collector_(IndexOf(catalog, kFaultsCollector)),
      memory_(catalog, window),
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
  if (channel_ == device.channel && worker_ == device.worker) return;
  const bool takes_over =
      device.channel != nullptr && device.channel == beside_ && device.worker == beside_worker_;
  worker_ = device.worker;
  const bool was_lost = std::exchange(channel_, device.channel) == nullptr && lost_;
  confirmed_ = takes_over && beside_confirmed_;
  sampled_ = takes_over && beside_sampled_;
  bound_ns_ = 0;
  counted_timeout = 0;
  if (takes_over) Accompany(nullptr);
  if (waiting_) return;  // what is known is true until it is stale, and hung is hung
  if (channel_ == nullptr) {
    hung_ = false;
    ClearAll();
  } else if (was_lost) {
    lost_ = false;
  }
}

void DeviceView::Accompany(const TopologyDevice* device) {
  std::shared_ptr<DeviceChannel> channel = device == nullptr ? nullptr : device->channel;
  const std::uint32_t worker = device == nullptr ? 0 : device->worker;
  if (beside_ == channel && beside_worker_ == worker) return;
  beside_ = std::move(channel);
  beside_worker_ = worker;
  beside_confirmed_ = false;
  beside_sampled_ = false;
}

void DeviceView::Release() {
  channel_ = nullptr;
  Accompany(nullptr);
  waiting_ = true;
  hung_ = false;
  ClearAll();
}

void DeviceView::ClearAll() {
  for (std::size_t i = 0; i < last_good_.size(); ++i) Clear(i);
  std::ranges::fill(last_results_, std::nullopt);
  last_answer_ = 0;
}

// The counters begin anew: they are another chip's.
void DeviceView::ForgetHistory() {
  memory_.Forget();
  faults_ = FaultTracker();
  ClearAll();
}

void DeviceView::Clear(std::size_t collector) {
  last_good_[collector] = 0;
  for (const CatalogRow& row : catalog_->RowsOfCollector(collector)) {
    std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(row.first_slot), row.row->slots(),
                std::nullopt);
  }
  const std::size_t first = catalog_->FirstRow(collector);
  const std::size_t end = first + catalog_->RowsOfCollector(collector).size();
  for (std::size_t i = 0; i < open_values_.size(); ++i) {
    const std::uint32_t row = page_device_.open[i].row;
    if (row >= first && row < end) open_values_[i].reset();
  }
}

void DeviceView::ConfirmIdentity(const GroupBlock& block, const Arrival& arrival) {
  bool& confirmed = arrival.from == beside_.get() ? beside_confirmed_ : confirmed_;
  std::optional<DeviceIdentity>& known = page_device_.identity;
  if (block.identified != 0) {
    confirmed = true;
    DeviceIdentity told = block.identity;
    if (known && IsAnotherChip(*known, told)) {
      ForgetHistory();
    } else if (known) {  // what tells chips apart stays known if a new worker cannot read it
      if (told.die_id.empty()) told.die_id = known->die_id;
      if (told.pci_address.empty()) told.pci_address = known->pci_address;
    }
    if (known == told) return;
    known = told;
    series_changed_ = true;
  } else if (!confirmed && known && arrival.from == channel_.get() &&
             arrival.now - bound_ns_ > kIdentityPatience) {
    // The worker cannot tell: it may be another chip.
    ForgetHistory();
    known.reset();
    series_changed_ = true;
  }
}

// Whether what the channel tells is about the chip that is shown. A new worker's word counts when
// it has said who it samples, or while nobody was known.
bool DeviceView::Trusts(const DeviceChannel* from) const {
  if (from == beside_.get()) return beside_confirmed_;
  return confirmed_ || !page_device_.identity;
}

void DeviceView::Apply(GroupBlock& block, const Arrival& arrival) {
  // What an earlier worker left in the channel is about another device.
  if (block.worker != (arrival.from == channel_.get() ? worker_ : beside_worker_)) return;
  if (arrival.from == channel_.get() && bound_ns_ == 0) bound_ns_ = arrival.now;
  ConfirmIdentity(block, arrival);
  text_left_ = block.text_used;
  std::size_t first = 0;
  for (const CallRecord& call : std::span(block.calls).first(block.calls_used)) {
    const std::span samples = std::span(block.samples).subspan(first, call.samples);
    first += call.samples;
    const bool possible = call.started_ns > 0 && call.started_ns <= arrival.now;
    if (call.collector < last_good_.size() && possible && Trusts(arrival.from)) {
      TakeCall(block, call, samples, arrival);
    }
  }
}

// A fault that two workers tell of would seem to begin twice. The one beside is heard when the
// device's own is silent; whoever begins to be heard has nothing new about the tick that the other
// one told of last.
bool DeviceView::HearsFaults(const CallRecord& call, const Arrival& arrival, nanoseconds period) {
  const nanoseconds silence = arrival.from == channel_.get() ? period / 2 : 2 * period;
  const bool heard = faults_from_ == nullptr || faults_from_ == arrival.from ||
                     call.started_ns - faults_heard_ >= silence.count();
  if (!heard) return false;
  faults_from_ = arrival.from;
  faults_heard_ = call.started_ns;
  return true;
}

void DeviceView::TakeCall(const GroupBlock& block, const CallRecord& call,
                          std::span<Sample> samples, const Arrival& arrival) {
  const Group group = catalog_->collectors()[call.collector]->group;
  const GroupPlan& plan = (*arrival.plan)[group];
  if (arrival.from == channel_.get()) last_results_[call.collector] = call.result;
  if (call.collector == faults_collector_ && !HearsFaults(call, arrival, plan.period)) return;
  const std::span<const Sample> shown = Remember(call, samples, arrival, plan.stale_after);
  if (call.result != CallResult::kOk || call.started_ns <= last_good_[call.collector]) return;
  Clear(call.collector);
  last_good_[call.collector] = call.started_ns;
  (arrival.from == beside_.get() ? beside_sampled_ : sampled_) = true;
  const bool health = call.collector == health_;
  if (health) lost_ = block.lost != 0;
  const bool answered = !(health && lost_);  // the driver answers for a chip that is gone
  if (answered && (group == Group::kFast || group == Group::kHealth)) {
    hung_ = false;
    last_answer_ = std::max(last_answer_, call.started_ns);
    last_answer_wall_ =
        arrival.wall_seconds - static_cast<double>(arrival.now - last_answer_) / 1e9;
  }
  const std::string_view text(block.text.data(), block.text_used);
  for (const Sample& sample : shown) Take(sample, text);
}

// Turns the samples of a call into what is published. Returns those that have values.
std::span<const Sample> DeviceView::Remember(const CallRecord& call, std::span<Sample> samples,
                                             const Arrival& arrival, nanoseconds most_gap) {
  const std::size_t first_row = catalog_->FirstRow(call.collector);
  const std::size_t end_row = first_row + catalog_->RowsOfCollector(call.collector).size();
  FixedList<WrappingSample, 128> wrapping;
  std::size_t kept = 0;
  told_faults_.clear();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample sample = samples[i];
    if (sample.row == kRangeRow && sample.key < kept && sample.value > 0) {
      wrapping.Add({sample.key, std::min(sample.value, kCounterRange.most)});
    } else if (sample.row == kFaultEventRow) {
      told_faults_.push_back(sample.key);
    } else if (sample.row >= first_row && sample.row < end_row) {
      // In place, so that the ranges behind find them; what cannot be true has no row.
      samples[kept] = sample;
      if (!IsPossible(sample.value, *catalog_->rows()[sample.row].row)) samples[kept].row = kNoRow;
      ++kept;
    }
  }
  if (call.collector == faults_collector_) faults_.Tell(told_faults_);
  // Of two workers that sample at once the one whose call is older may be read later.
  if (call.result != CallResult::kOk || call.started_ns <= last_good_[call.collector]) return {};
  samples = samples.first(kept);
  memory_.Apply(samples, wrapping.items(), call.started_ns, most_gap);
  if (call.collector != faults_collector_) return samples;
  fault_samples_.assign(samples.begin(), samples.end());
  fault_samples_.resize(kept + kMaxFaultCodes + kFaultActions);
  const std::span all(fault_samples_);
  const double began =
      arrival.wall_seconds - static_cast<double>(arrival.now - call.started_ns) / 1e9;
  return all.first(kept + faults_.Update(all.first(kept), first_row, began, all.subspan(kept)));
}

void DeviceView::Take(const Sample& sample, std::string_view text) {
  if (sample.row == kNoRow) return;
  const CatalogRow& row = catalog_->rows()[sample.row];
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
  std::string& labels = labels_;
  labels.clear();
  text.remove_prefix(
      std::min<std::size_t>(sample.text == 0 ? text.size() : sample.text - 1U, text.size()));
  for (std::size_t i = 0; i < catalog_->rows()[sample.row].row->text_labels.size(); ++i) {
    std::size_t size = std::min(text.find('\0'), text.size());
    if (size > text_left_) size = 0;  // texts that overlap would be more than the block has
    text_left_ -= size;
    labels.append(text.substr(0, size)).push_back('\0');
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  std::vector<OpenSeries>& open = page_device_.open;
  const auto order = [](const OpenSeries& series) { return std::pair(series.row, series.key); };
  const auto place = std::ranges::lower_bound(
      open, std::pair<std::uint32_t, std::uint32_t>(sample.row, sample.key), {}, order);
  const auto index = place - open.begin();
  if (place == open.end() || place->row != sample.row || place->key != sample.key) {
    if (open.size() == kMostOpen) return;
    open.insert(place, {sample.row, sample.key, labels});
    open_values_.insert(open_values_.begin() + index, sample.value);
    series_changed_ = true;
    return;
  }
  open_values_[static_cast<std::size_t>(index)] = sample.value;
  if (place->text == labels) return;
  place->text = labels;
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
    const GroupPlan& group = plan[catalog_->collectors()[i]->group];
    if (last_good_[i] == 0 || now - last_good_[i] <= group.stale_after.count()) continue;
    Clear(i);
    expired = true;
  }
  return expired;
}

}  // namespace ascend

#include "exporter/engine/device_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collectors/all.h"
#include "hal/same_chip.h"

namespace ascend {
namespace {

std::int64_t Nanoseconds(Mono time) { return time.time_since_epoch().count(); }

// The order in which groups that are due at the same time are sampled.
constexpr Group kOrder[] = {Group::kIdentity, Group::kFast,  Group::kHealth,
                            Group::kMemory,   Group::kLinks, Group::kNetwork};

// How long a group's values wait for those of its later calls.
constexpr nanoseconds kHoldBack = std::chrono::milliseconds(50);
constexpr nanoseconds kFirstIdentityRetry = std::chrono::seconds(1);

std::string Describe(const absl::Status& status) { return std::string(status.message()); }

}  // namespace

DeviceSampler::DeviceSampler(Parts parts, const SamplingPlan& plan, const FoundDevice& device)
    : parts_(std::move(parts)),
      plan_(plan),
      device_(device),
      worked_(parts_.catalog->collectors().size()),
      unsupported_(parts_.catalog->collectors().size()),
      was_slow_(parts_.catalog->collectors().size()),
      facts_(parts_.catalog->collectors().size()),
      memory_(*parts_.catalog, plan.window),
      faults_collector_(static_cast<std::size_t>(
          std::ranges::find(parts_.catalog->collectors(), &kFaultsCollector) -
          parts_.catalog->collectors().begin())) {}

Mono DeviceSampler::RunDue() {
  for (Group group : kOrder) {
    Mono& due = due_[static_cast<std::size_t>(group)];
    const Mono start = parts_.clock->Now();
    if (start < due) continue;
    const Mono was_due = std::exchange(due, Mono::max());
    SampleGroup(group);
    due = std::min(due, NextDue(group, was_due));
    if (group == Group::kIdentity && !identity_) due = std::min(due, RetryIdentity(start));
  }
  return *std::ranges::min_element(due_);
}

// Until it is known who the device is, ask more often; but a call that fails slowly leaves the
// thread to the other groups for most of the time.
Mono DeviceSampler::RetryIdentity(Mono started) {
  const Mono now = parts_.clock->Now();
  const nanoseconds first = std::max<nanoseconds>(plan_[Group::kFast].period, kFirstIdentityRetry);
  identity_retry_ = std::max(2 * identity_retry_, first);
  return now + std::max<nanoseconds>(identity_retry_, 10 * (now - started));
}

// Groups of all devices are due at the same moments, the multiples of their period, so that one
// snapshot shows them all.
Mono DeviceSampler::NextDue(Group group, Mono was_due) {
  const nanoseconds period = plan_[group].period;
  const Mono now = parts_.clock->Now();
  const auto next = Mono((now.time_since_epoch() / period + 1) * period);
  if (was_due == Mono{}) return next;
  const auto missed = (next - was_due) / period - 1;
  if (missed > 0) skipped_[static_cast<std::size_t>(group)] += static_cast<std::uint32_t>(missed);
  return next;
}

void DeviceSampler::SampleGroup(Group group) {
  Begin(group);
  const auto collectors = parts_.catalog->collectors();
  for (std::size_t i = 0; i < collectors.size(); ++i) {
    if (collectors[i]->group != group) continue;
    // Calls that are slow, or hang, do not hold back what those before them have found.
    const bool slow = Nanoseconds(parts_.clock->Now()) - block_.started_ns > kHoldBack.count();
    const bool push = slow || was_slow_[i] || block_.calls_used == GroupBlock::kMaxCalls;
    if (block_.calls_used > 0 && push) {
      Push();
      Begin(group);
    }
    Call(i);
  }
  Push();
}

void DeviceSampler::Begin(Group group) {
  block_.group = group;
  block_.lost = false;
  block_.identified = false;
  block_.calls_used = 0;
  block_.samples_used = 0;
  block_.text_used = 0;
  block_.skipped_ticks = std::exchange(skipped_[static_cast<std::size_t>(group)], 0);
  block_.started_ns = Nanoseconds(parts_.clock->Now());
  block_.started_wall_ns = absl::ToUnixNanos(parts_.clock->Wall());
}

void DeviceSampler::Push() {
  if (parts_.channel->ring.Push(block_)) return parts_.on_block();
  // The publisher is far behind. Values come again; these would not.
  skipped_[static_cast<std::size_t>(block_.group)] += block_.skipped_ticks;
  if (block_.identified) ReadIdentityAgain();
}

void DeviceSampler::Call(std::size_t index) {
  const Collector& collector = *parts_.catalog->collectors()[index];
  const DeviceIdentity known = identity_.value_or(DeviceIdentity{});
  if (unsupported_[index] || (collector.needs & ~known.traits) != 0) return;
  if (collector.once && !identity_) return;
  if (facts_[index]) return Repeat(index, *facts_[index]);

  Sink sink(block_.Free(), parts_.catalog->FirstRow(index), known);
  DeviceChannel& channel = *parts_.channel;
  const Mono start = parts_.clock->Now();
  const Mono deadline = start + plan_[collector.group].deadline + collector.sleeps;
  channel.call_collector.store(static_cast<std::uint8_t>(index), std::memory_order_relaxed);
  channel.call_deadline_ns.store(Nanoseconds(deadline), std::memory_order_relaxed);
  const std::uint64_t number = channel.call_number.fetch_add(1, std::memory_order_release) + 1;
  const absl::Status status = collector.collect(*parts_.driver, device_.address, sink);
  channel.call_number.fetch_add(1, std::memory_order_release);
  const Mono end = parts_.clock->Now();
  was_slow_[index] = end - start > kHoldBack;
  // Whenever the list was read: what the driver has told is told once.
  if (index == faults_collector_) faults_.Tell(sink.fault_events().items());

  CallRecord& record = block_.calls[block_.calls_used++];
  record = {.collector = static_cast<std::uint8_t>(index),
            .rejected = sink.rejected(),
            .number = number,
            .started_ns = Nanoseconds(start),
            .duration_ns = (end - start).count()};
  record.result = Judge(status, end > deadline, index, end);
  if (record.result == CallResult::kOk) Take(index, sink, record);
}

CallResult DeviceSampler::Judge(const absl::Status& status, bool late, std::size_t index,
                                Mono now) {
  const std::string_view name = parts_.catalog->collectors()[index]->name;
  if (late) {  // nobody knows when a late answer was true, nor whether it is still the same chip
    ReadIdentityAgain();
    parts_.log->Failed(device_.device, name, "answered after its deadline; the answer is dropped",
                       now);
    return CallResult::kTimeout;
  }
  // A chip that has answered once does support the call, whatever it says in a bad moment.
  if (absl::IsUnimplemented(status) && !worked_[index]) {
    unsupported_[index] = true;
    parts_.log->Forget(device_.device, name);
    return CallResult::kUnsupported;
  }
  if (!status.ok()) {
    parts_.log->Failed(device_.device, name, Describe(status), now);
    return CallResult::kError;
  }
  worked_[index] = true;
  parts_.log->Succeeded(device_.device, name, now);
  return CallResult::kOk;
}

void DeviceSampler::Take(std::size_t index, const Sink& sink, CallRecord& record) {
  std::size_t count = sink.samples().size();
  if (sink.identity()) Identify(*sink.identity());
  block_.lost = block_.lost || sink.lost();
  if (sink.lost()) ReadIdentityAgain();  // whoever comes back may be another chip
  memory_.Apply(sink.samples(), sink.wrapping(), record.started_ns,
                plan_[block_.group].stale_after);
  if (index == faults_collector_) {
    const double wall = static_cast<double>(block_.started_wall_ns) / 1e9;
    const std::span rest = std::span(block_.samples).subspan(block_.samples_used + count);
    count += faults_.Update(sink.samples(), parts_.catalog->FirstRow(index), wall, rest);
  }
  if (parts_.catalog->collectors()[index]->once) Keep(sink, facts_[index].emplace());
  record.samples = static_cast<std::uint16_t>(count);
  block_.samples_used = static_cast<std::uint16_t>(block_.samples_used + count);
  block_.text_used = static_cast<std::uint16_t>(block_.text_used + sink.text().size());
}

void DeviceSampler::Keep(const Sink& sink, Fact& fact) const {
  fact.samples.assign(sink.samples().begin(), sink.samples().end());
  fact.text.assign(sink.text().begin(), sink.text().end());
  fact.text_begin = block_.text_used;
}

void DeviceSampler::Repeat(std::size_t index, const Fact& fact) {
  const Sink::Room room = block_.Free();
  if (fact.samples.size() > room.samples.size() || fact.text.size() > room.text.size()) return;
  std::ranges::copy(fact.samples, room.samples.begin());
  std::ranges::copy(fact.text, room.text.begin());
  for (Sample& sample : room.samples.first(fact.samples.size())) {
    if (sample.text == 0) continue;
    sample.text = static_cast<std::uint16_t>(sample.text - fact.text_begin + block_.text_used);
  }
  CallRecord& record = block_.calls[block_.calls_used++];
  record = {.collector = static_cast<std::uint8_t>(index),
            .repeated = true,
            .samples = static_cast<std::uint16_t>(fact.samples.size()),
            .started_ns = Nanoseconds(parts_.clock->Now())};
  block_.samples_used = static_cast<std::uint16_t>(block_.samples_used + fact.samples.size());
  block_.text_used = static_cast<std::uint16_t>(block_.text_used + fact.text.size());
}

void DeviceSampler::Identify(const DeviceIdentity& identity) {
  if (identity_ && IsAnotherChip(*identity_, identity)) {
    identity_.reset();
    ForgetHistory();
  }
  DeviceIdentity known = identity;
  if (identity_) {  // parts that could not be read this time are still true
    // The family follows from the board and the name; a name that is unknown says nothing of the
    // rest.
    const bool less = (known.board_id.empty() && !identity_->board_id.empty()) ||
                      (known.chip_name.empty() && !identity_->chip_name.empty()) ||
                      (known.family == ChipFamily::kUnknown && identity_->traits != kAnyChip);
    if (less) {
      known.family = identity_->family;
      known.traits = identity_->traits;
    }
    const auto keep = [](auto& now, const auto& before) {
      if (now.empty()) now = before;
    };
    keep(known.pci_address, identity_->pci_address);
    keep(known.die_id, identity_->die_id);
    keep(known.serial, identity_->serial);
    keep(known.model, identity_->model);
    keep(known.chip_name, identity_->chip_name);
    keep(known.product, identity_->product);
    keep(known.board_id, identity_->board_id);
    keep(known.firmware_version, identity_->firmware_version);
  }
  identity_retry_ = nanoseconds{0};
  identity_ = known;
  block_.identity = known;
  block_.identified = true;
}

void DeviceSampler::ForgetHistory() {
  memory_.Forget();
  facts_.assign(facts_.size(), std::nullopt);
  faults_ = FaultTracker();
  worked_.assign(worked_.size(), false);
  unsupported_.assign(unsupported_.size(), false);
}

}  // namespace ascend

#include "exporter/engine/device_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
constexpr nanoseconds kMostRespite = std::chrono::seconds(15);
// A fact is asked again so rarely, since the answer may have been wrong.
constexpr nanoseconds kFactLife = std::chrono::minutes(10);
// How soon it is noticed that a device may be called again.
constexpr nanoseconds kLookAtHolds = std::chrono::seconds(1);

std::string Describe(const absl::Status& status) { return std::string(status.message()); }

}  // namespace

DeviceSampler::DeviceSampler(Parts parts, const SamplingPlan& plan, const FoundDevice& device)
    : parts_(std::move(parts)),
      plan_(plan),
      device_(device),
      worked_(parts_.catalog->collectors().size()),
      unsupported_(parts_.catalog->collectors().size()),
      was_slow_(parts_.catalog->collectors().size()),
      facts_(parts_.catalog->collectors().size()) {}

Mono DeviceSampler::RunDue() {
  if (const Mono held = HeldUntil(std::nullopt); held > parts_.clock->Now()) {
    return std::min(held, parts_.clock->Now() + kLookAtHolds);
  }
  if (refresh_.exchange(false)) due_.fill(Mono{});
  if (forget_facts_.exchange(false)) AskFactsAgain();
  if (const std::optional<Group> group = NextGroup(nanoseconds::max())) RunGroup(*group);
  return *std::ranges::min_element(due_);
}

// Also those that were not supported: between other devices there may be an answer.
void DeviceSampler::AskFactsAgain() {
  facts_.assign(facts_.size(), std::nullopt);
  for (std::size_t i = 0; i < unsupported_.size(); ++i) {
    if (parts_.catalog->collectors()[i]->once) unsupported_[i] = false;
  }
}

void DeviceSampler::RunGroup(Group group) {
  Mono& due = due_[static_cast<std::size_t>(group)];
  const Mono start = parts_.clock->Now();
  const Mono was_due = std::exchange(due, Mono::max());
  SampleGroup(group);
  due = std::min(due, NextDue(group, was_due));
  if (group == Group::kIdentity && !identity_) due = std::min(due, RetryIdentity(start));
}

// Of those that are due, and have a shorter period, the one that would first miss its next tick, so
// that slow calls of one group make another late, but never skip a round that there is time for.
// What is to be read at once goes first, who the device is before all.
std::optional<Group> DeviceSampler::NextGroup(nanoseconds shorter_than) const {
  const Mono now = parts_.clock->Now();
  std::optional<Group> next;
  Mono earliest = Mono::max();
  for (const Group group : kOrder) {
    const Mono due = due_[static_cast<std::size_t>(group)];
    if (due > now || plan_[group].period >= shorter_than) continue;
    if (due == Mono{}) return group;
    const Mono end = due + plan_[group].period;
    if (end < earliest) next = group;
    earliest = std::min(earliest, end);
  }
  return next;
}

// Until it is known who the device is, ask more often; but a call that fails slowly leaves the
// thread to the other groups for most of the time, or for a while at least.
Mono DeviceSampler::RetryIdentity(Mono started) {
  const Mono now = parts_.clock->Now();
  const nanoseconds first = std::max<nanoseconds>(plan_[Group::kFast].period, kFirstIdentityRetry);
  identity_retry_ = std::max(2 * identity_retry_, first);
  return now + std::max<nanoseconds>(identity_retry_,
                                     std::min<nanoseconds>(10 * (now - started), kMostRespite));
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
  bool began = false;
  for (std::size_t i = 0; i < collectors.size(); ++i) {
    if (collectors[i]->group != group || !parts_.catalog->runs(i)) continue;
    if (std::exchange(began, true)) LetPass(group);
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

// Between two calls: one group with a shorter period does not wait for the rest of a longer one.
void DeviceSampler::LetPass(Group group) {
  const std::optional<Group> other = NextGroup(plan_[group].period);
  if (!other) return;
  Push();
  RunGroup(*other);
  Begin(group);
}

void DeviceSampler::Begin(Group group) {
  block_.group = group;
  block_.worker = parts_.worker;
  block_.lost = 0;
  block_.identified = 0;
  block_.calls_used = 0;
  block_.samples_used = 0;
  block_.text_used = 0;
  block_.skipped_ticks = std::exchange(skipped_[static_cast<std::size_t>(group)], 0);
  block_.started_ns = Nanoseconds(parts_.clock->Now());
}

void DeviceSampler::Push() {
  const bool urgent = block_.lost != 0 || block_.identified != 0;
  if (PushBlock(block_, parts_.channel->ring)) return parts_.on_block(urgent);
  // The publisher is far behind. Values come again; these would not.
  skipped_[static_cast<std::size_t>(block_.group)] += block_.skipped_ticks;
  if (block_.identified != 0) ReadIdentityAgain();
}

// When the device may be called again at all, or by the collector.
Mono DeviceSampler::HeldUntil(std::optional<std::size_t> collector) const {
  const Holds::Device* const held = parts_.board->holds.Find(device_.device);
  if (held == nullptr) return Mono{};
  const std::int64_t until = collector ? held->calls[*collector].load() : held->whole.load();
  return Mono(nanoseconds(until));
}

void DeviceSampler::Call(std::size_t index) {
  const Collector& collector = *parts_.catalog->collectors()[index];
  const DeviceIdentity known = identity_.value_or(DeviceIdentity{});
  if (unsupported_[index] || (collector.needs & ~known.traits) != 0) return;
  if (collector.once && !identity_) return;
  const Mono start = parts_.clock->Now();
  const bool held = HeldUntil(index) > start;
  if (facts_[index] && (held || start < facts_[index]->asked + kFactLife)) {
    return Repeat(index, *facts_[index]);
  }
  if (held) return;

  Sink sink(block_.Free(), parts_.catalog->FirstRow(index), known);
  DeviceChannel& channel = *parts_.channel;
  const Mono deadline = start + plan_[collector.group].deadline + collector.sleeps;
  channel.call_collector.store(static_cast<std::uint8_t>(index), std::memory_order_relaxed);
  channel.call_started_ns.store(Nanoseconds(start), std::memory_order_relaxed);
  channel.call_deadline_ns.store(Nanoseconds(deadline), std::memory_order_relaxed);
  const std::uint64_t number = channel.call_number.fetch_add(1, std::memory_order_release) + 1;
  const absl::Status status = collector.collect(*parts_.driver, device_.address, sink);
  const Mono end = parts_.clock->Now();
  channel.last_return_ns.store(Nanoseconds(end), std::memory_order_relaxed);
  channel.call_number.fetch_add(1, std::memory_order_release);
  was_slow_[index] = end - start > kHoldBack;

  CallRecord& record = block_.calls[block_.calls_used++];
  record = {.collector = static_cast<std::uint8_t>(index),
            .rejected = sink.rejected(),
            .number = number,
            .started_ns = Nanoseconds(start),
            .duration_ns = (end - start).count()};
  record.result = Judge(status, end > deadline, index, end);
  if (record.result == CallResult::kOk) Take(index, sink);
  Append(record, sink);
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

void DeviceSampler::Take(std::size_t index, const Sink& sink) {
  if (sink.identity()) Identify(*sink.identity());
  if (sink.lost()) {
    block_.lost = 1;
    ReadIdentityAgain();  // whoever comes back may be another chip
  }
  if (parts_.catalog->collectors()[index]->once) Keep(sink, facts_[index].emplace());
}

// Makes a part of the block of what the call has found. Fault events are told whatever became of
// the list: what the driver has told is told once.
void DeviceSampler::Append(CallRecord& record, const Sink& sink) {
  if (record.result == CallResult::kOk) {
    const std::size_t count = sink.samples().size();
    record.samples = static_cast<std::uint16_t>(count);
    block_.samples_used = static_cast<std::uint16_t>(block_.samples_used + count);
    block_.text_used = static_cast<std::uint16_t>(block_.text_used + sink.text().size());
    for (const WrappingSample& wrapping : sink.wrapping()) {
      const auto place = static_cast<std::uint32_t>(wrapping.sample);
      AppendOne(record, {kRangeRow, 0, place, wrapping.range});
    }
  }
  for (const std::uint32_t code : sink.fault_events().items()) {
    AppendOne(record, {kFaultEventRow, 0, code, 1});
  }
}

void DeviceSampler::AppendOne(CallRecord& record, const Sample& sample) {
  if (block_.samples_used == GroupBlock::kMaxSamples) return;
  block_.samples[block_.samples_used++] = sample;
  ++record.samples;
}

void DeviceSampler::Keep(const Sink& sink, Fact& fact) const {
  fact.asked = parts_.clock->Now();
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
            .repeated = 1,
            .samples = static_cast<std::uint16_t>(fact.samples.size()),
            .started_ns = Nanoseconds(parts_.clock->Now())};
  block_.samples_used = static_cast<std::uint16_t>(block_.samples_used + fact.samples.size());
  block_.text_used = static_cast<std::uint16_t>(block_.text_used + fact.text.size());
}

void DeviceSampler::Identify(const DeviceIdentity& identity) {
  if (identity_ && IsAnotherChip(*identity_, identity)) {
    identity_.reset();
    BeginAnew();
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
  block_.identified = 1;
}

void DeviceSampler::BeginAnew() {
  facts_.assign(facts_.size(), std::nullopt);
  worked_.assign(worked_.size(), false);
  unsupported_.assign(unsupported_.size(), false);
}

}  // namespace ascend

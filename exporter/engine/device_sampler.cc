#include "exporter/engine/device_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collectors/all.h"

namespace ascend {
namespace {

std::int64_t Nanoseconds(Mono time) { return time.time_since_epoch().count(); }

// The order in which groups that are due at the same time are sampled.
constexpr Group kOrder[] = {Group::kIdentity, Group::kFast, Group::kHealth, Group::kMemory};

std::string Describe(const absl::Status& status) { return std::string(status.message()); }

}  // namespace

DeviceSampler::DeviceSampler(Parts parts, const SamplingPlan& plan, const FoundDevice& device)
    : parts_(std::move(parts)),
      plan_(plan),
      device_(device),
      unsupported_(parts_.catalog->collectors().size()),
      integrals_(parts_.catalog->rows().size()),
      faults_collector_(static_cast<std::size_t>(
          std::ranges::find(parts_.catalog->collectors(), &kFaultsCollector) -
          parts_.catalog->collectors().begin())) {}

Mono DeviceSampler::RunDue() {
  for (Group group : kOrder) {
    Mono& due = due_[static_cast<std::size_t>(group)];
    if (parts_.clock->Now() < due) continue;
    const Mono was_due = due;
    SampleGroup(group);
    due = NextDue(group, was_due);
    if (group == Group::kIdentity && !identity_) {
      due = std::min(due, parts_.clock->Now() + plan_[Group::kFast].period);
    }
  }
  return *std::ranges::min_element(due_);
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
  block_.group = group;
  block_.lost = false;
  block_.identified = false;
  block_.calls_used = 0;
  block_.samples_used = 0;
  block_.skipped_ticks = std::exchange(skipped_[static_cast<std::size_t>(group)], 0);
  block_.started_ns = Nanoseconds(parts_.clock->Now());
  block_.started_wall_ns = absl::ToUnixNanos(parts_.clock->Wall());
  const auto collectors = parts_.catalog->collectors();
  for (std::size_t i = 0; i < collectors.size(); ++i) {
    if (collectors[i]->group == group && block_.calls_used < GroupBlock::kMaxCalls) Call(i);
  }
  if (parts_.channel->ring.Push(block_)) parts_.on_block();
}

void DeviceSampler::Call(std::size_t index) {
  const Collector& collector = *parts_.catalog->collectors()[index];
  const ChipTraits traits = identity_ ? identity_->traits : kAnyChip;
  if (unsupported_[index] || (collector.needs & ~traits) != 0) return;

  const std::span free = std::span(block_.samples).subspan(block_.samples_used);
  Sink sink(free, parts_.catalog->FirstRow(index), traits);
  DeviceChannel& channel = *parts_.channel;
  const Mono start = parts_.clock->Now();
  const Mono deadline = start + plan_[collector.group].deadline;
  channel.call_collector.store(static_cast<std::uint8_t>(index), std::memory_order_relaxed);
  channel.call_deadline_ns.store(Nanoseconds(deadline), std::memory_order_relaxed);
  const std::uint64_t number = channel.call_number.fetch_add(1, std::memory_order_release) + 1;
  const absl::Status status = collector.collect(*parts_.driver, device_.address, sink);
  channel.call_number.fetch_add(1, std::memory_order_release);
  const Mono end = parts_.clock->Now();

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
  if (late) {  // nobody knows when a late answer was true
    parts_.log->Failed(device_.device, name, "answered after its deadline; the answer is dropped",
                       now);
    return CallResult::kTimeout;
  }
  if (absl::IsUnimplemented(status)) {
    unsupported_[index] = true;
    return CallResult::kUnsupported;
  }
  if (!status.ok()) {
    parts_.log->Failed(device_.device, name, Describe(status), now);
    return CallResult::kError;
  }
  parts_.log->Succeeded(device_.device, name, now);
  return CallResult::kOk;
}

void DeviceSampler::Take(std::size_t index, const Sink& sink, CallRecord& record) {
  std::size_t count = sink.samples().size();
  if (sink.identity()) Identify(*sink.identity());
  block_.lost = block_.lost || sink.lost();
  Integrate(sink.samples(), record.started_ns);
  if (index == faults_collector_) {
    const double wall = static_cast<double>(block_.started_wall_ns) / 1e9;
    const std::span rest = std::span(block_.samples).subspan(block_.samples_used + count);
    count += faults_.Update(sink.samples(), parts_.catalog->FirstRow(index), wall, rest);
  }
  record.samples = static_cast<std::uint16_t>(count);
  block_.samples_used = static_cast<std::uint16_t>(block_.samples_used + count);
}

// Turns the samples of integral rows into the integrals, by the trapezoids between samples. A gap
// in which values went stale is not bridged: nobody knows what was drawn then.
void DeviceSampler::Integrate(std::span<Sample> samples, std::int64_t now_ns) {
  for (Sample& sample : samples) {
    if (parts_.catalog->rows()[sample.row].row->kind != Kind::kIntegral) continue;
    Integrator& integral = integrals_[sample.row];
    const std::int64_t passed = now_ns - integral.last_ns;
    if (integral.last_ns != 0 && passed <= plan_[block_.group].stale_after.count()) {
      integral.sum += (integral.last_value + sample.value) / 2 * static_cast<double>(passed) / 1e9;
    }
    integral.last_ns = now_ns;
    integral.last_value = sample.value;
    sample.value = integral.sum;
  }
}

void DeviceSampler::Identify(const DeviceIdentity& identity) {
  if (identity_ && identity_->die_id != identity.die_id) ForgetHistory();  // another chip
  identity_ = identity;
  block_.identity = identity;
  block_.identified = true;
}

void DeviceSampler::ForgetHistory() {
  std::ranges::fill(integrals_, Integrator{});
  faults_ = FaultTracker();
  unsupported_.assign(unsupported_.size(), false);
}

}  // namespace ascend

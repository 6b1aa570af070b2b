#include "hal/sim/growth.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ascend::sim {
namespace {

constexpr nanoseconds kShortestWindow = std::chrono::milliseconds(1);

using Span = std::pair<nanoseconds, nanoseconds>;

// When the link was down within a time, in order and without overlaps.
std::vector<Span> Outages(std::span<const Event> events, LinkName link, Span within) {
  std::vector<Span> outages;
  for (const Event& event : events) {
    const auto* cut = std::get_if<CutLink>(&event.what);
    if (cut == nullptr || !(cut->link == link)) continue;
    const Span outage{std::max(event.from, within.first), std::min(event.until, within.second)};
    if (outage.first < outage.second) outages.push_back(outage);
  }
  std::ranges::sort(outages);
  nanoseconds end = within.first;
  for (Span& outage : outages) {
    outage.first = std::max(outage.first, end);
    outage.second = std::max(outage.second, outage.first);
    end = outage.second;
  }
  return outages;
}

double Seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

std::optional<nanoseconds> LastReset(std::span<const Event> events, nanoseconds time) {
  std::optional<nanoseconds> last;
  for (const Event& event : events) {
    if (!std::holds_alternative<ResetCounters>(event.what) || event.from > time) continue;
    last = std::max(last.value_or(event.from), event.from);
  }
  return last;
}

bool IsDown(std::span<const Event> events, LinkName link, nanoseconds time) {
  const auto cuts = [link](const CutLink& cut) { return cut.link == link; };
  return ActiveEvent<CutLink>(events, time, cuts) != nullptr;
}

Growth GrowthBetween(const ChipPhysics& physics, std::span<const Event> events, LinkName link,
                     nanoseconds from, nanoseconds to) {
  Growth growth;
  const auto add = [&](nanoseconds begin, nanoseconds end) {
    if (begin >= end) return;
    growth.seconds += Seconds(end - begin);
    growth.worked += physics.WorkedSecondsAt(end) - physics.WorkedSecondsAt(begin);
  };
  // The parts between the outages are added: to subtract outages from the whole could round to a
  // counter that falls.
  nanoseconds up_since = from;
  for (const Span& outage : Outages(events, link, {from, to})) {
    add(up_since, outage.first);
    up_since = outage.second;
  }
  add(up_since, to);
  return growth;
}

ChipGrowth::ChipGrowth(const ChipPhysics* physics, std::span<const Event> events, nanoseconds time)
    : physics_(physics),
      events_(events),
      from_(LastReset(events, time).value_or(nanoseconds(0))),
      to_(time) {
  if (physics != nullptr) whole_ = GrowthBetween(*physics, {}, LinkName(), from_, to_);
  whole_.reset = LastReset(events, time).has_value();
}

Growth ChipGrowth::Of(LinkName link) const {
  if (physics_ == nullptr || Outages(events_, link, {from_, to_}).empty()) return whole_;
  Growth growth = GrowthBetween(*physics_, events_, link, from_, to_);
  growth.reset = whole_.reset;
  return growth;
}

double MeanWork(const ChipPhysics& physics, std::span<const Event> events, LinkName link,
                nanoseconds time, nanoseconds window) {
  const nanoseconds length = std::min(std::max(window, kShortestWindow), time);
  if (length <= nanoseconds(0)) return 0;  // nothing was carried before the opening
  return GrowthBetween(physics, events, link, time - length, time).worked / Seconds(length);
}

std::optional<Count> Grown(const std::optional<Count>& described, const Growth& growth, Rate rate,
                           double range) {
  if (!described) return std::nullopt;
  const double grown = std::floor(rate.working * growth.worked + rate.always * growth.seconds);
  const double value = (growth.reset ? 0 : described->value) + grown;
  return Count{range > 0 ? std::fmod(value, range) : value};
}

}  // namespace ascend::sim

#include "exporter/engine/fault_tracker.h"

#include <algorithm>
#include <utility>

namespace ascend {

FaultTracker::FaultTracker() { seen_.reserve(kMaxFaultCodes); }

FaultTracker::Seen& FaultTracker::Remember(std::uint32_t code) {
  const auto known = std::ranges::find(seen_, code, &Seen::code);
  if (known != seen_.end()) return *known;
  if (seen_.size() < kMaxFaultCodes) return seen_.emplace_back(Seen{code, 0, {}});
  // Ended ones go first: an active one that was forgotten would seem to begin again.
  const auto oldest = std::ranges::min_element(
      seen_, {}, [](const Seen& seen) { return std::pair(seen.times > 0, seen.last_began); });
  return *oldest = {code, 0, {}};
}

std::size_t FaultTracker::Update(std::span<Sample> active, std::size_t first_row,
                                 double wall_seconds, std::span<Sample> out) {
  for (Seen& seen : seen_) {
    const auto still = std::ranges::find(active, seen.code, &Sample::key);
    if (still == active.end()) seen.times = 0;
  }
  for (Sample& sample : active) {
    Seen& seen = Remember(sample.key);
    if (sample.value > seen.times && !first_) {
      began_[static_cast<std::size_t>(ActionOf(sample.key))] += sample.value - seen.times;
      seen.last_began = wall_seconds;
    }
    seen.times = std::exchange(sample.value, 1);
  }
  first_ = false;
  std::size_t used = 0;
  const auto put = [&](std::size_t row, std::uint32_t key, double value) {
    if (used < out.size()) out[used++] = {static_cast<std::uint16_t>(first_row + row), key, value};
  };
  for (std::size_t i = 0; i < kFaultActions; ++i) put(kFaultCount + i, 0, began_[i]);
  for (const Seen& seen : seen_) {
    if (seen.last_began) put(kFaultLast, seen.code, *seen.last_began);
  }
  return used;
}

}  // namespace ascend

#include "exporter/engine/fault_tracker.h"

#include <algorithm>
#include <utility>

namespace ascend {

namespace {

constexpr std::size_t kMostTold = 1024;

}  // namespace

FaultTracker::FaultTracker() { seen_.reserve(kMaxFaultCodes); }

FaultTracker::Seen& FaultTracker::Remember(std::uint32_t code) {
  const auto known = std::ranges::find(seen_, code, &Seen::code);
  if (known != seen_.end()) return *known;
  if (seen_.size() < kMaxFaultCodes) return seen_.emplace_back(Seen{.code = code});
  // Ended ones go first: an active one that was forgotten would seem to begin again.
  const auto oldest = std::ranges::min_element(
      seen_, {}, [](const Seen& seen) { return std::pair(seen.times > 0, seen.last_began); });
  return *oldest = Seen{.code = code};
}

void FaultTracker::Count(Seen& seen, double& how_often, double more, double wall_seconds) {
  const double before = std::max(seen.listed, seen.told);
  how_often += more;
  seen.news = true;
  const double began = std::max(seen.listed, seen.told) - before;
  if (began <= 0) return;
  began_[static_cast<std::size_t>(ActionOf(seen.code))] += began;
  seen.last_began = wall_seconds;
}

void FaultTracker::Settle() {
  for (Seen& seen : seen_) {
    if (!std::exchange(seen.news, false))
      seen.listed = seen.told = std::max(seen.listed, seen.told);
  }
}

void FaultTracker::Tell(std::span<const std::uint32_t> codes) {
  for (const std::uint32_t code : codes) {
    if (told_.size() < kMostTold) told_.push_back(code);
  }
}

std::size_t FaultTracker::Update(std::span<Sample> active, std::size_t first_row,
                                 double wall_seconds, std::span<Sample> out) {
  const auto is_active = [&](const Sample& sample) {
    return sample.row == first_row + kFaultActive;
  };
  for (Seen& seen : seen_) {
    const auto still = std::ranges::find_if(
        active, [&](const Sample& s) { return is_active(s) && s.key == seen.code; });
    if (still == active.end()) seen.times = 0;
  }
  for (Sample& sample : active) {
    if (!is_active(sample)) continue;
    Seen& seen = Remember(sample.key);
    const double more = sample.value - seen.times;
    if (more > 0 && !first_) Count(seen, seen.listed, more, wall_seconds);
    seen.times = std::exchange(sample.value, 1);
  }
  if (!first_) {
    for (const std::uint32_t code : told_) {
      Seen& seen = Remember(code);
      Count(seen, seen.told, 1, wall_seconds);
    }
  }
  told_.clear();
  Settle();
  first_ = false;
  std::size_t used = 0;
  const auto put = [&](std::size_t row, std::uint32_t key, double value) {
    if (used < out.size())
      out[used++] = {static_cast<std::uint16_t>(first_row + row), 0, key, value};
  };
  for (std::size_t i = 0; i < kFaultActions; ++i) put(kFaultCount + i, 0, began_[i]);
  for (const Seen& seen : seen_) {
    if (seen.last_began) put(kFaultLast, seen.code, *seen.last_began);
  }
  return used;
}

}  // namespace ascend

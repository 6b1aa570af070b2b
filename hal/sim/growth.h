// How far the counters of a chip have come: they grow with the jobs and with time, stand still
// while their link is down, and begin again from 0 when an event says so.
#pragma once

#include <optional>
#include <span>

#include "hal/sim/physics.h"
#include "hal/sim/scenario.h"

namespace ascend::sim {

struct Growth {
  bool reset = false;  // since then they count from 0, before from what the description says
  double seconds = 0;  // of time
  double worked = 0;   // seconds of work at full load
};

// How fast a counter grows.
struct Rate {
  double working = 0;  // per second at full load
  double always = 0;   // per second
};

// When the counters of the chip last began from 0, as of `time`.
std::optional<nanoseconds> LastReset(std::span<const Event> events, nanoseconds time);

bool IsDown(std::span<const Event> events, LinkName link, nanoseconds time);

// The growth from one time to another, without the times in which the link was down.
Growth GrowthBetween(const ChipPhysics& physics, std::span<const Event> events, LinkName link,
                     nanoseconds from, nanoseconds to);

// The growth of the links of a chip up to a time since the last reset, or since the opening.
class ChipGrowth {
 public:
  // Without physics nothing grows, and a reset still happens. The arguments outlive the object.
  ChipGrowth(const ChipPhysics* physics, std::span<const Event> events, nanoseconds time);

  [[nodiscard]] Growth Of(LinkName link) const;

 private:
  const ChipPhysics* physics_;
  const std::span<const Event> events_;
  const nanoseconds from_, to_;
  Growth whole_;  // of a link that was never down: most links, and what takes long is done once
};

// The share of full load that the link carried in the window before `time`, down times included.
double MeanWork(const ChipPhysics& physics, std::span<const Event> events, LinkName link,
                nanoseconds time, nanoseconds window);

// A whole number, modulo `range` where that is not 0. Nothing where the chip does not count it.
std::optional<Count> Grown(const std::optional<Count>& described, const Growth& growth, Rate rate,
                           double range = 0);

}  // namespace ascend::sim

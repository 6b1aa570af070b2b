// What chips under load measure: a pure function of seed, device and time since the opening, the
// same on any thread and however often it is asked. Jobs come and go; power follows the load,
// temperature follows the power late, memory follows the jobs.
#pragma once

#include <cstdint>

#include "hal/clock.h"
#include "hal/readings.h"

namespace ascend::sim {

// What a family of chips draws and how warm it gets. Watts are per chip.
struct Thermals {
  double idle_watts, busy_watts;
  double idle_celsius, busy_celsius;
};
Thermals ThermalsOf(ChipFamily family);

// The work on a chip at one time.
struct Work {
  double load = 0;          // 0 to 1, what the cores do
  double memory_ratio = 0;  // 0 to 1, of the memory that is left to jobs
  std::int32_t pid = 0;     // of the job; 0: none runs
};

// Immutable; any thread. A call takes about a microsecond at most.
class ChipPhysics {
 public:
  // `busy` false: the chip never gets a job.
  ChipPhysics(std::uint64_t seed, std::int32_t device, ChipFamily family, bool busy);

  [[nodiscard]] Work WorkAt(nanoseconds time) const;
  [[nodiscard]] Watts PowerAt(nanoseconds time) const;
  // Not rounded; the memory is cooler and slower than the cores.
  [[nodiscard]] Celsius TemperatureAt(nanoseconds time) const;
  [[nodiscard]] Celsius MemoryTemperatureAt(nanoseconds time) const;
  // Seconds of work at full load that the jobs did since the opening, smoothed within a job; never
  // falls. Takes some nanoseconds for each job since the opening.
  [[nodiscard]] double WorkedSecondsAt(nanoseconds time) const;
  // -1 to 1, smooth over some seconds; equal channels have equal noise.
  [[nodiscard]] double NoiseAt(std::uint64_t channel, nanoseconds time) const;

 private:
  struct Plan;
  struct Job;
  [[nodiscard]] Plan PlanOf(std::int64_t turn) const;
  [[nodiscard]] Job JobAt(double seconds) const;
  // The work of a turn's job in the first `seconds` of the turn.
  [[nodiscard]] double WorkedIn(std::int64_t turn, double seconds) const;
  // The work since the beginning of turn 0, which is at or before the opening.
  [[nodiscard]] double WorkedUntil(double seconds) const;
  [[nodiscard]] double LoadAt(double seconds) const;
  // The load as a body feels it that cools and warms with this time constant.
  [[nodiscard]] double LaggedLoad(double seconds, double constant_seconds) const;
  [[nodiscard]] double Noise(std::uint64_t channel, double seconds) const;

  std::uint64_t seed_;
  Thermals thermals_;
  bool busy_;
  double cycle_seconds_ = 0;  // from the start of a job to that of the next
  double phase_seconds_ = 0;
};

}  // namespace ascend::sim

// What a chip answers about heat and clocks, and about the load of its parts.
#pragma once

#include "absl/status/statusor.h"
#include "hal/sim/chip_model.h"

namespace ascend::sim {

// Immutable; any thread. What the chip lacks is kUnimplemented.
class HeatModel {
 public:
  explicit HeatModel(const ChipModel& chips) : chips_(chips) {}  // outlives the model

  [[nodiscard]] absl::StatusOr<VoltageReading> VoltageAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<ClockReading> ClocksAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<SensorReading> SensorsAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<ThrottleReading> ThrottleAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<CoreUtilizationReading> CoresAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<MediaReading> MediaAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<FanReading> FansAt(Moment at) const;

 private:
  // What the chip reports, where it reports it, so that no two values contradict each other.
  [[nodiscard]] Celsius TemperatureAt(Moment at, const ChipPhysics& physics) const;
  // How much warmer than described the chip is.
  [[nodiscard]] double WarmerBy(Moment at, const ChipPhysics& physics) const;
  [[nodiscard]] bool TooHot(Moment at) const;
  // Whether the AI cores run slower for any reason.
  [[nodiscard]] bool Throttled(Moment at) const;

  const ChipModel& chips_;
};

}  // namespace ascend::sim

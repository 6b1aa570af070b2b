// What each chip of a scenario answers at a time: its description, the physics, and the events.
// Health, faults, power, load and memory are here; heat_model.h, link_model.h and network_model.h
// have the rest.
#pragma once

#include <span>
#include <vector>

#include "hal/npu_driver.h"
#include "hal/sim/physics.h"
#include "hal/sim/scenario.h"

namespace ascend::sim {

// A chip and a time since the opening.
struct Moment {
  std::size_t chip = 0;  // place in machine.chips
  nanoseconds time{0};
};

// Immutable; any thread. No method looks at events of kind lost, slow, hang or error. A section
// that the chip lacks is kUnimplemented.
class ChipModel {
 public:
  explicit ChipModel(const Scenario& scenario);  // outlives the model

  [[nodiscard]] const Chip& ChipOf(Moment at) const;
  [[nodiscard]] std::span<const Event> EventsOf(Moment at) const;
  // nullptr: values are those of the description, and stand still.
  [[nodiscard]] const ChipPhysics* PhysicsOf(Moment at) const;

  [[nodiscard]] HealthReading HealthAt(Moment at) const;
  // `before`: the time of the reading before.
  [[nodiscard]] FaultsReading FaultsAt(Moment at, nanoseconds before) const;
  [[nodiscard]] TemperatureReading TemperatureAt(Moment at) const;
  [[nodiscard]] PowerReading PowerAt(Moment at) const;
  [[nodiscard]] CardPowerReading CardPowerAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<PowerLimitReading> PowerLimitAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<UtilizationReading> UtilizationAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<HbmReading> HbmAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<DdrReading> DdrAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<EccReading> EccAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<CompatibilityReading> CompatibilityAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<VnpuReading> VnpusAt(Moment at) const;
  absl::StatusOr<std::size_t> ProcessesAt(Moment at, std::span<ProcessReading> processes) const;

 private:
  struct Part {
    ChipPhysics physics;
    std::vector<std::size_t> metered;  // chips whose power this chip's sensor carries
    std::vector<std::size_t> on_card;  // chips of its card
  };

  [[nodiscard]] Watts Sum(const std::vector<std::size_t>& chips, nanoseconds time) const;
  [[nodiscard]] Bytes UsedBy(const Work& work, Bytes total) const;

  const Scenario& scenario_;
  const bool described_;  // values of the description, not of the physics
  std::vector<Part> parts_;
};

}  // namespace ascend::sim

// What a chip answers about its own network: ports, their counters, optical modules, UB.
#pragma once

#include "absl/status/statusor.h"
#include "hal/sim/chip_model.h"

namespace ascend::sim {

// Immutable; any thread. What the chip lacks is kUnimplemented. Bandwidths are means over the
// `window` that ends at the moment.
class NetworkModel {
 public:
  explicit NetworkModel(const ChipModel& chips) : chips_(chips) {}  // outlives the model

  [[nodiscard]] absl::StatusOr<NetworkHealthReading> HealthAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<NetworkLinkReading> LinkAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<NetworkCountersReading> CountersAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<NetworkBandwidthReading> BandwidthAt(Moment at,
                                                                    nanoseconds window) const;
  [[nodiscard]] absl::StatusOr<OpticalReading> OpticalAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<UbReading> UbAt(Moment at) const;

 private:
  const ChipModel& chips_;
};

}  // namespace ascend::sim

// What a chip answers about its links inside the host.
#pragma once

#include "absl/status/statusor.h"
#include "hal/sim/chip_model.h"

namespace ascend::sim {

// Immutable; any thread. What the chip lacks is kUnimplemented. Bandwidths are means over the
// `window` that ends at the moment.
class LinkModel {
 public:
  explicit LinkModel(const ChipModel& chips) : chips_(chips) {}  // outlives the model

  [[nodiscard]] absl::StatusOr<TopologyReading> TopologyAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<CpuAffinityReading> CpuAffinityAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<HccsReading> HccsAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<HccsBandwidthReading> HccsBandwidthAt(Moment at,
                                                                     nanoseconds window) const;
  [[nodiscard]] absl::StatusOr<SioReading> SioAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<PcieReading> PcieAt(Moment at) const;
  [[nodiscard]] absl::StatusOr<PcieBandwidthReading> PcieBandwidthAt(Moment at,
                                                                     nanoseconds window) const;
  [[nodiscard]] absl::StatusOr<SuperPodReading> SuperPodAt(Moment at) const;

 private:
  const ChipModel& chips_;
};

}  // namespace ascend::sim

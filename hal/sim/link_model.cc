#include "hal/sim/link_model.h"

#include <array>
#include <cmath>

#include "absl/status/status.h"
#include "hal/sim/growth.h"
#include "hal/sim/rounding.h"

namespace ascend::sim {
namespace {

// A job talks to all its peers; what it sends is near what it receives. Bytes per second of a link
// at full load.
constexpr double kHccsTransmitted = 18e9;
constexpr double kHccsReceived = 17.4e9;
constexpr double kLinkStep = 0.03;  // by which one link carries less than the one before
constexpr std::uint32_t kLinkSteps = 4;

constexpr double kPcieStep = 1048576.0 * 1000;  // the library answers whole MB/ms
struct PcieRate {
  std::optional<BytesPerSecond> PcieBandwidthReading::*bandwidth;
  double bytes_per_second;  // at full load
};
constexpr std::array<PcieRate, 6> kPcieRates = {
    {{&PcieBandwidthReading::transmit_posted, 9 * kPcieStep},
     {&PcieBandwidthReading::transmit_nonposted, kPcieStep},
     {&PcieBandwidthReading::transmit_completion, 2 * kPcieStep},
     {&PcieBandwidthReading::receive_posted, 4 * kPcieStep},
     {&PcieBandwidthReading::receive_nonposted, 2 * kPcieStep},
     {&PcieBandwidthReading::receive_completion, 11 * kPcieStep}}};

double ShareOf(std::uint32_t link) { return 1 - kLinkStep * (link % kLinkSteps); }

std::optional<Bytes> GrownFlits(const std::optional<Bytes>& described, const Growth& growth,
                                double bytes_per_second, double range) {
  if (!described) return std::nullopt;
  const Count flits{described->value / kHccsFlitBytes};
  const Rate rate{.working = bytes_per_second / kHccsFlitBytes};
  return Bytes{Grown(flits, growth, rate, range)->value * kHccsFlitBytes};
}

}  // namespace

absl::StatusOr<TopologyReading> LinkModel::TopologyAt(Moment at) const {
  const auto& topology = chips_.ChipOf(at).topology;
  if (!topology) return absl::UnimplementedError("topology");
  return *topology;
}

absl::StatusOr<CpuAffinityReading> LinkModel::CpuAffinityAt(Moment at) const {
  const auto& affinity = chips_.ChipOf(at).cpu_affinity;
  if (!affinity) return absl::UnimplementedError("CPU affinity");
  return *affinity;
}

absl::StatusOr<HccsReading> LinkModel::HccsAt(Moment at) const {
  const auto& hccs = chips_.ChipOf(at).hccs;
  if (!hccs) return absl::UnimplementedError("HCCS");
  const auto events = chips_.EventsOf(at);
  const ChipGrowth grown(chips_.PhysicsOf(at), events, at.time);
  HccsReading reading = *hccs;
  for (HccsLink& link : reading.links.items()) {
    const LinkName name{LinkKind::kHccs, link.index};
    const Growth growth = grown.Of(name);
    const double share = ShareOf(link.index);
    const double range = reading.counter_range;
    link.transmitted = GrownFlits(link.transmitted, growth, kHccsTransmitted * share, range);
    link.received = GrownFlits(link.received, growth, kHccsReceived * share, range);
    link.crc_errors = Grown(link.crc_errors, growth, {}, range);
    link.retries = Grown(link.retries, growth, {}, range);
    if (!IsDown(events, name, at.time)) continue;
    Fill(link.lanes, Count{0});
    Fill(reading.up, Count{0});
  }
  return reading;
}

absl::StatusOr<HccsBandwidthReading> LinkModel::HccsBandwidthAt(Moment at,
                                                                nanoseconds window) const {
  const auto& bandwidth = chips_.ChipOf(at).hccs_bandwidth;
  if (!bandwidth) return absl::UnimplementedError("HCCS bandwidth");
  const auto events = chips_.EventsOf(at);
  HccsBandwidthReading reading = *bandwidth;
  for (HccsLinkBandwidth& link : reading.links.items()) {
    const LinkName name{LinkKind::kHccs, link.index};
    if (const ChipPhysics* physics = chips_.PhysicsOf(at)) {
      const double share = ShareOf(link.index) * MeanWork(*physics, events, name, at.time, window);
      Fill(link.transmit, BytesPerSecond{kHccsTransmitted * share});
      Fill(link.receive, BytesPerSecond{kHccsReceived * share});
    } else if (IsDown(events, name, at.time)) {
      Fill(link.transmit, BytesPerSecond{0});
      Fill(link.receive, BytesPerSecond{0});
    }
  }
  return reading;
}

absl::StatusOr<SioReading> LinkModel::SioAt(Moment at) const {
  const auto& sio = chips_.ChipOf(at).sio;
  if (!sio) return absl::UnimplementedError("SIO");
  SioReading reading = *sio;
  const Growth growth{.reset = LastReset(chips_.EventsOf(at), at.time).has_value()};
  reading.transmit_errors = Grown(reading.transmit_errors, growth, {});
  reading.receive_errors = Grown(reading.receive_errors, growth, {});
  return reading;
}

absl::StatusOr<PcieReading> LinkModel::PcieAt(Moment at) const {
  const auto& pcie = chips_.ChipOf(at).pcie;
  if (!pcie) return absl::UnimplementedError("PCIe");
  PcieReading reading = *pcie;
  if (const auto* degraded = Active<DegradePcie>(chips_.EventsOf(at), at.time)) {
    reading.lanes = degraded->lanes;
    if (degraded->speed) reading.speed = degraded->speed;
  }
  if (!LastReset(chips_.EventsOf(at), at.time)) return reading;
  for (const PcieErrorKind& kind : kPcieErrorKinds) {
    if (!kind.of_kernel) Fill(reading.errors.*kind.count, Count{0});
  }
  return reading;
}

absl::StatusOr<PcieBandwidthReading> LinkModel::PcieBandwidthAt(Moment at,
                                                                nanoseconds window) const {
  const auto& bandwidth = chips_.ChipOf(at).pcie_bandwidth;
  if (!bandwidth) return absl::UnimplementedError("PCIe bandwidth");
  PcieBandwidthReading reading = *bandwidth;
  const ChipPhysics* physics = chips_.PhysicsOf(at);
  if (physics == nullptr) return reading;
  const double work = MeanWork(*physics, {}, LinkName(), at.time, window);
  for (const PcieRate& rate : kPcieRates) {
    const double bytes = std::round(rate.bytes_per_second * work / kPcieStep) * kPcieStep;
    Fill(reading.*rate.bandwidth, BytesPerSecond{bytes});
  }
  return reading;
}

absl::StatusOr<SuperPodReading> LinkModel::SuperPodAt(Moment at) const {
  const auto& super_pod = chips_.ChipOf(at).super_pod;
  if (!super_pod) return absl::UnimplementedError("super pod");
  return *super_pod;
}

}  // namespace ascend::sim

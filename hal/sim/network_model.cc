#include "hal/sim/network_model.h"

#include <algorithm>

#include "absl/status/status.h"
#include "hal/sim/channels.h"
#include "hal/sim/growth.h"
#include "hal/sim/rounding.h"
#include "hal/sim/traffic_rates.h"

namespace ascend::sim {
namespace {

constexpr double kMegabyte = 1e6;
constexpr double kModuleShare = 0.3;  // of the chip's warming that an optical module feels
constexpr double kTenthMillivolts = 1e4;
constexpr double kTenthMicrowatts = 1e7;
constexpr double kLightNoise = 0.02;
constexpr double kModuleVoltageNoise = 0.003;

// How often a link went down and came up again since the opening or the last reset.
struct Changes {
  double down = 0;
  double up = 0;
};
Changes ChangesOf(std::span<const Event> events, LinkName link, nanoseconds time) {
  const nanoseconds since = LastReset(events, time).value_or(nanoseconds(-1));
  Changes changes;
  for (const Event& event : events) {
    const auto* cut = std::get_if<CutLink>(&event.what);
    if (cut == nullptr || !(cut->link == link)) continue;
    if (since < event.from && event.from <= time) ++changes.down;
    if (since < event.until && event.until <= time) ++changes.up;
  }
  return changes;
}

// All counters of a port: each as it is described, grown at the rate that the table has for it.
template <typename Values, typename Rates>
void GrowAll(Values& values, const Growth& growth, const Rates& rates) {
  Values grown;
  std::ranges::transform(values, grown.begin(),
                         [&](const auto& value) { return Grown(value, growth, {}); });
  for (const auto& row : rates) {
    const auto place = static_cast<std::size_t>(row.counter);
    grown[place] = Grown(values[place], growth, row.rate);
  }
  values = grown;
}

// Modules are warmed by the chip a little, and their light flickers.
void MoveLight(const ChipPhysics& physics, const Chip& chip, nanoseconds time,
               OpticalReading& reading) {
  const double warmer =
      physics.TemperatureAt(time).value - ThermalsOf(chip.identity.family).idle_celsius;
  for (OpticalModule& module : reading.modules.items()) {
    if (module.temperature) module.temperature->value += std::round(warmer * kModuleShare);
    if (!module.voltage) continue;
    const double noise = 1 + kModuleVoltageNoise * physics.NoiseAt(kOpticalVoltage, time);
    module.voltage = Volts{RoundToParts(module.voltage->value * noise, kTenthMillivolts)};
  }
  std::uint64_t channel = kFirstLane;
  const auto flicker = [&](std::optional<Watts>& power) {
    const double noise = 1 + kLightNoise * physics.NoiseAt(channel++, time);
    if (power) power = Watts{RoundToParts(power->value * noise, kTenthMicrowatts)};
  };
  for (OpticalLane& lane : reading.lanes.items()) {
    flicker(lane.transmit_power);
    flicker(lane.receive_power);
  }
}

void DarkenModule(OpticalReading& reading, const LoseLight& loss) {
  for (OpticalModule& module : reading.modules.items()) {
    if (module.index != loss.module) continue;
    Fill(loss.transmit ? module.transmit_loss_of_signal : module.receive_loss_of_signal, Count{1});
  }
  for (OpticalLane& lane : reading.lanes.items()) {
    if (lane.index / kMaxOpticalLanes != loss.module) continue;
    Fill(loss.transmit ? lane.transmit_power : lane.receive_power, Watts{0});
  }
}

}  // namespace

absl::StatusOr<NetworkHealthReading> NetworkModel::HealthAt(Moment at) const {
  const auto& network = chips_.ChipOf(at).network;
  if (!network) return absl::UnimplementedError("network health");
  NetworkHealthReading reading = network->health;
  for (const NetworkPort& port : network->link.ports) {
    if (IsDown(chips_.EventsOf(at), {LinkKind::kNetwork, port.index}, at.time)) {
      Fill(reading.state, NetworkHealth::kFaulty);
    }
  }
  return reading;
}

absl::StatusOr<NetworkLinkReading> NetworkModel::LinkAt(Moment at) const {
  const auto& network = chips_.ChipOf(at).network;
  if (!network || network->link.ports.empty()) return absl::UnimplementedError("network link");
  const auto events = chips_.EventsOf(at);
  const Growth reset{.reset = LastReset(events, at.time).has_value()};
  NetworkLinkReading reading = network->link;
  for (NetworkPort& port : reading.ports.items()) {
    const LinkName name{LinkKind::kNetwork, port.index};
    const Changes changes = ChangesOf(events, name, at.time);
    port.up_changes = Grown(port.up_changes, reset, {});
    port.down_changes = Grown(port.down_changes, reset, {});
    if (port.up_changes) port.up_changes->value += changes.up;
    if (port.down_changes) port.down_changes->value += changes.down;
    if (!IsDown(events, name, at.time)) continue;
    Fill(port.up, Count{0});
    port.speed.reset();  // a link that is down has none
  }
  return reading;
}

absl::StatusOr<NetworkCountersReading> NetworkModel::CountersAt(Moment at) const {
  const auto& network = chips_.ChipOf(at).network;
  if (!network || network->counters.ports.empty()) {
    return absl::UnimplementedError("network counters");
  }
  const ChipGrowth growth(chips_.PhysicsOf(at), chips_.EventsOf(at), at.time);
  NetworkCountersReading reading = network->counters;
  for (PortCounters& port : reading.ports.items()) {
    GrowAll(port.values, growth.Of({LinkKind::kNetwork, port.index}), kNetworkRates);
  }
  return reading;
}

absl::StatusOr<NetworkBandwidthReading> NetworkModel::BandwidthAt(Moment at,
                                                                  nanoseconds window) const {
  const auto& network = chips_.ChipOf(at).network;
  if (!network || network->bandwidth.ports.empty()) {
    return absl::UnimplementedError("network bandwidth");
  }
  const auto events = chips_.EventsOf(at);
  NetworkBandwidthReading reading = network->bandwidth;
  for (PortBandwidth& port : reading.ports.items()) {
    const LinkName name{LinkKind::kNetwork, port.index};
    if (const ChipPhysics* physics = chips_.PhysicsOf(at)) {
      const double work = MeanWork(*physics, events, name, at.time, window);
      const auto bytes = [work](double full) {
        return BytesPerSecond{std::round(full * work / kMegabyte) * kMegabyte};
      };
      Fill(port.transmit, bytes(kPortTransmitted));
      Fill(port.receive, bytes(kPortReceived));
    } else if (IsDown(events, name, at.time)) {
      Fill(port.transmit, BytesPerSecond{0});
      Fill(port.receive, BytesPerSecond{0});
    }
  }
  return reading;
}

absl::StatusOr<OpticalReading> NetworkModel::OpticalAt(Moment at) const {
  const Chip& chip = chips_.ChipOf(at);
  if (!chip.optical) return absl::UnimplementedError("optical modules");
  OpticalReading reading = *chip.optical;
  if (const ChipPhysics* physics = chips_.PhysicsOf(at))
    MoveLight(*physics, chip, at.time, reading);
  for (const Event& event : chips_.EventsOf(at)) {
    const auto* loss = std::get_if<LoseLight>(&event.what);
    if (loss != nullptr && event.ActiveAt(at.time)) DarkenModule(reading, *loss);
  }
  return reading;
}

absl::StatusOr<UbReading> NetworkModel::UbAt(Moment at) const {
  const auto& ub = chips_.ChipOf(at).ub;
  if (!ub) return absl::UnimplementedError("UB ports");
  const auto events = chips_.EventsOf(at);
  const ChipGrowth growth(chips_.PhysicsOf(at), events, at.time);
  UbReading reading = *ub;
  for (UbPort& port : reading.ports.items()) {
    const LinkName name{LinkKind::kUb, port.index};
    GrowAll(port.values, growth.Of(name), kUbRates);
    if (IsDown(events, name, at.time)) Fill(port.up, Count{0});
  }
  return reading;
}

}  // namespace ascend::sim

// A scenario (docs/scenarios.md): a machine, how it is loaded, and what goes wrong when.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/sim/machine.h"

namespace ascend::sim {

enum class Load : std::uint8_t { kSteady, kIdle, kWaves };

enum class Call : std::uint8_t {
  kAll,  // every call below but the discovery
  kDiscovery,
  kIdentity,
  kHealth,
  kFaults,
  kTemperature,
  kPower,
  kCardPower,
  kUtilization,
  kHbm,
  kDdr,
  kEcc,
  kProcesses,
  kVoltage,
  kClocks,
  kSensors,
  kThrottle,
  kPowerLimit,
  kCores,
  kMedia,
  kFans,
  kCompatibility,
  kVnpus,
  kTopology,
  kCpuAffinity,
  kHccs,
  kHccsBandwidth,
  kSio,
  kPcie,
  kPcieBandwidth,
  kSuperPod,
  kNetworkHealth,
  kNetworkLink,
  kNetworkCounters,
  kNetworkBandwidth,
  kOptical,
  kUb,
};
inline constexpr std::array<std::string_view, 37> kCallNames = {"all",
                                                                "discovery",
                                                                "identity",
                                                                "health",
                                                                "faults",
                                                                "temperature",
                                                                "power",
                                                                "card_power",
                                                                "utilization",
                                                                "hbm",
                                                                "ddr",
                                                                "ecc",
                                                                "processes",
                                                                "voltage",
                                                                "clocks",
                                                                "sensors",
                                                                "throttle",
                                                                "power_limit",
                                                                "cores",
                                                                "media",
                                                                "fans",
                                                                "compatibility",
                                                                "vnpus",
                                                                "topology",
                                                                "cpu_affinity",
                                                                "hccs",
                                                                "hccs_bandwidth",
                                                                "sio",
                                                                "pcie",
                                                                "pcie_bandwidth",
                                                                "super_pod",
                                                                "network_health",
                                                                "network_link",
                                                                "network_counters",
                                                                "network_bandwidth",
                                                                "optical",
                                                                "ub"};

// What can happen to a chip.
struct SetTemperature {
  Celsius celsius;
};
struct AddEcc {
  EccCounts EccReading::*memory = &EccReading::hbm;
  bool double_bit = false;
  double count = 0;
};
struct RaiseFault {
  std::uint32_t code = 0;
  std::int64_t repeat = 1;
};
struct Lose {};
struct Delay {
  Call call = Call::kAll;
  nanoseconds delay{0};
};
struct Hang {
  Call call = Call::kAll;
};
struct Fail {
  Call call = Call::kAll;
  std::int64_t code = 0;
};
struct FillMemory {
  double used_ratio = 0;
};
struct SetHealth {
  Health state = Health::kOk;
};
struct Throttle {
  std::optional<Count> ThrottleReading::*reason = &ThrottleReading::thermal;
};
// A fault that is over as soon as it began.
struct BlipFault {
  std::uint32_t code = 0;
  std::int64_t repeat = 1;
};
enum class LinkKind : std::uint8_t { kHccs, kNetwork, kUb };
// `index` as in the readings.
struct LinkName {
  LinkKind kind = LinkKind::kHccs;
  std::uint32_t index = 0;
  friend bool operator==(const LinkName&, const LinkName&) = default;
};
struct CutLink {
  LinkName link;
};
// What counts since the start of the chip begins again from 0.
struct ResetCounters {};
struct DegradePcie {
  Count lanes;
  std::optional<TransfersPerSecond> speed;
};
struct LoseLight {
  std::uint32_t module = 0;  // its index
  bool transmit = false;
};

// Both times count from the opening of the driver.
struct Event {
  nanoseconds from{0};
  nanoseconds until = nanoseconds::max();
  std::variant<SetTemperature, AddEcc, RaiseFault, Lose, Delay, Hang, Fail, FillMemory, SetHealth,
               Throttle, BlipFault, CutLink, ResetCounters, DegradePcie, LoseLight>
      what;

  [[nodiscard]] bool ActiveAt(nanoseconds time) const { return from <= time && time < until; }
};

// The events of one chip in the order of the file: of two of a kind that overlap, the later line
// wins.
using Events = std::vector<Event>;

// The active event of the kind that stands last and that `matches`; nullptr if there is none.
template <typename What, typename Matches>
const Event* ActiveEvent(std::span<const Event> events, nanoseconds time, const Matches& matches) {
  const Event* active = nullptr;
  for (const Event& event : events) {
    const What* what = std::get_if<What>(&event.what);
    if (what != nullptr && event.ActiveAt(time) && matches(*what)) active = &event;
  }
  return active;
}

template <typename What>
const What* Active(std::span<const Event> events, nanoseconds time) {
  const Event* event = ActiveEvent<What>(events, time, [](const What&) { return true; });
  return event == nullptr ? nullptr : &std::get<What>(event->what);
}

struct Scenario {
  Machine machine;
  std::uint64_t seed = 1;
  Load load = Load::kWaves;
  std::vector<Events> events;  // by place in machine.chips
};

// A built-in by its name, or the scenario in the file of the path. May block on files.
absl::StatusOr<Scenario> LoadScenario(const std::string& name_or_path);

}  // namespace ascend::sim

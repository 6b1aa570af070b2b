#include <algorithm>
#include <array>
#include <atomic>

#include "fmt/format.h"
#include "hal/open.h"
#include "hal/sim/chip_model.h"
#include "hal/sim/heat_model.h"
#include "hal/sim/interruptible.h"
#include "hal/sim/link_model.h"
#include "hal/sim/network_model.h"
#include "hal/sim/scenario.h"

namespace ascend {
namespace sim {
namespace {

struct CodeMeaning {
  std::int64_t code;
  absl::StatusCode status;
};
// Codes of the vendor's library that are more than an internal error.
constexpr std::array<CodeMeaning, 6> kCodeMeanings = {{
    {-8006, absl::StatusCode::kUnavailable},    // time out
    {-8007, absl::StatusCode::kNotFound},       // invalid device id
    {-8008, absl::StatusCode::kNotFound},       // device does not exist
    {-8012, absl::StatusCode::kNotFound},       // not ready: dropped off the bus
    {-8017, absl::StatusCode::kUnavailable},    // is being upgraded
    {-8255, absl::StatusCode::kUnimplemented},  // not supported
}};

absl::Status CallError(Call call, std::int64_t code) {
  const auto meaning = std::ranges::find(kCodeMeanings, code, &CodeMeaning::code);
  return {meaning == kCodeMeanings.end() ? absl::StatusCode::kInternal : meaning->status,
          fmt::format("simulated {}: {}", kCallNames[static_cast<std::size_t>(call)], code)};
}

// A machine of the scenario. Immutable but for its waits and for when the faults of a chip were
// last asked for, so any number of threads may read any chip.
class SimDriver final : public NpuDriver {
 public:
  SimDriver(Scenario scenario, Clock& clock)
      : clock_(clock),
        opened_(clock.Now()),
        scenario_(std::move(scenario)),
        model_(scenario_),
        heat_(model_),
        links_(model_),
        network_(model_),
        waits_(clock),
        faults_read_(scenario_.machine.chips.size()) {
    // Before the opening, so that what begins at 0 s is new once.
    for (auto& time : faults_read_) time = nanoseconds(-1);
    for (std::size_t i = 0; i < scenario_.machine.chips.size(); ++i) {
      places_.push_back({scenario_.machine.chips[i].found.address, i});
    }
    std::ranges::sort(places_, {}, &Place::address);
  }

  void Interrupt() override { waits_.Interrupt(); }

  absl::StatusOr<Discovery> Discover() override {
    Discovery discovery;
    discovery.info = scenario_.machine.info;
    discovery.driver_health = scenario_.machine.driver_health;
    for (std::size_t i = 0; i < scenario_.machine.chips.size(); ++i) {
      const absl::Status status = Arrive(i, Call::kDiscovery).status();
      const FoundDevice& found = scenario_.machine.chips[i].found;
      if (status.ok()) {
        discovery.devices.push_back(found);
      } else if (!absl::IsNotFound(status)) {
        discovery.problems.push_back(fmt::format("card {} chip {}: {}", found.address.card,
                                                 found.address.chip,
                                                 std::string(status.message())));
      }
    }
    return discovery;
  }

  absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress address) override {
    const auto at = Enter(address, Call::kIdentity);
    if (!at.ok()) return at.status();
    return scenario_.machine.chips[at->chip].identity;
  }

  absl::StatusOr<HealthReading> ReadHealth(DeviceAddress address) override {
    const auto place = PlaceOf(address);
    if (!place.ok()) return place.status();
    const auto at = Arrive(*place, Call::kHealth);
    if (at.ok()) return model_.HealthAt(*at);
    if (!absl::IsNotFound(at.status()) || !LostAt({*place, Now()})) return at.status();
    HealthReading reading;
    reading.lost = true;
    return reading;
  }

  absl::StatusOr<FaultsReading> ReadFaults(DeviceAddress address) override {
    const auto at = Enter(address, Call::kFaults);
    if (!at.ok()) return at.status();
    const nanoseconds before = faults_read_[at->chip].exchange(at->time);
    return model_.FaultsAt(*at, before);
  }

  FaultDetail DetailOf(DeviceAddress address, std::uint32_t code) override {
    const auto place = PlaceOf(address);
    if (!place.ok()) return {};
    const auto& details = scenario_.machine.chips[*place].fault_details;
    if (!details) return {};
    const auto found = details->find(code);
    return found == details->end() ? FaultDetail() : found->second;
  }

  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress address) override {
    return Ask<TemperatureReading>(address, Call::kTemperature, model_, &ChipModel::TemperatureAt);
  }
  absl::StatusOr<PowerReading> ReadPower(DeviceAddress address) override {
    return Ask<PowerReading>(address, Call::kPower, model_, &ChipModel::PowerAt);
  }
  absl::StatusOr<CardPowerReading> ReadCardPower(DeviceAddress address) override {
    return Ask<CardPowerReading>(address, Call::kCardPower, model_, &ChipModel::CardPowerAt);
  }
  absl::StatusOr<PowerLimitReading> ReadPowerLimit(DeviceAddress address) override {
    return Ask<PowerLimitReading>(address, Call::kPowerLimit, model_, &ChipModel::PowerLimitAt);
  }
  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress address) override {
    return Ask<UtilizationReading>(address, Call::kUtilization, model_, &ChipModel::UtilizationAt);
  }
  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress address) override {
    return Ask<HbmReading>(address, Call::kHbm, model_, &ChipModel::HbmAt);
  }
  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress address) override {
    return Ask<DdrReading>(address, Call::kDdr, model_, &ChipModel::DdrAt);
  }
  absl::StatusOr<EccReading> ReadEcc(DeviceAddress address) override {
    return Ask<EccReading>(address, Call::kEcc, model_, &ChipModel::EccAt);
  }
  absl::StatusOr<CompatibilityReading> ReadCompatibility(DeviceAddress address) override {
    return Ask<CompatibilityReading>(address, Call::kCompatibility, model_,
                                     &ChipModel::CompatibilityAt);
  }
  absl::StatusOr<VnpuReading> ReadVnpus(DeviceAddress address) override {
    return Ask<VnpuReading>(address, Call::kVnpus, model_, &ChipModel::VnpusAt);
  }

  absl::StatusOr<VoltageReading> ReadVoltage(DeviceAddress address) override {
    return Ask<VoltageReading>(address, Call::kVoltage, heat_, &HeatModel::VoltageAt);
  }
  absl::StatusOr<ClockReading> ReadClocks(DeviceAddress address) override {
    return Ask<ClockReading>(address, Call::kClocks, heat_, &HeatModel::ClocksAt);
  }
  absl::StatusOr<SensorReading> ReadSensors(DeviceAddress address) override {
    return Ask<SensorReading>(address, Call::kSensors, heat_, &HeatModel::SensorsAt);
  }
  absl::StatusOr<ThrottleReading> ReadThrottle(DeviceAddress address) override {
    return Ask<ThrottleReading>(address, Call::kThrottle, heat_, &HeatModel::ThrottleAt);
  }
  absl::StatusOr<CoreUtilizationReading> ReadCoreUtilization(DeviceAddress address) override {
    return Ask<CoreUtilizationReading>(address, Call::kCores, heat_, &HeatModel::CoresAt);
  }
  absl::StatusOr<MediaReading> ReadMedia(DeviceAddress address) override {
    return Ask<MediaReading>(address, Call::kMedia, heat_, &HeatModel::MediaAt);
  }
  absl::StatusOr<FanReading> ReadFans(DeviceAddress address) override {
    return Ask<FanReading>(address, Call::kFans, heat_, &HeatModel::FansAt);
  }

  absl::StatusOr<TopologyReading> ReadTopology(DeviceAddress address) override {
    return Ask<TopologyReading>(address, Call::kTopology, links_, &LinkModel::TopologyAt);
  }
  absl::StatusOr<CpuAffinityReading> ReadCpuAffinity(DeviceAddress address) override {
    return Ask<CpuAffinityReading>(address, Call::kCpuAffinity, links_, &LinkModel::CpuAffinityAt);
  }
  absl::StatusOr<HccsReading> ReadHccs(DeviceAddress address) override {
    return Ask<HccsReading>(address, Call::kHccs, links_, &LinkModel::HccsAt);
  }
  absl::StatusOr<HccsBandwidthReading> ReadHccsBandwidth(DeviceAddress address,
                                                         nanoseconds window) override {
    return AskOver<HccsBandwidthReading>(address, Call::kHccsBandwidth, window, links_,
                                         &LinkModel::HccsBandwidthAt);
  }
  absl::StatusOr<SioReading> ReadSio(DeviceAddress address) override {
    return Ask<SioReading>(address, Call::kSio, links_, &LinkModel::SioAt);
  }
  absl::StatusOr<PcieReading> ReadPcie(DeviceAddress address, std::string_view) override {
    return Ask<PcieReading>(address, Call::kPcie, links_, &LinkModel::PcieAt);
  }
  absl::StatusOr<PcieBandwidthReading> ReadPcieBandwidth(DeviceAddress address,
                                                         nanoseconds window) override {
    return AskOver<PcieBandwidthReading>(address, Call::kPcieBandwidth, window, links_,
                                         &LinkModel::PcieBandwidthAt);
  }
  absl::StatusOr<SuperPodReading> ReadSuperPod(DeviceAddress address) override {
    return Ask<SuperPodReading>(address, Call::kSuperPod, links_, &LinkModel::SuperPodAt);
  }

  absl::StatusOr<NetworkHealthReading> ReadNetworkHealth(DeviceAddress address) override {
    return Ask<NetworkHealthReading>(address, Call::kNetworkHealth, network_,
                                     &NetworkModel::HealthAt);
  }
  absl::StatusOr<NetworkLinkReading> ReadNetworkLink(DeviceAddress address) override {
    return Ask<NetworkLinkReading>(address, Call::kNetworkLink, network_, &NetworkModel::LinkAt);
  }
  absl::StatusOr<NetworkCountersReading> ReadNetworkCounters(DeviceAddress address) override {
    return Ask<NetworkCountersReading>(address, Call::kNetworkCounters, network_,
                                       &NetworkModel::CountersAt);
  }
  absl::StatusOr<NetworkBandwidthReading> ReadNetworkBandwidth(DeviceAddress address,
                                                               nanoseconds window) override {
    return AskOver<NetworkBandwidthReading>(address, Call::kNetworkBandwidth, window, network_,
                                            &NetworkModel::BandwidthAt);
  }
  absl::StatusOr<OpticalReading> ReadOptical(DeviceAddress address) override {
    return Ask<OpticalReading>(address, Call::kOptical, network_, &NetworkModel::OpticalAt);
  }
  absl::StatusOr<UbReading> ReadUb(DeviceAddress address) override {
    return Ask<UbReading>(address, Call::kUb, network_, &NetworkModel::UbAt);
  }

  absl::StatusOr<std::optional<std::size_t>> ReadProcesses(
      DeviceAddress address, std::span<ProcessReading> processes) override {
    const auto at = Enter(address, Call::kProcesses);
    if (!at.ok()) return at.status();
    return model_.ProcessesAt(*at, processes);
  }

 private:
  struct Place {
    DeviceAddress address;
    std::size_t chip = 0;
  };

  [[nodiscard]] nanoseconds Now() const { return clock_.Now() - opened_; }

  absl::StatusOr<std::size_t> PlaceOf(DeviceAddress address) const {
    const auto place = std::ranges::lower_bound(places_, address, {}, &Place::address);
    if (place != places_.end() && place->address == address) return place->chip;
    return absl::NotFoundError(
        fmt::format("the machine has no card {} chip {}", address.card, address.chip));
  }

  [[nodiscard]] bool LostAt(Moment at) const {
    return Active<Lose>(scenario_.events[at.chip], at.time) != nullptr;
  }

  absl::StatusOr<Moment> Enter(DeviceAddress address, Call call) {
    const auto place = PlaceOf(address);
    if (!place.ok()) return place.status();
    return Arrive(*place, call);
  }

  template <typename Reading, typename Model, typename Method>
  absl::StatusOr<Reading> Ask(DeviceAddress address, Call call, const Model& model, Method method) {
    const auto at = Enter(address, call);
    if (!at.ok()) return at.status();
    return (model.*method)(*at);
  }

  // A call that measures for a time before it answers.
  template <typename Reading, typename Model, typename Method>
  absl::StatusOr<Reading> AskOver(DeviceAddress address, Call call, nanoseconds window,
                                  const Model& model, Method method) {
    const auto at = Enter(address, call);
    if (!at.ok()) return at.status();
    // A chip that lacks it says so at once.
    const absl::Status lacks = (model.*method)(*at, window).status();
    if (!lacks.ok()) return lacks;
    if (window > nanoseconds(0) && !WaitUntil(at->time + window)) return Interrupted();
    const Moment done{at->chip, Now()};
    if (LostAt(done)) return Lost();
    return (model.*method)(done, window);
  }

  // Lets the events of the call happen: it is late, then it hangs, then it fails. The answer is of
  // the time when the call returns.
  absl::StatusOr<Moment> Arrive(std::size_t chip, Call call) {
    const Events& events = scenario_.events[chip];
    Moment at{chip, Now()};
    if (events.empty()) return at;
    const auto concerns = [call](const auto& what) {
      return what.call == call || (what.call == Call::kAll && call != Call::kDiscovery);
    };
    if (const Event* slow = ActiveEvent<Delay>(events, at.time, concerns)) {
      if (!WaitUntil(at.time + std::get<Delay>(slow->what).delay)) return Interrupted();
      at.time = Now();
    }
    while (const Event* hang = ActiveEvent<Hang>(events, at.time, concerns)) {
      if (!WaitUntil(hang->until)) return Interrupted();
      at.time = Now();
    }
    if (LostAt(at)) return Lost();
    if (const Event* failure = ActiveEvent<Fail>(events, at.time, concerns)) {
      return CallError(call, std::get<Fail>(failure->what).code);
    }
    return at;
  }

  bool WaitUntil(nanoseconds time) {
    return waits_.WaitUntil(time == nanoseconds::max() ? Mono::max() : opened_ + time);
  }

  static absl::Status Lost() { return absl::NotFoundError("the device is lost"); }
  static absl::Status Interrupted() { return absl::UnavailableError("the call was interrupted"); }

  Clock& clock_;
  const Mono opened_;
  const Scenario scenario_;
  const ChipModel model_;
  const HeatModel heat_;
  const LinkModel links_;
  const NetworkModel network_;
  Interruptible waits_;
  std::vector<std::atomic<nanoseconds>> faults_read_;  // by place in machine.chips
  std::vector<Place> places_;                          // by address
};

}  // namespace
}  // namespace sim

absl::StatusOr<std::shared_ptr<NpuDriver>> OpenSim(const SimOptions& options, Clock& clock) {
  auto scenario = sim::LoadScenario(options.scenario);
  if (!scenario.ok()) return scenario.status();
  return std::make_shared<sim::SimDriver>(*std::move(scenario), clock);
}

}  // namespace ascend

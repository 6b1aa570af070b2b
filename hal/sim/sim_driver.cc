#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "hal/open.h"
#include "hal/sim/chip_model.h"
#include "hal/sim/interruptible.h"
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

// A machine of the scenario. Immutable but for its waits, so any number of threads may read any
// chip.
class SimDriver final : public NpuDriver {
 public:
  SimDriver(Scenario scenario, Clock& clock)
      : clock_(clock),
        opened_(clock.Now()),
        scenario_(std::move(scenario)),
        model_(scenario_),
        waits_(clock) {
    for (std::size_t i = 0; i < scenario_.machine.chips.size(); ++i) {
      places_.push_back({scenario_.machine.chips[i].found.address, i});
    }
    std::ranges::sort(places_, {}, &Place::address);
  }

  void Interrupt() override { waits_.Interrupt(); }

  absl::StatusOr<Discovery> Discover() override {
    Discovery discovery;
    discovery.info = scenario_.machine.info;
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

  absl::StatusOr<std::size_t> ReadFaults(DeviceAddress address,
                                         std::span<std::uint32_t> codes) override {
    const auto at = Enter(address, Call::kFaults);
    if (!at.ok()) return at.status();
    return model_.FaultsAt(*at, codes);
  }

  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress address) override {
    const auto at = Enter(address, Call::kTemperature);
    if (!at.ok()) return at.status();
    return model_.TemperatureAt(*at);
  }

  absl::StatusOr<PowerReading> ReadPower(DeviceAddress address) override {
    const auto at = Enter(address, Call::kPower);
    if (!at.ok()) return at.status();
    return model_.PowerAt(*at);
  }

  absl::StatusOr<CardPowerReading> ReadCardPower(DeviceAddress address) override {
    const auto at = Enter(address, Call::kCardPower);
    if (!at.ok()) return at.status();
    return model_.CardPowerAt(*at);
  }

  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress address) override {
    const auto at = Enter(address, Call::kUtilization);
    if (!at.ok()) return at.status();
    return model_.UtilizationAt(*at);
  }

  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress address) override {
    const auto at = Enter(address, Call::kHbm);
    if (!at.ok()) return at.status();
    return model_.HbmAt(*at);
  }

  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress address) override {
    const auto at = Enter(address, Call::kDdr);
    if (!at.ok()) return at.status();
    return model_.DdrAt(*at);
  }

  absl::StatusOr<EccReading> ReadEcc(DeviceAddress address) override {
    const auto at = Enter(address, Call::kEcc);
    if (!at.ok()) return at.status();
    return model_.EccAt(*at);
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
    if (LostAt(at)) return absl::NotFoundError("the device is lost");
    if (const Event* failure = ActiveEvent<Fail>(events, at.time, concerns)) {
      return CallError(call, std::get<Fail>(failure->what).code);
    }
    return at;
  }

  bool WaitUntil(nanoseconds time) {
    return waits_.WaitUntil(time == nanoseconds::max() ? Mono::max() : opened_ + time);
  }

  static absl::Status Interrupted() { return absl::UnavailableError("the call was interrupted"); }

  Clock& clock_;
  const Mono opened_;
  const Scenario scenario_;
  const ChipModel model_;
  Interruptible waits_;
  std::vector<Place> places_;  // by address
};

}  // namespace
}  // namespace sim

absl::StatusOr<std::shared_ptr<NpuDriver>> OpenSim(const SimOptions& options, Clock& clock) {
  auto scenario = sim::LoadScenario(options.scenario);
  if (!scenario.ok()) return scenario.status();
  return std::make_shared<sim::SimDriver>(*std::move(scenario), clock);
}

}  // namespace ascend

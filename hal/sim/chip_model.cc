#include "hal/sim/chip_model.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/status/status.h"

namespace ascend::sim {
namespace {

// Channels of ChipPhysics::NoiseAt.
enum Channel : std::uint64_t { kAiCpu, kCtrlCpu, kBandwidth };

constexpr double kSystemMemoryShare = 0.05;  // of the memory, taken where no job runs
constexpr double kCubeShare = 0.97;
constexpr double kVectorShare = 0.33;
constexpr double kBandwidthShare = 0.55;

// As the hardware reports them: whole degrees, tenths of watts, whole percent, whole MiB.
Celsius Whole(Celsius value) { return {std::round(value.value)}; }
Watts Tenths(Watts value) { return {std::round(value.value * 10) / 10}; }
Ratio WholePercent(double ratio) {
  return Percent(std::clamp(std::round(ratio * 100), 0.0, 100.0));
}
Bytes WholeMiB(double bytes) { return MiB(std::floor(bytes / MiB(1).value)); }

// Fills a value that the chip reports.
template <typename T>
void Fill(std::optional<T>& field, T value) {
  if (field) field = value;
}

void Add(std::optional<Count>& counter, double count) {
  if (counter) counter->value += count;
}

// By chip, the chips that its power sensor carries: itself, and those of its card without a sensor
// if it is the first of the card that has one.
std::vector<std::vector<std::size_t>> MeteredChips(const std::vector<Chip>& chips) {
  std::map<std::int32_t, std::size_t> carriers;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    if (chips[i].power) carriers.emplace(chips[i].found.address.card, i);
  }
  std::vector<std::vector<std::size_t>> metered(chips.size());
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const auto carrier = carriers.find(chips[i].found.address.card);
    if (chips[i].power) {
      metered[i].push_back(i);
    } else if (carrier != carriers.end()) {
      metered[carrier->second].push_back(i);
    }
  }
  return metered;
}

}  // namespace

ChipModel::ChipModel(const Scenario& scenario)
    : scenario_(scenario), described_(scenario.load == Load::kSteady) {
  const std::vector<Chip>& chips = scenario.machine.chips;
  auto metered = MeteredChips(chips);
  std::map<std::int32_t, std::vector<std::size_t>> cards;
  for (std::size_t i = 0; i < chips.size(); ++i) cards[chips[i].found.address.card].push_back(i);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    parts_.push_back({ChipPhysics(scenario.seed, chips[i].found.device, chips[i].identity.family,
                                  scenario.load == Load::kWaves),
                      std::move(metered[i]), cards[chips[i].found.address.card]});
  }
}

const Chip& ChipModel::ChipOf(Moment at) const { return scenario_.machine.chips[at.chip]; }

std::span<const Event> ChipModel::EventsOf(Moment at) const { return scenario_.events[at.chip]; }

Watts ChipModel::Sum(const std::vector<std::size_t>& chips, nanoseconds time) const {
  Watts sum;
  for (const std::size_t chip : chips) sum.value += parts_[chip].physics.PowerAt(time).value;
  return Tenths(sum);
}

Bytes ChipModel::UsedBy(const Work& work, Bytes total) const {
  const double system = total.value * kSystemMemoryShare;
  return WholeMiB(system + (total.value - system) * work.memory_ratio);
}

HealthReading ChipModel::HealthAt(Moment at) const {
  HealthReading reading;
  reading.state = ChipOf(at).health;
  if (const auto* set = Active<SetHealth>(EventsOf(at), at.time)) reading.state = set->state;
  return reading;
}

std::size_t ChipModel::FaultsAt(Moment at, std::span<std::uint32_t> codes) const {
  std::size_t length = 0;
  const auto add = [&](std::uint32_t code) {
    if (length < codes.size()) codes[length++] = code;
  };
  for (const std::uint32_t code : ChipOf(at).faults) add(code);
  for (const Event& event : EventsOf(at)) {
    const auto* fault = std::get_if<RaiseFault>(&event.what);
    if (fault == nullptr || !event.ActiveAt(at.time)) continue;
    for (std::int64_t i = 0; i < fault->repeat; ++i) add(fault->code);
  }
  return length;
}

TemperatureReading ChipModel::TemperatureAt(Moment at) const {
  TemperatureReading reading;
  reading.chip = ChipOf(at).temperature;
  if (!described_) Fill(reading.chip, Whole(parts_[at.chip].physics.TemperatureAt(at.time)));
  if (const auto* set = Active<SetTemperature>(EventsOf(at), at.time)) reading.chip = set->celsius;
  return reading;
}

PowerReading ChipModel::PowerAt(Moment at) const {
  PowerReading reading;
  reading.chip = ChipOf(at).power;
  if (!described_) Fill(reading.chip, Sum(parts_[at.chip].metered, at.time));
  return reading;
}

CardPowerReading ChipModel::CardPowerAt(Moment at) const {
  CardPowerReading reading;
  reading.card = ChipOf(at).card_power;
  if (!described_) Fill(reading.card, Sum(parts_[at.chip].on_card, at.time));
  return reading;
}

absl::StatusOr<UtilizationReading> ChipModel::UtilizationAt(Moment at) const {
  if (!ChipOf(at).utilization) return absl::UnimplementedError("utilization");
  UtilizationReading reading = *ChipOf(at).utilization;
  if (described_) return reading;
  const ChipPhysics& physics = parts_[at.chip].physics;
  const double load = physics.WorkAt(at.time).load;
  Fill(reading.aicore, WholePercent(load));
  Fill(reading.cube, WholePercent(load * kCubeShare));
  Fill(reading.vector, WholePercent(load * kVectorShare));
  Fill(reading.overall, WholePercent(load));
  Fill(reading.aicpu, WholePercent(0.03 * load * (1 + physics.NoiseAt(kAiCpu, at.time))));
  Fill(reading.ctrlcpu, WholePercent(0.06 + 0.05 * physics.NoiseAt(kCtrlCpu, at.time)));
  return reading;
}

absl::StatusOr<HbmReading> ChipModel::HbmAt(Moment at) const {
  if (!ChipOf(at).hbm) return absl::UnimplementedError("HBM");
  HbmReading reading = *ChipOf(at).hbm;
  const ChipPhysics& physics = parts_[at.chip].physics;
  if (!described_) {
    const Work work = physics.WorkAt(at.time);
    if (reading.total) Fill(reading.used, UsedBy(work, *reading.total));
    Fill(reading.temperature, Whole(physics.MemoryTemperatureAt(at.time)));
    const double noise = 1 + 0.2 * physics.NoiseAt(kBandwidth, at.time);
    Fill(reading.bandwidth_utilization, WholePercent(work.load * kBandwidthShare * noise));
  }
  const auto* full = Active<FillMemory>(EventsOf(at), at.time);
  if (full != nullptr) reading.used = WholeMiB(reading.total->value * full->used_ratio);
  const bool moved = !described_ || full != nullptr;
  if (moved && reading.total && reading.used && reading.total->value > 0) {
    Fill(reading.utilization, WholePercent(reading.used->value / reading.total->value));
  }
  return reading;
}

absl::StatusOr<DdrReading> ChipModel::DdrAt(Moment at) const {
  const Chip& chip = ChipOf(at);
  if (!chip.ddr) return absl::UnimplementedError("DDR");
  DdrReading reading = *chip.ddr;
  // Beside HBM, DDR is the memory of the control processors and sees no job.
  if (chip.hbm) return reading;
  if (!described_) {
    const ChipPhysics& physics = parts_[at.chip].physics;
    const Work work = physics.WorkAt(at.time);
    if (reading.total) Fill(reading.used, UsedBy(work, *reading.total));
    const double noise = 1 + 0.2 * physics.NoiseAt(kBandwidth, at.time);
    Fill(reading.bandwidth_utilization, WholePercent(work.load * kBandwidthShare * noise));
  }
  const auto* full = Active<FillMemory>(EventsOf(at), at.time);
  if (full != nullptr) reading.used = WholeMiB(reading.total->value * full->used_ratio);
  return reading;
}

absl::StatusOr<EccReading> ChipModel::EccAt(Moment at) const {
  if (!ChipOf(at).ecc) return absl::UnimplementedError("ECC");
  EccReading reading = *ChipOf(at).ecc;
  for (const Event& event : EventsOf(at)) {
    const auto* errors = std::get_if<AddEcc>(&event.what);
    if (errors == nullptr || !event.ActiveAt(at.time)) continue;
    EccCounts& counts = reading.*errors->memory;
    Add(errors->double_bit ? counts.double_bit : counts.single_bit, errors->count);
    Add(errors->double_bit ? counts.lifetime_double_bit : counts.lifetime_single_bit,
        errors->count);
  }
  return reading;
}

absl::StatusOr<std::size_t> ChipModel::ProcessesAt(Moment at,
                                                   std::span<ProcessReading> processes) const {
  const Chip& chip = ChipOf(at);
  if (!chip.processes) return absl::UnimplementedError("processes");
  if (described_) {
    const std::size_t length = std::min(processes.size(), chip.processes->size());
    std::copy_n(chip.processes->begin(), length, processes.begin());
    return length;
  }
  const Work work = parts_[at.chip].physics.WorkAt(at.time);
  if (work.pid == 0 || processes.empty()) return std::size_t{0};
  ProcessReading& process = processes.front();
  process = {.pid = work.pid, .memory = std::nullopt, .name = "python3"};
  const auto total = chip.hbm ? chip.hbm->total : chip.ddr ? chip.ddr->total : std::nullopt;
  if (total) {
    const double bytes = UsedBy(work, *total).value - UsedBy(Work(), *total).value;
    process.memory = Bytes{bytes};
  }
  return std::size_t{1};
}

}  // namespace ascend::sim

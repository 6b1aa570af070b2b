#include "hal/sim/chip_model.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/status/status.h"
#include "hal/sim/channels.h"
#include "hal/sim/growth.h"
#include "hal/sim/rounding.h"

namespace ascend::sim {
namespace {

constexpr double kSystemMemoryShare = 0.05;  // of the memory, taken where no job runs
constexpr double kCubeShare = 0.97;
constexpr double kVectorShare = 0.33;
constexpr double kBandwidthShare = 0.55;

using FaultList = FixedList<std::uint32_t, kMaxFaultCodes>;
void AddTimes(FaultList& list, std::uint32_t code, std::int64_t times) {
  for (std::int64_t i = 0; i < times; ++i) list.Add(code);
}

void Add(std::optional<Count>& counter, double count) {
  if (counter) counter->value += count;
}

// The counters since the start of the chip; those of its life go on.
void RestartCounts(EccReading& reading) {
  for (EccCounts* counts : {&reading.hbm, &reading.ddr, &reading.sram, &reading.npu}) {
    Fill(counts->single_bit, Count{0});
    Fill(counts->double_bit, Count{0});
  }
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

const ChipPhysics* ChipModel::PhysicsOf(Moment at) const {
  return described_ ? nullptr : &parts_[at.chip].physics;
}

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

FaultsReading ChipModel::FaultsAt(Moment at, nanoseconds before) const {
  FaultsReading reading;
  for (const std::uint32_t code : ChipOf(at).faults) reading.active.Add(code);
  for (const Event& event : EventsOf(at)) {
    const bool began = before < event.from && event.from <= at.time;
    if (const auto* fault = std::get_if<RaiseFault>(&event.what)) {
      if (event.ActiveAt(at.time)) AddTimes(reading.active, fault->code, fault->repeat);
      if (began) AddTimes(reading.events, fault->code, fault->repeat);
    } else if (const auto* blip = std::get_if<BlipFault>(&event.what)) {
      if (began) AddTimes(reading.events, blip->code, blip->repeat);
    }
  }
  return reading;
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

absl::StatusOr<PowerLimitReading> ChipModel::PowerLimitAt(Moment at) const {
  if (!ChipOf(at).power_limit) return absl::UnimplementedError("power limit");
  return PowerLimitReading{.limit = ChipOf(at).power_limit, .refused = {}};
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
  const auto reset = LastReset(EventsOf(at), at.time);
  if (reset) RestartCounts(reading);
  for (const Event& event : EventsOf(at)) {
    const auto* errors = std::get_if<AddEcc>(&event.what);
    if (errors == nullptr || !event.ActiveAt(at.time)) continue;
    EccCounts& counts = reading.*errors->memory;
    Add(errors->double_bit ? counts.lifetime_double_bit : counts.lifetime_single_bit,
        errors->count);
    if (reset && event.from < *reset) continue;
    Add(errors->double_bit ? counts.double_bit : counts.single_bit, errors->count);
  }
  return reading;
}

absl::StatusOr<CompatibilityReading> ChipModel::CompatibilityAt(Moment at) const {
  if (!ChipOf(at).compatible) return absl::UnimplementedError("compatibility");
  return CompatibilityReading{.fits = ChipOf(at).compatible, .refused = {}};
}

absl::StatusOr<VnpuReading> ChipModel::VnpusAt(Moment at) const {
  if (!ChipOf(at).vnpus) return absl::UnimplementedError("vNPUs");
  VnpuReading reading = *ChipOf(at).vnpus;
  if (described_) return reading;
  const ChipPhysics& physics = parts_[at.chip].physics;
  const Work work = physics.WorkAt(at.time);
  for (Vnpu& vnpu : reading.vnpus.items()) {
    const double noise = 1 + 0.1 * physics.NoiseAt(kFirstVnpu + vnpu.index, at.time);
    Fill(vnpu.utilization, WholePercent(work.load * noise));
    if (vnpu.memory_total) {
      Fill(vnpu.memory_used, WholeMiB(vnpu.memory_total->value * work.memory_ratio));
    }
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

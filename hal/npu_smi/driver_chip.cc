// What the chip itself is like: health, heat, power, clocks, load.
#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "hal/npu_smi/board.h"
#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/driver.h"
#include "hal/npu_smi/health_text.h"
#include "hal/npu_smi/plausible.h"

namespace ascend::npu_smi {
absl::StatusOr<ChipInTable> NpuSmiDriver::FindRead(DeviceAddress address) {
  auto chip = tables_.Of(address);
  if (chip.ok() && (*chip)->nothing_read) {
    return absl::UnavailableError(fmt::format(
        "npu-smi info prints nothing but zeros for NPU {} chip {}", address.card, address.chip));
  }
  return chip;
}

absl::StatusOr<Block> NpuSmiDriver::AskHealth(DeviceAddress address) {
  const auto chip = Know(address);
  if (!chip.ok()) return chip.status();
  return queries_.OfChip("health", chip->at, BlockId::kLast, QueriesGiveUp());
}

absl::StatusOr<HealthReading> NpuSmiDriver::ReadHealth(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  HealthReading reading;
  reading.state = (*chip)->health;
  reading.refused.sentinel = (*chip)->health_refused ? 1 : 0;
  const auto block = AskHealth(address);
  if (!block.ok()) {
    // A table of one chip, made because the whole one does not end, has no health.
    if (reading.state || !absl::IsUnavailable(block.status())) return reading;
    return block.status();
  }
  const HealthValues values = HealthOf(*block);
  reading.refused.sentinel =
      static_cast<std::uint16_t>(reading.refused.sentinel + (values.state_refused ? 1 : 0));
  if (values.state) reading.state = Worse(*values.state, reading.state.value_or(*values.state));
  return reading;
}

absl::StatusOr<FaultsReading> NpuSmiDriver::ReadFaults(DeviceAddress address) {
  const auto block = AskHealth(address);
  if (!block.ok()) return block.status();
  const HealthValues values = HealthOf(*block);
  if (!values.codes) return absl::InternalError("npu-smi info -t health prints no fault codes");
  FaultsReading reading;
  for (const std::uint32_t code : *values.codes) reading.active.Add(code);
  return reading;
}

FaultDetail NpuSmiDriver::DetailOf(DeviceAddress address, std::uint32_t code) {
  FaultDetail detail;
  const auto block = AskHealth(address);
  if (!block.ok()) return detail;
  const HealthValues values = HealthOf(*block);
  if (!values.codes || values.codes->size() != values.informations.size()) return detail;
  const auto at = std::ranges::find(*values.codes, code);
  if (at == values.codes->end()) return detail;
  detail.description = values.informations[static_cast<std::size_t>(at - values.codes->begin())];
  return detail;
}

absl::StatusOr<TemperatureReading> NpuSmiDriver::ReadTemperature(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  TemperatureReading reading;
  if (const auto celsius = (*chip)->temperature_celsius) reading.chip = Celsius{*celsius};
  reading.refused.sentinel = (*chip)->temperature_refused ? 1 : 0;
  return reading;
}

absl::StatusOr<PowerReading> NpuSmiDriver::ReadPower(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  // Some versions print a number for 310P, whose power is measured for the card and not the chip.
  if (chip->Lacks(kChipPower)) return NpuDriver::Lacks("chip power");
  PowerReading reading;
  if (const auto watts = (*chip)->power_watts) reading.chip = Watts{*watts};
  reading.refused.sentinel = (*chip)->power_refused ? 1 : 0;
  return reading;
}

absl::StatusOr<CardPowerReading> NpuSmiDriver::ReadCardPower(DeviceAddress address) {
  const auto chip = KnowOf(address, "card power", {ChipFamily::k310P});
  if (!chip.ok()) return chip.status();
  const auto values = queries_.OfCard("power", chip->at, BlockId::kLast, QueriesGiveUp());
  if (!values.ok()) return values.status();
  CardPowerReading reading;
  if (const Block* card = values->OfCard()) {
    reading.card = Plausible(reading.refused).Power(PowerOf(*card).card_watts);
    if (card->Has("Power Dissipation(W)")) return reading;
  }
  return NpuDriver::Lacks("card power");
}

absl::StatusOr<PowerLimitReading> NpuSmiDriver::ReadPowerLimit(DeviceAddress address) {
  const auto chip = KnowOf(address, "power limit", {ChipFamily::k310});
  if (!chip.ok()) return chip.status();
  const auto block = queries_.InCard("power", chip->at, BlockId::kLast, QueriesGiveUp());
  if (!block.ok()) return block.status();
  const PowerValues values = PowerOf(*block);
  if (!values.rated_watts) return NpuDriver::Lacks("power limit");
  PowerLimitReading reading;
  reading.limit = Plausible(reading.refused).Power(values.rated_watts);
  return reading;
}

absl::StatusOr<UtilizationReading> NpuSmiDriver::ReadUtilization(DeviceAddress address) {
  const auto chip = FindRead(address);
  if (!chip.ok()) return chip.status();
  UtilizationReading reading;
  reading.refused.sentinel = (*chip)->load_refused ? 1 : 0;
  Plausible plausible(reading.refused);
  const auto block =
      queries_.InCard("usages", {address, chip->is_950()}, BlockId::kLast, QueriesGiveUp());
  if (block.ok()) {
    const UsageValues values = UsagesOf(*block);
    if (!(*chip)->aicore_percent) reading.aicore = plausible.Percent(values.aicore_percent);
    reading.vector = plausible.Percent(values.vector_percent);
    reading.cube = plausible.Percent(values.cube_percent);
    reading.aicpu = plausible.Percent(values.aicpu_percent);
    reading.ctrlcpu = plausible.Percent(values.ctrlcpu_percent);
    if (!(*chip)->npu_percent) reading.overall = plausible.Percent(values.npu_percent);
  }
  if (const auto aicore = (*chip)->aicore_percent) reading.aicore = plausible.Percent(aicore);
  if (const auto overall = (*chip)->npu_percent) reading.overall = plausible.Percent(overall);
  return reading;
}

absl::StatusOr<ClockReading> NpuSmiDriver::ReadClocks(DeviceAddress address) {
  const auto chip = Know(address);
  if (!chip.ok()) return chip.status();
  const SteadyTime give_up = QueriesGiveUp();
  const auto common = queries_.InCard("common", chip->at, BlockId::kFirst, give_up);
  const auto memory = queries_.InCard("memory", chip->at, BlockId::kLast, give_up);
  if (!common.ok() && !memory.ok()) return common.status();
  ClockReading reading;
  Plausible plausible(reading.refused);
  if (common.ok()) {
    const CommonValues values = CommonOf(*common);
    reading.aicore = plausible.Clock(values.aicore_mhz);
    reading.aicore_max = plausible.Clock(values.aicore_rated_mhz);
  }
  if (memory.ok()) {
    const MemoryValues values = MemoryOf(*memory);
    reading.hbm = plausible.Clock(values.hbm_mhz);
    reading.ddr = plausible.Clock(values.ddr_mhz);
  }
  return reading;
}

absl::StatusOr<SensorReading> NpuSmiDriver::ReadSensors(DeviceAddress address) {
  const auto chip = Know(address);
  if (!chip.ok()) return chip.status();
  const auto block = queries_.OfChip("sensors", chip->at, BlockId::kLast, QueriesGiveUp());
  if (!block.ok()) return block.status();
  const SensorValues values = SensorsOf(*block);
  SensorReading reading;
  Plausible plausible(reading.refused);
  reading.soc = plausible.Temperature(values.soc_celsius);
  reading.fp_max = plausible.Temperature(values.sfp_celsius);
  reading.n_die = plausible.Temperature(values.n_die_celsius);
  reading.hbm = plausible.Temperature(values.hbm_celsius);
  return reading;
}

absl::StatusOr<MediaReading> NpuSmiDriver::ReadMedia(DeviceAddress address) {
  const auto chip = KnowOf(address, "media engines", {ChipFamily::k310, ChipFamily::k310P});
  if (!chip.ok()) return chip.status();
  const auto block = queries_.InCard("usages", chip->at, BlockId::kLast, QueriesGiveUp());
  if (!block.ok()) return block.status();
  const UsageValues values = UsagesOf(*block);
  MediaReading reading;
  Plausible plausible(reading.refused);
  reading.vdec = plausible.Percent(values.vdec_percent);
  reading.vpc = plausible.Percent(values.vpc_percent);
  reading.venc = plausible.Percent(values.venc_percent);
  reading.jpege = plausible.Percent(values.jpege_percent);
  reading.jpegd = plausible.Percent(values.jpegd_percent);
  return reading;
}

absl::StatusOr<CompatibilityReading> NpuSmiDriver::ReadCompatibility(DeviceAddress address) {
  const auto chip = Know(address);
  if (!chip.ok()) return chip.status();
  const auto values = queries_.OfCard("board", chip->at, BlockId::kFirst, QueriesGiveUp());
  if (!values.ok()) return values.status();
  const Block* const card = values->OfCard();
  if (card == nullptr) return absl::InternalError("npu-smi info -t board prints nothing of a card");
  CompatibilityReading reading;
  const auto compatibility = BoardOf(*card).compatibility;
  if (compatibility == Compatibility::kFits) reading.fits = Count{1};
  if (compatibility == Compatibility::kDoesNotFit) reading.fits = Count{0};
  return reading;
}

}  // namespace ascend::npu_smi

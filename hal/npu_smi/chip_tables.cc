#include "hal/npu_smi/chip_tables.h"

#include <utility>

#include "fmt/format.h"
#include "hal/chip_family.h"
#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/deadlines.h"
#include "hal/npu_smi/outcome.h"
#include "hal/npu_smi/plausible.h"

namespace ascend::npu_smi {
namespace {

const Chip* FindChip(const InfoTable& table, DeviceAddress address) {
  for (const Chip& chip : table.chips) {
    if (chip.npu == address.card && chip.chip == address.chip) return &chip;
  }
  return nullptr;
}

// The chips without values.
std::shared_ptr<const InfoTable> FromMapping(const Mapping& mapping) {
  InfoTable table;
  table.npu_util_column = mapping.slot_column;
  for (const MappedChip& mapped : mapping.chips) {
    Chip chip;
    chip.npu = mapped.npu;
    chip.chip = mapped.chip;
    chip.name = mapped.name;
    table.chips.push_back(std::move(chip));
  }
  return std::make_shared<const InfoTable>(std::move(table));
}

// A table of the one chip, with what does not change and what `-t common` tells.
ChipInTable FromCommon(const InfoTable& known, const Chip& chip, const CommonValues& values) {
  InfoTable table = known;
  table.processes.clear();
  table.process_npus.clear();
  Chip fresh;
  fresh.npu = chip.npu;
  fresh.chip = chip.chip;
  fresh.phy_id = chip.phy_id;
  fresh.device_id = chip.device_id;
  fresh.name = chip.name;
  fresh.bus_id = chip.bus_id;
  Refused refused;
  Plausible plausible(refused);
  if (plausible.Temperature(values.celsius)) fresh.temperature_celsius = values.celsius;
  if (plausible.Power(values.watts)) fresh.power_watts = values.watts;
  if (plausible.Percent(values.aicore_percent)) fresh.aicore_percent = values.aicore_percent;
  fresh.temperature_refused = values.celsius && !fresh.temperature_celsius;
  fresh.power_refused = values.watts && !fresh.power_watts;
  fresh.load_refused = values.aicore_percent && !fresh.aicore_percent;
  table.chips = {std::move(fresh)};
  const auto shared = std::make_shared<const InfoTable>(std::move(table));
  return {shared, &shared->chips.front()};
}

}  // namespace

ChipFamily ChipInTable::family() const { return FamilyOf(chip->name, std::nullopt); }

bool ChipInTable::is_950() const { return family() == ChipFamily::k950 || table->npu_util_column; }

bool ChipInTable::Lacks(ChipTraits trait) const {
  return family() != ChipFamily::kUnknown && (TraitsOf(family()) & trait) == 0;
}

absl::StatusOr<std::shared_ptr<const InfoTable>> ChipTables::Run() {
  auto table = runs_.Get();
  if (table.ok()) {
    one_by_one_ = false;
    MutexLock lock(mutex_);
    last_ = *table;
  } else if (DidNotEnd(table.status())) {
    one_by_one_ = true;
  }
  return table;
}

absl::StatusOr<std::shared_ptr<const InfoTable>> ChipTables::LastKnown(SteadyTime give_up) {
  {
    MutexLock lock(mutex_);
    if (last_) return last_;
  }
  const auto mapping = queries_.AllChips(give_up);
  if (!mapping.ok()) return mapping.status();
  if (mapping->chips.empty()) return absl::UnavailableError("npu-smi info -m lists no chip");
  MutexLock lock(mutex_);
  if (!last_) last_ = FromMapping(*mapping);
  return last_;
}

absl::StatusOr<ChipTables::All> ChipTables::Whole(SteadyTime give_up) {
  const auto table = Run();
  if (table.ok()) return All{*table, {}};
  if (!DidNotEnd(table.status())) return table.status();
  const auto last = LastKnown(give_up);
  if (!last.ok()) return table.status();
  return All{*last, fmt::format("{}; until it ends again, cards are asked one by one",
                                std::string(table.status().message()))};
}

absl::StatusOr<ChipInTable> ChipTables::Of(DeviceAddress address) {
  if (!one_by_one_) {
    const auto table = Run();
    if (table.ok()) {
      const Chip* const chip = FindChip(**table, address);
      if (chip != nullptr) return ChipInTable{*table, chip};
      return absl::NotFoundError(
          fmt::format("npu-smi info lists no NPU {} chip {}", address.card, address.chip));
    }
    // Why the tool fails is told by Discover; to a device it is something that may pass.
    if (!DidNotEnd(table.status())) return absl::UnavailableError(table.status().message());
  }
  return AskCard(address);
}

absl::StatusOr<ChipInTable> ChipTables::AskCard(DeviceAddress address) {
  const SteadyTime give_up = QueriesGiveUp();
  const auto known = LastKnown(give_up);
  if (!known.ok()) return absl::UnavailableError(known.status().message());
  const Chip* const chip = FindChip(**known, address);
  if (chip == nullptr) {
    return absl::UnavailableError(fmt::format(
        "npu-smi info does not end, and listed no NPU {} chip {}", address.card, address.chip));
  }
  const ChipInTable at{*known, chip};
  const auto block = queries_.InCard("common", {address, at.is_950()}, BlockId::kFirst, give_up);
  if (!block.ok()) return block.status();
  return FromCommon(**known, *chip, CommonOf(*block));
}

}  // namespace ascend::npu_smi

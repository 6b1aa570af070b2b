#include "hal/npu_smi/chip_rows.h"

#include <algorithm>
#include <string>

#include "hal/npu_smi/health_text.h"
#include "hal/npu_smi/key_values.h"
#include "hal/npu_smi/plausible.h"

namespace ascend::npu_smi {
namespace {

void SetHealth(const Row& row, std::size_t cell, Chip& chip) {
  const std::string_view word = row[cell];
  chip.health = HealthOf(word);
  const bool cut_off = !row.closed && cell + 1 == row.count;
  if (chip.health || cut_off || IsNoValue(word)) return;
  chip.health = Health::kUnknown;
  chip.health_refused = true;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), Lower);
  return lower;
}

bool AllOf(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

// "0000:c1:00.0"; documentation masks digits with x.
bool IsBusId(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEFx";
  constexpr std::size_t kTail = 8;  // ":hh:hh.h"
  if (text.size() < kTail + 4 || text.size() > kTail + kTail) return false;
  const std::string_view domain = text.substr(0, text.size() - kTail);
  const std::string_view tail = text.substr(text.size() - kTail);
  return tail[0] == ':' && tail[3] == ':' && tail[6] == '.' && AllOf(domain, kDigits) &&
         AllOf(tail.substr(1, 2), kDigits) && AllOf(tail.substr(4, 2), kDigits) &&
         AllOf(tail.substr(7), kDigits);
}

void SetPower(std::optional<double> watts, Chip& chip) {
  if (!watts) return;
  // A chip that answers this query draws power; 0.0 is what a failed query leaves.
  chip.power_refused = !(*watts > 0 && *watts < kMaxPowerWatts);
  if (!chip.power_refused) chip.power_watts = watts;
}

// 0 degrees are believed only where no other number is the zero of a failed read.
void SetTemperature(const Numbers& upper, const Numbers& lower, Chip& chip) {
  const auto celsius = upper.scalar(Column::kTemperature);
  if (!celsius) return;
  const auto hbm = lower.pair(Column::kHbm);
  const bool others_failed = upper.scalar(Column::kPower) == 0.0 || (hbm && hbm->total == 0);
  chip.temperature_refused = (*celsius == 0 && others_failed) ||
                             *celsius < kMinTemperatureCelsius || *celsius > kMaxTemperatureCelsius;
  if (!chip.temperature_refused) chip.temperature_celsius = celsius;
}

void SetLoad(std::optional<double> percent, std::optional<double>& field, Chip& chip) {
  if (!percent) return;
  if (*percent < 0 || *percent > kMaxPercent) {
    chip.load_refused = true;
  } else {
    field = percent;
  }
}

void SetMemory(const Numbers& numbers, bool hbm_column, Chip& chip) {
  if (const auto hbm = numbers.pair(Column::kHbm)) {
    chip.hbm_refused = hbm->total == 0 || hbm->total > kMaxMegabytes;
    if (!chip.hbm_refused) chip.hbm = hbm;
  }
  if (const auto ddr = numbers.pair(Column::kMemory)) {
    if (ddr->total == 0 && hbm_column) return;  // no DDR, by design
    chip.ddr_refused = ddr->total == 0 || ddr->total > kMaxMegabytes;
    if (!chip.ddr_refused) chip.ddr = ddr;
  }
}

bool IsZero(std::optional<Usage> usage) { return usage && usage->used == 0 && usage->total == 0; }

// Whether nothing that was printed is other than zero. No chip that was read is at 0 degrees and
// has a memory of size 0.
bool NothingRead(const Numbers& upper, const Numbers& lower, bool hbm_column) {
  if (upper.scalar(Column::kTemperature) != 0.0) return false;
  if (!IsZero(lower.pair(hbm_column ? Column::kHbm : Column::kMemory))) return false;
  return upper.scalar(Column::kPower).value_or(0) == 0 &&
         lower.scalar(Column::kAicore).value_or(0) == 0 &&
         lower.scalar(Column::kNpuUtil).value_or(0) == 0 &&
         lower.pair(Column::kMemory).value_or(Usage()) == Usage();
}

Numbers NumbersIn(const Row& row, std::size_t cell, const Columns& columns) {
  return ReadNumbers(row[cell], columns, row.closed || cell + 1 < row.count);
}

void SetSecondId(std::optional<std::int32_t> id, SecondId kind, Chip& chip) {
  if (kind == SecondId::kPhyId) chip.phy_id = id;
  if (kind == SecondId::kDevice) chip.device_id = id;
}

}  // namespace

bool ReadChipHeader(const Row& row, ChipLayout& layout) {
  bool header = false;
  for (std::size_t cell = 0; cell < row.count; ++cell) {
    if (Has(row[cell], "Name")) layout.name_cell = cell;
    if (row[cell] == "Health") {
      header = true;
      layout.health_cell = cell;
      layout.first = Columns::FromHeader(row[cell + 1]);
    } else if (row[cell] == "Bus-Id") {
      header = true;
      layout.bus_cell = cell;
      layout.second = Columns::FromHeader(row[cell + 1]);
      layout.second_id = Has(row[0], "Phy-ID")   ? SecondId::kPhyId
                         : Has(row[0], "Device") ? SecondId::kDevice
                                                 : SecondId::kNone;
    }
  }
  return header;
}

std::optional<std::size_t> FindBusCell(const Row& row, const ChipLayout& layout) {
  if (row[layout.bus_cell] == "NA") return layout.bus_cell;
  for (std::size_t cell = 0; cell < row.count; ++cell) {
    if (IsBusId(row[cell])) return cell;
  }
  return std::nullopt;
}

bool MayBeFirstRow(const Row& row, const ChipLayout& layout) {
  const std::string_view health = row[layout.health_cell];
  const bool whole = row.closed || row.count > layout.health_cell + 1;
  return StartsWithDigit(row[0]) && row.count > layout.health_cell && whole &&
         !StartsWithDigit(health) && !Has(health, ":");
}

std::optional<Chip> ReadChip(const Row& first, const Row& second, const ChipLayout& layout) {
  const Words first_words = SplitWords(first[0]);
  // Without its header a table may have lost the left part of a row, too: numbers are no name.
  if (layout.first.guessed() && first_words.count != 2) return std::nullopt;
  const std::string_view npu_word = first_words[0];
  const auto npu = ParseWhole<std::int32_t>(npu_word);
  const Words ids = SplitWords(second[0]);  // none on 950, which has one chip on an NPU
  const auto chip_id = ids.count == 0 ? 0 : ParseWhole<std::int32_t>(ids[0]);
  const auto bus_cell = FindBusCell(second, layout);
  if (!npu || *npu < 0 || !chip_id || *chip_id < 0 || !bus_cell) return std::nullopt;

  Chip chip;
  chip.npu = *npu;
  chip.chip = *chip_id;
  SetSecondId(ParseWhole<std::int32_t>(ids[1]), layout.second_id, chip);
  chip.name =
      layout.name_cell == 0 ? Trim(first[0].substr(npu_word.size())) : first[layout.name_cell];
  SetHealth(first, layout.health_cell, chip);
  if (!Has(second[*bus_cell], "x") && second[*bus_cell] != "NA") {
    chip.bus_id = ToLower(second[*bus_cell]);
  }
  const Numbers upper = NumbersIn(first, layout.health_cell + 1, layout.first);
  const Numbers lower = NumbersIn(second, *bus_cell + 1, layout.second);
  SetPower(upper.scalar(Column::kPower), chip);
  const bool hbm_column = layout.second.Has(Column::kHbm);
  SetMemory(lower, hbm_column, chip);
  SetTemperature(upper, lower, chip);
  SetLoad(lower.scalar(Column::kAicore), chip.aicore_percent, chip);
  SetLoad(lower.scalar(Column::kNpuUtil), chip.npu_percent, chip);
  chip.nothing_read = NothingRead(upper, lower, hbm_column);
  return chip;
}

}  // namespace ascend::npu_smi

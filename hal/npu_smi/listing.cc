#include "hal/npu_smi/listing.h"

#include <algorithm>
#include <array>
#include <utility>

#include "hal/npu_smi/cells.h"

namespace ascend::npu_smi {
namespace {

constexpr std::size_t kMaxRows = 4096;
constexpr std::string_view kNoCard = "There is no NPU card on this server";
constexpr std::string_view kNoProcess = "No process in device.";

// Removes the line with the text, which is understood, from the unknown ones.
bool TakeSaying(std::string_view text, std::string_view saying, UnknownLines& unknown) {
  if (!Has(text, saying)) return false;
  const auto says = [&](const std::string& line) { return Has(line, saying); };
  unknown.count -= std::erase_if(unknown.first, says);
  return true;
}

enum class MapColumn : std::uint8_t { kNpu, kSlot, kChip, kLogic, kPhy, kName };
struct MapTitle {
  MapColumn column;
  std::string_view title;
};
// No title is a part of another.
constexpr std::array<MapTitle, 6> kMapTitles = {{
    {MapColumn::kNpu, "NPU ID"},
    {MapColumn::kSlot, "Slot ID"},
    {MapColumn::kChip, "Chip ID"},
    {MapColumn::kLogic, "Chip Logic ID"},
    {MapColumn::kPhy, "Chip Phy-ID"},
    {MapColumn::kName, "Chip Name"},
}};

// The columns in the order of the header; empty if the line is none.
std::vector<MapColumn> MapColumns(std::string_view line) {
  std::vector<std::pair<std::size_t, MapColumn>> found;
  for (const MapTitle& title : kMapTitles) {
    const std::size_t at = line.find(title.title);
    if (at != std::string_view::npos) found.emplace_back(at, title.column);
  }
  if (found.size() < 3 || found.front().second != MapColumn::kNpu) return {};
  std::ranges::sort(found);
  std::vector<MapColumn> columns;
  for (const auto& [at, column] : found) columns.push_back(column);
  return columns;
}

// The words of the line; the last column takes all that is left, for a name may have blanks.
std::vector<std::string_view> MapCells(std::string_view line, std::size_t columns) {
  std::vector<std::string_view> cells;
  for (line = Trim(line); !line.empty() && cells.size() + 1 < columns; line = Trim(line)) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    cells.push_back(word);
    line.remove_prefix(word.size());
  }
  if (!line.empty()) cells.push_back(line);
  return cells;
}

bool IsOtherUnit(std::string_view name) {
  return name == "Mcu" || name == "MCU" || name == "mcu" || name == "3559";
}

void ReadMapRow(std::string_view line, const std::vector<MapColumn>& columns, Mapping& mapping) {
  const std::vector<std::string_view> cells = MapCells(line, columns.size());
  // A cell that is missing in the middle would shift the others.
  if (columns.empty() || cells.size() != columns.size()) return mapping.unknown.Add(line);
  MappedChip chip;
  std::optional<std::int32_t> npu;
  std::optional<std::int32_t> chip_id;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto number = ParseWhole<std::int32_t>(cells[i]);
    if (columns[i] == MapColumn::kNpu) npu = number;
    if (columns[i] == MapColumn::kSlot) chip.slot = number;
    if (columns[i] == MapColumn::kChip) chip_id = number;
    if (columns[i] == MapColumn::kLogic) chip.logic_id = number;
    if (columns[i] == MapColumn::kPhy) chip.phy_id = number;
    if (columns[i] == MapColumn::kName) chip.name = cells[i];
  }
  const bool negative = std::min({npu.value_or(0), chip_id.value_or(0), chip.logic_id.value_or(0),
                                  chip.phy_id.value_or(0)}) < 0;
  if (!npu || !chip_id || negative || mapping.chips.size() >= kMaxRows) {
    return mapping.unknown.Add(line);
  }
  if (IsOtherUnit(chip.name)) {
    ++mapping.other_units;
    return;
  }
  chip.npu = *npu;
  chip.chip = *chip_id;
  const auto same = [&](const MappedChip& other) {
    return other.npu == chip.npu && other.chip == chip.chip;
  };
  if (std::ranges::any_of(mapping.chips, same)) return mapping.unknown.Add(line);
  mapping.chips.push_back(std::move(chip));
}

// "395864  Process name:power_test        Process memory(MB):5118", after "Process id:".
std::optional<Process> ReadProcess(std::string_view value, const Block& block) {
  constexpr std::string_view kName = "Process name:";
  constexpr std::string_view kMemory = "Process memory(MB):";
  const std::size_t name = value.find(kName);
  const std::size_t memory = value.rfind(kMemory);  // a name may contain anything
  if (name == std::string_view::npos || memory == std::string_view::npos || memory < name) {
    return std::nullopt;
  }
  const auto pid = ParseWhole<std::int32_t>(Trim(value.substr(0, name)));
  if (!pid || *pid <= 0) return std::nullopt;
  Process process;
  process.npu = block.npu.value_or(0);
  process.chip = block.chip.value_or(0);
  process.pid = *pid;
  process.name = Trim(value.substr(name + kName.size(), memory - name - kName.size()));
  process.memory_mb = ParseWhole<std::uint64_t>(Trim(value.substr(memory + kMemory.size())));
  return process;
}

}  // namespace

CardList ParseCardList(std::string_view text) {
  KeyValues values = ReadKeyValues(text, BlockId::kFirst);
  CardList list;
  list.total = values.total;
  list.unknown = std::move(values.unknown);
  list.none = TakeSaying(text, kNoCard, list.unknown);
  for (const Block& block : values.blocks) {
    if (!block.npu) continue;
    ListedCard card;
    card.npu = *block.npu;
    card.product = block.Find("Product Name").value_or("");
    card.serial = block.Find("Serial Number").value_or("");
    card.chips = block.chip_count;
    list.cards.push_back(std::move(card));
  }
  return list;
}

Mapping ParseMapping(std::string_view text) {
  Mapping mapping;
  std::vector<MapColumn> columns;
  ForEachLine(text, mapping.unknown, [&](std::string_view line) {
    if (Has(line, kNoCard)) {
      mapping.none = true;
    } else if (auto header = MapColumns(line); !header.empty()) {
      columns = std::move(header);
      mapping.slot_column = std::ranges::find(columns, MapColumn::kSlot) != columns.end();
    } else {
      ReadMapRow(line, columns, mapping);
    }
  });
  return mapping;
}

ProcessList ParseProcessList(std::string_view text) {
  KeyValues values = ReadKeyValues(text, BlockId::kLast);
  ProcessList list;
  list.unknown = std::move(values.unknown);
  list.none = TakeSaying(text, kNoProcess, list.unknown);
  for (const Block& block : values.blocks) {
    for (const KeyValue& pair : block.pairs) {
      auto process = pair.key == "Process id" ? ReadProcess(pair.value, block) : std::nullopt;
      if (process) {
        list.processes.push_back(*std::move(process));
      } else {
        list.unknown.Add(pair.key + ":" + pair.value);
      }
    }
  }
  return list;
}

}  // namespace ascend::npu_smi

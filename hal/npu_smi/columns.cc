#include "hal/npu_smi/columns.h"

#include <algorithm>
#include <utility>

#include "hal/npu_smi/cells.h"

namespace ascend::npu_smi {
namespace {

struct ColumnWord {
  Column column;
  std::string_view word;
  bool pair;  // printed as "used / total"
};

// In the order of the enumeration.
constexpr std::array<ColumnWord, kColumnCount> kColumnWords = {{
    {Column::kPower, "Power", false},
    {Column::kTemperature, "Temp", false},
    {Column::kHugepages, "Hugepages-Usage", true},
    {Column::kAicore, "AICore", false},
    {Column::kNpuUtil, "NPU Util", false},
    {Column::kMemory, "Memory-Usage", true},
    {Column::kHbm, "HBM-Usage", true},
}};

bool IsPair(Column column) { return kColumnWords[static_cast<std::size_t>(column)].pair; }

std::size_t ScalarCount(const Columns& columns) {
  std::size_t scalars = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) scalars += IsPair(columns[i]) ? 0 : 1;
  return scalars;
}

// How many words stand before the first pair.
std::size_t LoneWords(const Words& words) {
  for (std::size_t i = 0; i < words.count; ++i) {
    if (words[i] == "/") return i == 0 ? 0 : i - 1;
  }
  return words.count;
}

std::optional<Usage> ParseUsage(std::string_view used, std::string_view total) {
  const auto used_number = ParseWhole<std::uint64_t>(used);
  const auto total_number = ParseWhole<std::uint64_t>(total);
  if (!used_number || !total_number) return std::nullopt;
  return Usage{*used_number, *total_number};
}

// Reads the pair at `at` and steps over it. A word without a slash ("NA") fills a whole pair.
std::optional<Usage> TakePair(const Words& words, std::size_t& at) {
  if (words[at] == "/") {
    at += 2;
    return std::nullopt;
  }
  if (words[at + 1] != "/") {
    at += 1;
    return std::nullopt;
  }
  if (words[at + 3] == "/") {  // "1 / 2 / 3": one number is missing, and not to be said which
    at = words.count;
    return std::nullopt;
  }
  at += 3;
  return ParseUsage(words[at - 3], words[at - 1]);
}

}  // namespace

Columns Columns::FromHeader(std::string_view header) {
  // Absent words have the position npos and so come last.
  std::array<std::pair<std::size_t, Column>, kColumnCount> found;
  for (std::size_t i = 0; i < kColumnCount; ++i) {
    found[i] = {header.find(kColumnWords[i].word), kColumnWords[i].column};
  }
  std::ranges::sort(found);
  Columns columns;
  for (const auto& [position, column] : found) {
    if (position != std::string_view::npos) columns.columns_[columns.count_++] = column;
  }
  return columns;
}

bool Columns::Has(Column column) const {
  const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(count_);
  return std::find(columns_.begin(), end, column) != end;
}

Numbers ReadNumbers(std::string_view cell, const Columns& columns, bool closed) {
  const Words words = SplitWords(cell);
  // With one of two lone numbers missing, nothing says which of the two is left.
  const bool scalars_known = !closed || LoneWords(words) >= ScalarCount(columns);
  Numbers numbers;
  std::size_t at = 0;
  for (std::size_t i = 0; i < columns.size() && at < words.count; ++i) {
    const auto index = static_cast<std::size_t>(columns[i]);
    if (IsPair(columns[i])) {
      numbers.pairs[index] = TakePair(words, at);
    } else if (words[at] != "/" && words[at + 1] != "/") {
      if (scalars_known) numbers.scalars[index] = ParseWhole<double>(words[at]);
      ++at;
    }
  }
  return numbers;
}

}  // namespace ascend::npu_smi

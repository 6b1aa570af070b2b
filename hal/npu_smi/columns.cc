#include "hal/npu_smi/columns.h"

#include <algorithm>
#include <utility>

#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/key_values.h"

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

// Whether there are more words than the columns can have: one column is not known. A word that is
// no value may stand for a whole pair.
bool TooManyWords(const Words& words, const Columns& columns) {
  const auto begin = words.list.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(words.count);
  const auto slashes = static_cast<std::size_t>(std::count(begin, end, "/"));
  const std::size_t scalars = ScalarCount(columns);
  const std::size_t pairs = columns.size() - scalars;
  const std::size_t lone = LoneWords(words);
  if (columns.guessed() && lone > scalars) return true;
  const auto numbers = lone - static_cast<std::size_t>(std::count_if(
                                  begin, begin + static_cast<std::ptrdiff_t>(lone), IsNoValue));
  return slashes > pairs || numbers > scalars || lone > scalars + pairs - slashes;
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
  Columns columns;
  for (header = Trim(header); !header.empty(); header = Trim(header)) {
    const auto title = std::ranges::find_if(
        kColumnWords, [&](const ColumnWord& word) { return header.starts_with(word.word); });
    // Nobody knows how many words a column that nobody knows has, so those after it are not read.
    columns.whole_ = title != kColumnWords.end() && !columns.Has(title->column);
    if (!columns.whole_) break;
    columns.columns_[columns.count_++] = title->column;
    header.remove_prefix(title->word.size());
    header.remove_prefix(std::min(header.find_first_of(" \t"), header.size()));  // "(W)"
  }
  return columns;
}

bool Columns::Has(Column column) const {
  const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(count_);
  return std::find(columns_.begin(), end, column) != end;
}

Numbers ReadNumbers(std::string_view cell, const Columns& columns, bool closed) {
  Words words = SplitWords(cell);
  Numbers numbers;
  if (!closed) {
    // Of a row without its end in a table without its header nothing says which numbers are left.
    if (columns.guessed() || words.count == 0) return numbers;
    --words.count;
  }
  if (columns.whole() && TooManyWords(words, columns)) return numbers;
  // With one of two lone numbers missing, nothing says which of the two is left.
  const bool scalars_known = !closed || LoneWords(words) >= ScalarCount(columns);
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

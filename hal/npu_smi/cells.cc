#include "hal/npu_smi/cells.h"

#include <algorithm>

namespace ascend::npu_smi {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kMaxQuoted = 120;
constexpr std::string_view kNone = "N/A";  // the one word with a slash in it

}  // namespace

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view TakeLine(std::string_view& text, bool& ended) {
  const std::size_t end = text.find('\n');
  ended = end != std::string_view::npos;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(ended ? end + 1 : text.size());
  return line;
}

std::optional<Row> SplitRow(std::string_view line) {
  line = Trim(line);
  if (!line.starts_with('|')) return std::nullopt;
  line.remove_prefix(1);
  Row row;
  row.closed = line.ends_with('|');
  if (row.closed) line.remove_suffix(1);
  while (row.count < kMaxCells) {
    const std::size_t bar = line.find('|');
    row.cells[row.count++] = Trim(line.substr(0, bar));
    if (bar == std::string_view::npos) return row;
    line.remove_prefix(bar + 1);
  }
  return std::nullopt;
}

Words SplitWords(std::string_view cell) {
  Words words;
  while (words.count < kMaxWords) {
    cell = Trim(cell);
    if (cell.empty()) break;
    const std::size_t end = cell.front() == '/'       ? 1
                            : cell.starts_with(kNone) ? kNone.size()
                                                      : cell.find_first_of(" \t\r/");
    words.list[words.count++] = cell.substr(0, end);
    cell.remove_prefix(std::min(end, cell.size()));
  }
  return words;
}

bool StartsWithDigit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

std::string Quotable(std::string_view text) {
  std::string quotable(Trim(text).substr(0, kMaxQuoted));
  for (char& c : quotable) {
    if (c < ' ' || c > '~') c = '?';
  }
  return quotable;
}

}  // namespace ascend::npu_smi

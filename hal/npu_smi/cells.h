// The pieces that a table of npu-smi is made of: lines, rows of cells between bars, words, numbers.
// Pure functions over borrowed text; what they return points into their argument.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace ascend::npu_smi {

inline constexpr std::size_t kMaxCells = 16;
inline constexpr std::size_t kMaxWords = 16;

// Without the blanks, tabs and carriage returns at both ends.
std::string_view Trim(std::string_view text);

// The text up to the next line end, which is removed from `text` with it. `ended` tells whether
// there was a line end: the last line of a text that was cut off has none.
std::string_view TakeLine(std::string_view& text, bool& ended);

// One line that begins with a bar, as trimmed cells.
struct Row {
  std::array<std::string_view, kMaxCells> cells;
  std::size_t count = 0;
  bool closed = false;  // ends with a bar; people cut tables at the right

  // Empty beyond the last cell.
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    return index < count ? cells[index] : std::string_view();
  }
};

// Nothing if the line does not begin with a bar or has more than kMaxCells cells.
std::optional<Row> SplitRow(std::string_view line);

// The words of a cell; a slash is a word of its own with or without blanks around it, but "N/A" is
// one word.
struct Words {
  std::array<std::string_view, kMaxWords> list;
  std::size_t count = 0;

  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    return index < count ? list[index] : std::string_view();
  }
};
Words SplitWords(std::string_view cell);  // words after kMaxWords are dropped

// The number that the whole of `text` is; nothing for "NA", "-", "5.s" and the like. Decimal only.
template <typename T>
std::optional<T> ParseWhole(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<T>) {
    // from_chars would take "inf" and "nan" too.
    if (text.find_first_not_of("-.0123456789") != std::string_view::npos) return std::nullopt;
    result = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  } else {
    result = std::from_chars(text.data(), end, value);
  }
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

bool StartsWithDigit(std::string_view text);

// Contains `word`, in this spelling.
inline bool Has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// Fit for a log line: at most 120 bytes, all of them printable ASCII.
std::string Quotable(std::string_view text);

}  // namespace ascend::npu_smi

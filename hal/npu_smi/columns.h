// The columns of one kind of row: which there are and in what order, from the words of their
// header, and the numbers of a data row assigned to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hal/npu_smi/table.h"

namespace ascend::npu_smi {

enum class Column : std::uint8_t {
  kPower,
  kTemperature,
  kHugepages,
  kAicore,
  kNpuUtil,
  kMemory,
  kHbm,
};
inline constexpr std::size_t kColumnCount = 7;

class Columns {
 public:
  Columns() = default;
  // In the order of their words in `header`, the last cell of a header row. Those after a column
  // that is not known are left out.
  static Columns FromHeader(std::string_view header);

  // What a table most likely has whose header was lost.
  static Columns Guess(std::string_view header) {
    Columns columns = FromHeader(header);
    columns.guessed_ = true;
    return columns;
  }

  [[nodiscard]] bool Has(Column column) const;
  // All columns of the header are known.
  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] bool guessed() const { return guessed_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] Column operator[](std::size_t index) const { return columns_[index]; }

 private:
  std::array<Column, kColumnCount> columns_{};
  std::size_t count_ = 0;
  bool whole_ = true;
  bool guessed_ = false;
};

// The numbers of one cell. Absent: not printed, "NA", "-", garbled, or not to be told apart from a
// neighbour.
struct Numbers {
  std::array<std::optional<double>, kColumnCount> scalars;
  std::array<std::optional<Usage>, kColumnCount> pairs;

  [[nodiscard]] std::optional<double> scalar(Column column) const {
    return scalars[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] std::optional<Usage> pair(Column column) const {
    return pairs[static_cast<std::size_t>(column)];
  }
};

// `closed`: the cell ends with its bar, so nothing is missing at its right; else its last word may
// have been cut off and is not read.
Numbers ReadNumbers(std::string_view cell, const Columns& columns, bool closed);

}  // namespace ascend::npu_smi

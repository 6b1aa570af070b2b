// One chip of the table from its pair of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/columns.h"
#include "hal/npu_smi/table.h"

namespace ascend::npu_smi {

enum class SecondId : std::uint8_t { kNone, kPhyId, kDevice };

// What the two header rows said. The initial values are for a table whose header was cut off.
struct ChipLayout {
  std::size_t name_cell = 0;  // 0: the name follows the NPU id in the first cell
  std::size_t health_cell = 1;
  std::size_t bus_cell = 1;
  SecondId second_id = SecondId::kNone;
  Columns first = Columns::Guess("Power Temp Hugepages-Usage");
  Columns second = Columns::Guess("AICore Memory-Usage HBM-Usage");
};

// Takes over what the row says if it is one of the two header rows of the chips.
bool ReadChipHeader(const Row& row, ChipLayout& layout);

// The cell that holds a PCI address or, where the layout has it there, "NA"; only second rows have
// it.
std::optional<std::size_t> FindBusCell(const Row& row, const ChipLayout& layout);

// Whether a row that is no second row can be a first one. A second row that was cut off within its
// PCI address is neither.
bool MayBeFirstRow(const Row& row, const ChipLayout& layout);

// Nothing if the ids are no numbers: the rows are not a chip's.
std::optional<Chip> ReadChip(const Row& first, const Row& second, const ChipLayout& layout);

}  // namespace ascend::npu_smi

// From the name that a chip calls itself to what it is.
#pragma once

#include <optional>
#include <string_view>

#include "hal/readings.h"

namespace ascend {

// `chip_name` as the library or the tool prints it ("910B3", "Ascend910", "310P3"); the board id,
// where known, tells A3 apart whatever the name says. Unknown names give kUnknown, never an error.
ChipFamily FamilyOf(std::string_view chip_name, std::optional<std::uint32_t> board_id);

// What chips of the family have; kAnyChip for kUnknown.
ChipTraits TraitsOf(ChipFamily family);

// Whether chips of the family may be split into vNPUs; true for kUnknown, which can only be asked.
bool CanBeSplit(ChipFamily family);

// "910B", "310P", ...; "unknown" for kUnknown.
std::string_view NameOf(ChipFamily family);

}  // namespace ascend

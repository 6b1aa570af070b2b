// A fault event as the library hands it out.
#pragma once

#include "machine_data.h"
#include "vendor_structs.h"

namespace fake_dcmi {

inline constexpr int kRecovery = 0;
inline constexpr int kOccurrence = 1;

// What the chip's key fault.CODE says of a code.
struct FaultText {
  int severity = 0;
  std::string text;
};
std::optional<FaultText> FaultTextOf(const Chip& chip, unsigned int code);

std::vector<unsigned int> FaultsOf(const Chip& chip);

// Numbered in the order of the calls.
Event MakeEvent(const Chip& chip, unsigned int code, int assertion);

}  // namespace fake_dcmi

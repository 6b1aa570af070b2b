#include "hal/npu_smi/known_keys.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "hal/npu_smi/board.h"
#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/hccs_text.h"
#include "hal/npu_smi/health_text.h"

namespace ascend::npu_smi {
namespace {

// Values that nobody uses.
constexpr std::array<std::string_view, 4> kUnused = {"", "Process id", "Chassis ID",
                                                     "Super Pod Type"};

}  // namespace

bool IsKnownKey(std::string_view key) {
  return IsChipValueKey(key) || IsBoardKey(key) || IsHealthKey(key) || IsHccsKey(key) ||
         std::ranges::find(kUnused, key) != kUnused.end();
}

void AddUnknownKeys(KeyValues& values) {
  for (const Block& block : values.blocks) {
    if (block.other_unit) continue;  // its sensors have names of their own
    for (const KeyValue& pair : block.pairs) {
      if (!IsKnownKey(pair.key)) values.unknown.Add(fmt::format("{} : {}", pair.key, pair.value));
    }
  }
}

}  // namespace ascend::npu_smi

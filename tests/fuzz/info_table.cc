#include <string_view>

#include "hal/npu_smi/table.h"
#include "tests/fuzz/target.h"

using ascend::npu_smi::Chip;
using ascend::npu_smi::InfoTable;
using ascend::npu_smi::ParseInfoTable;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const InfoTable table = ParseInfoTable({reinterpret_cast<const char*>(bytes), size});
  for (const Chip& chip : table.chips) {
    if (chip.npu < 0 || chip.chip < 0) __builtin_trap();
    if (chip.aicore_percent && (*chip.aicore_percent < 0 || *chip.aicore_percent > 100)) {
      __builtin_trap();
    }
    if (chip.hbm && chip.hbm->total == 0) __builtin_trap();
  }
  return 0;
}

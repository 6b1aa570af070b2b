#include <string_view>

#include "hal/npu_smi/topology_text.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto matrix = ascend::npu_smi::ParseTopology({reinterpret_cast<const char*>(bytes), size});
  for (const auto& cell : matrix.cells) {
    if (cell.from < 0 || cell.to < 0 || cell.from == cell.to) __builtin_trap();
  }
  return 0;
}

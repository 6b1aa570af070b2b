#include "hal/npu_smi/listing.h"

#include <string_view>

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  (void)ascend::npu_smi::ParseCardList(text);
  for (const auto& chip : ascend::npu_smi::ParseMapping(text).chips) {
    if (chip.npu < 0 || chip.chip < 0) __builtin_trap();
  }
  for (const auto& process : ascend::npu_smi::ParseProcessList(text).processes) {
    if (process.pid <= 0) __builtin_trap();
  }
  return 0;
}

#include <string_view>

#include "hal/npu_smi/watch_text.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  (void)ascend::npu_smi::ParseWatch({reinterpret_cast<const char*>(bytes), size});
  return 0;
}

#include <string_view>

#include "hal/npu_smi/refusal.h"
#include "hal/vendor_text.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (ascend::NameOf(ascend::Identify(text)).empty()) __builtin_trap();
  (void)ascend::npu_smi::RefusalIn(text);
  return 0;
}

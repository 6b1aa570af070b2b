#include "hal/npu_smi/key_values.h"

#include <string_view>

#include "hal/npu_smi/board.h"
#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/hccs_text.h"
#include "hal/npu_smi/health_text.h"
#include "hal/npu_smi/known_keys.h"
#include "tests/fuzz/target.h"

namespace ascend::npu_smi {
namespace {

void ReadAll(std::string_view text) {
  for (const BlockId id : {BlockId::kFirst, BlockId::kLast}) {
    KeyValues values = ReadKeyValues(text, id);
    AddUnknownKeys(values);
    if (values.unknown.first.size() > values.unknown.count) __builtin_trap();
    for (const Block& block : values.blocks) {
      (void)CommonOf(block);
      (void)UsagesOf(block);
      (void)MemoryOf(block);
      (void)PowerOf(block);
      (void)TemperaturesOf(block);
      (void)EccOf(block);
      (void)SensorsOf(block);
      (void)SioOf(block);
      (void)PcieErrorsOf(block);
      (void)SuperPodOf(block);
      (void)BoardOf(block);
      (void)HealthOf(block);
      (void)FaultEventsOf(block);
      if (HccsOf(block).links.size() > 16) __builtin_trap();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  ReadAll({reinterpret_cast<const char*>(bytes), size});
  return 0;
}

}  // namespace ascend::npu_smi

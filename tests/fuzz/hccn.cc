#include <string_view>

#include "hal/npu_smi/hccn_names.h"
#include "hal/npu_smi/hccn_text.h"
#include "tests/fuzz/target.h"

namespace ascend::npu_smi {
namespace {

void ReadAll(std::string_view text) {
  (void)ParseHccnLink(text);
  (void)ParseHccnHealth(text);
  (void)ParseHccnFec(text);
  (void)ParseHccnAddress(text);
  (void)ParseHccnLinkHistory(text);
  for (const auto& [name, value] : ParseHccnCounters(text).values) {
    (void)NetworkCounterOf(name);
    (void)UbCounterOf(name);
  }
  if (ParseHccnOptical(text).lanes.size() > 16) __builtin_trap();
  (void)ParseHccnBandwidth(text);
  (void)ParseHccnSpeed(text);
  (void)ParseHccnPorts(text);
  (void)ParseHccnConnection(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  ReadAll({reinterpret_cast<const char*>(bytes), size});
  return 0;
}

}  // namespace ascend::npu_smi

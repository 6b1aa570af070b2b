// Which of the vendor's tools printed a text, and in answer to what.
#pragma once

#include <cstdint>
#include <string_view>

namespace ascend {

enum class VendorText : std::uint8_t {
  kUnknown,
  kRefusal,   // says why there is no answer
  kInfo,      // npu-smi info
  kCardList,  // npu-smi info -l
  kMapping,   // npu-smi info -m
  kCommon,    // npu-smi info -t common, and so on
  kUsages,
  kMemory,
  kTemperature,
  kPower,
  kHealth,
  kEcc,
  kBoard,
  kProduct,
  kSensors,
  kSio,
  kSuperPod,
  kPcieErrors,
  kFaultEvents,
  kHccs,
  kProcesses,
  kTopology,
  kWatch,     // npu-smi info watch
  kHccnLink,  // hccn_tool -link, and so on
  kHccnLinkHistory,
  kHccnCounters,
  kHccnOptical,
  kHccnHealth,
  kHccnAddress,
  kHccnFec,
  kHccnBandwidth,
  kHccnSpeed,
  kHccnBitErrors,
  kHccnPorts,
  kHccnConnection,
};

// By the words of the text alone. Any bytes; time is linear in their number.
VendorText Identify(std::string_view text);

// "npu-smi info -t usages", "hccn_tool -stat"; "unknown" and "refusal" for the first two.
std::string_view NameOf(VendorText form);

}  // namespace ascend

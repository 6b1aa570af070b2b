// The keys that npu-smi is known to print, in any of its queries.
#pragma once

#include <string_view>

#include "hal/npu_smi/key_values.h"

namespace ascend::npu_smi {

// Whether the key is known, with or without a use for its value. A newer tool has others.
bool IsKnownKey(std::string_view key);

// Lists the pairs whose keys are not known, too, in `values.unknown`.
void AddUnknownKeys(KeyValues& values);

}  // namespace ascend::npu_smi

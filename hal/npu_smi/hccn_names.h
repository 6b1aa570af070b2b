// The names that hccn_tool has for counters. It calls some of them differently than the library.
#pragma once

#include <optional>
#include <string_view>

#include "hal/network_readings.h"

namespace ascend::npu_smi {

std::optional<NetworkCounter> NetworkCounterOf(std::string_view name);
std::optional<UbCounter> UbCounterOf(std::string_view name);

}  // namespace ascend::npu_smi

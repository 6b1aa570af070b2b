// Rows that no driver call fills: what the engine knows about each device and about the node.
#pragma once

#include <span>

#include "collectors/metric.h"

namespace ascend {

enum DeviceRow : std::size_t { kInfoRow, kUpRow, kLastSampleRow };
std::span<const Row> DeviceRows();

// States of a device, disjoint; the order of the series of ascend_npu_devices.
enum class DeviceState : std::uint8_t { kHealthy, kUnhealthy, kHung, kLost, kUnknown };
inline constexpr std::size_t kDeviceStates = 5;

enum NodeRow : std::size_t {
  kDevicesRow,  // + state
  kDevicesExpectedRow = kDevicesRow + kDeviceStates,
  kDeviceNodesRow,
  kDriverInfoRow,
  kDriverUpRow,
  kDriverStateRow,
  kDriverHealthRow,
};
std::span<const Row> NodeRows();

}  // namespace ascend

#include "collectors/key_labels.h"

#include <fmt/format.h>

#include "hal/network_readings.h"

namespace ascend {

std::string NumberLabel(std::string_view name, std::uint32_t number) {
  return fmt::format("{}=\"{}\"", name, number);
}

std::string PortLabels(std::uint32_t key) {
  if (key == 0) return "";
  return fmt::format("udie=\"{}\",port=\"{}\"", (key - 1) >> 8U, (key - 1) & 0xFFU);
}

std::string OpticalLaneLabels(std::uint32_t key) {
  const std::string port = PortLabels(key / kMaxOpticalLanes);
  return fmt::format("{}{}lane=\"{}\"", port, port.empty() ? "" : ",", key % kMaxOpticalLanes);
}

}  // namespace ascend

// The HCCS links of a chip: `npu-smi info -t hccs`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hal/npu_smi/key_values.h"

namespace ascend::npu_smi {

struct HccsLinkValues {
  std::uint32_t link = 0;
  std::optional<std::uint64_t> lane_mode;     // how many lanes the link is set to
  std::optional<std::uint64_t> lanes_in_use;  // those that "link lane list" has as 1
  std::optional<std::uint64_t> transmit_packets, receive_packets;  // flits of 20 bytes
  std::optional<std::uint64_t> retries, errors;
  friend bool operator==(const HccsLinkValues&, const HccsLinkValues&) = default;
};

struct HccsValues {
  std::optional<bool> healthy;  // absent: not printed (310P)
  std::optional<std::uint64_t> first_error_lane;
  std::vector<HccsLinkValues> links;  // empty where the lists are of different lengths
};

// The tool prints the links up to number 7 and leaves out those at the beginning that the board
// has not; on 310P, which has no health line, it prints all from number 0.
HccsValues HccsOf(const Block& block);

bool IsHccsKey(std::string_view key);

}  // namespace ascend::npu_smi

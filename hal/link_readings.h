// What the drivers answer about a chip's links inside the host. As in readings.h, everything is SI
// and an absent field is unknown. Elements of lists are known by `index`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hal/fixed_list.h"
#include "hal/fixed_text.h"
#include "hal/readings.h"
#include "hal/units.h"

namespace ascend {

// How two chips reach each other, from near to far; the words of npu-smi's topology in lower case.
enum class LinkPath : std::uint8_t { kHccs, kHccsSwitch, kSio, kUb, kPix, kPxb, kPhb, kSys };
inline constexpr std::array<std::string_view, 8> kLinkPathNames = {
    "hccs", "hccs_switch", "sio", "ub", "pix", "pxb", "phb", "sys"};

struct TopologyLink {
  std::int32_t peer = 0;  // physical id of the other chip
  LinkPath path = LinkPath::kSys;
  friend bool operator==(const TopologyLink&, const TopologyLink&) = default;
};
inline constexpr std::size_t kMaxPeers = 128;
struct TopologyReading {
  FixedList<TopologyLink, kMaxPeers> links;
  Refused refused;
};

struct CpuAffinityReading {
  FixedText<127> cpus;  // a list of ranges, "0-23,48-71"
};

struct HccsLink {
  std::uint32_t index = 0;
  std::optional<Count> lanes, lanes_expected;
  std::optional<Bytes> transmitted, received;  // flits of 20 bytes
  std::optional<Count> crc_errors, retries;
  friend bool operator==(const HccsLink&, const HccsLink&) = default;
};
inline constexpr std::size_t kMaxHccsLinks = 16;
inline constexpr double kHccsFlitBytes = 20;
struct HccsReading {
  std::optional<Count> up;  // 0 or 1
  FixedList<HccsLink, kMaxHccsLinks> links;
  // After how many events the driver's counters begin again from 0; 0: never.
  double counter_range = 0;
  Refused refused;
};

struct HccsLinkBandwidth {
  std::uint32_t index = 0;
  std::optional<BytesPerSecond> transmit, receive;
  friend bool operator==(const HccsLinkBandwidth&, const HccsLinkBandwidth&) = default;
};
struct HccsBandwidthReading {
  FixedList<HccsLinkBandwidth, kMaxHccsLinks> links;
  Refused refused;
};

// The link between the two dies of a package. Its counters have 16 bits in the driver.
struct SioReading {
  std::optional<Count> transmit_errors, receive_errors;
  double counter_range = 65536;
  Refused refused;
};

// Error counters of the PCIe link: fields of the driver, then those that the kernel keeps of
// Advanced Error Reporting.
struct PcieErrors {
  std::optional<Count> symbol_unlock, pcs_receive, phy_lane, data_link_lcrc, data_link_dcrc;
  std::optional<Count> transmit, receive, ecrc, retry;
  std::optional<Count> correctable, nonfatal, fatal;
  friend bool operator==(const PcieErrors&, const PcieErrors&) = default;
};
struct PcieReading {
  std::optional<TransfersPerSecond> speed, max_speed;
  std::optional<Count> lanes, max_lanes;
  PcieErrors errors;
  Refused refused;
};

// Means over the time of the call. Posted: writes; nonposted: reads; completion: answers to reads.
struct PcieBandwidthReading {
  std::optional<BytesPerSecond> transmit_posted, transmit_nonposted, transmit_completion;
  std::optional<BytesPerSecond> receive_posted, receive_nonposted, receive_completion;
  Refused refused;
};

struct SuperPodReading {
  std::optional<std::uint32_t> super_pod_id, server_id, sdid;
  std::optional<std::uint32_t> scale;  // how many chips the super pod has
};

}  // namespace ascend

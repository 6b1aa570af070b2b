// What the drivers answer about a chip's own network. As in readings.h, everything is SI and an
// absent field is unknown. Elements of lists are known by `index`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hal/fixed_list.h"
#include "hal/readings.h"
#include "hal/units.h"

namespace ascend {

// Names a port among those of its chip: 0 on chips with one port, else die and port of a 950.
constexpr std::uint32_t PortIndex(std::uint32_t udie, std::uint32_t port) {
  return 1 + (udie << 8U | (port & 0xFFU));
}

enum class NetworkHealth : std::uint8_t { kOk, kFaulty, kUnknown };

struct NetworkHealthReading {
  std::optional<NetworkHealth> state;  // absent where no address was configured to check against
  Refused refused;
};

inline constexpr std::size_t kMaxPorts = 72;  // two dies with 36 ports each

struct NetworkPort {
  std::uint32_t index = 0;
  std::optional<Count> up, address_configured;  // 0 or 1
  std::optional<BytesPerSecond> speed;
  std::optional<Count> up_changes, down_changes;
  friend bool operator==(const NetworkPort&, const NetworkPort&) = default;
};
struct NetworkLinkReading {
  FixedList<NetworkPort, kMaxPorts> ports;
  Refused refused;
};

// Counters of the network, in the order of dcmi_network_pkt_stats_info.
enum class NetworkCounter : std::uint8_t {
  kMacTxPause,
  kMacRxPause,
  kMacTxPfc,
  kMacTxPfc0,
  kMacTxPfc1,
  kMacTxPfc2,
  kMacTxPfc3,
  kMacTxPfc4,
  kMacTxPfc5,
  kMacTxPfc6,
  kMacTxPfc7,
  kMacRxPfc,
  kMacRxPfc0,
  kMacRxPfc1,
  kMacRxPfc2,
  kMacRxPfc3,
  kMacRxPfc4,
  kMacRxPfc5,
  kMacRxPfc6,
  kMacRxPfc7,
  kMacTxPackets,
  kMacTxBytes,
  kMacTxBadPackets,
  kMacTxBadBytes,
  kMacRxPackets,
  kMacRxBytes,
  kMacRxBadPackets,
  kMacRxBadBytes,
  kMacRxFcsErrors,
  kRoceRxRcPackets,
  kRoceRxPackets,
  kRoceRxErrorPackets,
  kRoceTxRcPackets,
  kRoceTxPackets,
  kRoceTxErrorPackets,
  kRoceCompletions,
  kRoceRxCnpPackets,
  kRoceTxCnpPackets,
  kRoceAckErrors,
  kRocePsnErrors,
  kRoceVerificationErrors,
  kRoceQpStatusErrors,
  kRoceRetries,
  kRoceEcnMarked,
  kNicTxPackets,
  kNicTxBytes,
  kNicRxPackets,
  kNicRxBytes,
  // Only hccn_tool prints these.
  kRoceUnexpectedAcks,
  kRoceOutOfOrder,
};
inline constexpr std::size_t kNetworkCounters = 50;
inline constexpr std::size_t kNetworkStructCounters = 48;  // those of the library's struct

struct PortCounters {
  std::uint32_t index = 0;
  std::array<std::optional<Count>, kNetworkCounters> values;

  [[nodiscard]] std::optional<Count>& operator[](NetworkCounter counter) {
    return values[static_cast<std::size_t>(counter)];
  }
  [[nodiscard]] const std::optional<Count>& operator[](NetworkCounter counter) const {
    return values[static_cast<std::size_t>(counter)];
  }
  friend bool operator==(const PortCounters&, const PortCounters&) = default;
};
struct NetworkCountersReading {
  FixedList<PortCounters, 4> ports;
  Refused refused;
};

struct PortBandwidth {
  std::uint32_t index = 0;
  std::optional<BytesPerSecond> transmit, receive;
  friend bool operator==(const PortBandwidth&, const PortBandwidth&) = default;
};
struct NetworkBandwidthReading {
  FixedList<PortBandwidth, kMaxPorts> ports;
  Refused refused;
};

struct OpticalLane {
  std::uint32_t index = 0;  // lane + kMaxOpticalLanes * the index of its port
  std::optional<Watts> transmit_power, receive_power;
  friend bool operator==(const OpticalLane&, const OpticalLane&) = default;
};
inline constexpr std::uint32_t kMaxOpticalLanes = 16;

// The optical module of a port.
struct OpticalModule {
  std::uint32_t index = 0;
  std::optional<Count> present;  // 0 or 1
  std::optional<Celsius> temperature;
  std::optional<Volts> voltage;
  std::optional<Count> transmit_loss_of_signal, receive_loss_of_signal;  // 0 or 1, on any lane
  std::optional<Watts> transmit_power_low_threshold, receive_power_low_threshold;
  friend bool operator==(const OpticalModule&, const OpticalModule&) = default;
};
struct OpticalReading {
  FixedList<OpticalModule, 16> modules;
  FixedList<OpticalLane, 64> lanes;
  Refused refused;
};

// Counters of a UB port, in the order of dcmi_port_pkt_stats_info.
enum class UbCounter : std::uint8_t {
  kRxUbIpv4,
  kRxUbIpv6,
  kRxUnicIpv4,
  kRxUnicIpv6,
  kRxUbCompact,
  kRxUmocCtph,
  kRxUmocNtph,
  kRxUbMem,
  kRxUnknown,
  kRxDropInd,
  kRxErrInd,
  kRxToHost,
  kRxToImp,
  kRxToMar,
  kRxToLink,
  kRxToNoc,
  kRxRouteErr,
  kRxOutErr,
  kRxLengthErr,
  kRxBusiFlits,
  kRxSendAckFlits,
  kTxUbIpv4,
  kTxUbIpv6,
  kTxUnicIpv4,
  kTxUnicIpv6,
  kTxUbCompact,
  kTxUmocCtph,
  kTxUmocNtph,
  kTxUbMem,
  kTxUnknown,
  kTxDropInd,
  kTxErrInd,
  kTxLpbkInd,
  kTxOutErr,
  kTxLengthErr,
  kTxBusiFlits,
  kTxRecvAckFlits,
  kRetryRequests,
  kRetryAcks,
  kCrcErrors,
  // Only ports that carry Ethernet (UBoE) have these.
  kMibRxPause,
  kMibTxPause,
  kMibRxPfc,
  kMibTxPfc,
  kMibRxBadPackets,
  kMibTxBadPackets,
  kMibRxBadBytes,
  kMibTxBadBytes,
};
inline constexpr std::size_t kUbCounters = 48;
inline constexpr std::size_t kUbPortCounters = 40;  // those of every port

struct UbPort {
  std::uint32_t index = 0;
  std::optional<Count> up;  // 0 or 1: all lanes
  std::array<std::optional<Count>, kUbCounters> values;
  friend bool operator==(const UbPort&, const UbPort&) = default;
};
struct UbReading {
  FixedList<UbPort, kMaxPorts> ports;
  Refused refused;
};

}  // namespace ascend

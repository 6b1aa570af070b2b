// The vendor's structs about a chip's own network. The counters of a port are arrays here: the
// vendor's structs name each, in the order of NetworkCounter and UbCounter.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ascend::dcmi {

struct NetworkPktStatsInfo {
  std::uint64_t counters[48];
  std::int64_t tv_sec;
  std::int64_t tv_usec;
  unsigned char reserved[64];
};
static_assert(sizeof(NetworkPktStatsInfo) == 464 && offsetof(NetworkPktStatsInfo, counters) == 0);
static_assert(offsetof(NetworkPktStatsInfo, tv_sec) == 384);
static_assert(offsetof(NetworkPktStatsInfo, tv_usec) == 392);
static_assert(offsetof(NetworkPktStatsInfo, reserved) == 400);

struct NetworkRdmaBandwidthInfo {
  std::uint32_t tx_bandwidth;  // MB/s
  std::uint32_t rx_bandwidth;
};
static_assert(sizeof(NetworkRdmaBandwidthInfo) == 8);
static_assert(offsetof(NetworkRdmaBandwidthInfo, tx_bandwidth) == 0);
static_assert(offsetof(NetworkRdmaBandwidthInfo, rx_bandwidth) == 4);

inline constexpr std::size_t kUbDies = 2;
inline constexpr std::size_t kUbPortsPerDie = 32;  // capacity of a list
inline constexpr std::size_t kUbStatuses = 36;     // of the ports of all dies, in their order
inline constexpr std::int32_t kUbStatusesPerDie = 9;

inline constexpr std::int32_t kUboeMode = 1;  // the port carries Ethernet

struct PortInfo {
  std::int32_t port_index;
  std::int32_t mode;
};
static_assert(sizeof(PortInfo) == 8 && offsetof(PortInfo, port_index) == 0);
static_assert(offsetof(PortInfo, mode) == 4);

struct DiePortListInfo {
  std::int32_t die_index;
  std::int32_t port_nums;
  PortInfo port_list_data[kUbPortsPerDie];
};
static_assert(sizeof(DiePortListInfo) == 264 && offsetof(DiePortListInfo, die_index) == 0);
static_assert(offsetof(DiePortListInfo, port_nums) == 4);
static_assert(offsetof(DiePortListInfo, port_list_data) == 8);

struct PortListInfo {
  std::int32_t die_nums;
  DiePortListInfo die_list_data[kUbDies];
};
static_assert(sizeof(PortListInfo) == 532 && offsetof(PortListInfo, die_nums) == 0);
static_assert(offsetof(PortListInfo, die_list_data) == 4);

struct UbPortInfo {
  std::int32_t udie_id;
  std::int32_t port_id;
};
static_assert(sizeof(UbPortInfo) == 8 && offsetof(UbPortInfo, udie_id) == 0);
static_assert(offsetof(UbPortInfo, port_id) == 4);

// dcmi_ub_port_status.
inline constexpr std::uint32_t kUbNoSuchPort = 0;
inline constexpr std::uint32_t kUbAllLanes = 1;
inline constexpr std::uint32_t kUbNotUpYet = 3;  // the last of them

struct UbPortLinkStatus {
  std::uint32_t ub_link_status;  // of all ports together
  std::uint32_t ub_port_status[kUbStatuses];
};
static_assert(sizeof(UbPortLinkStatus) == 148 && offsetof(UbPortLinkStatus, ub_link_status) == 0);
static_assert(offsetof(UbPortLinkStatus, ub_port_status) == 4);

inline constexpr std::uint32_t kIsUboePort = 1;

struct PortPktStatsInfo {
  std::uint32_t port_id;
  std::uint32_t is_uboe_port;
  std::uint64_t pkt_num[48];
  unsigned char reserved[128];
};
static_assert(sizeof(PortPktStatsInfo) == 520 && offsetof(PortPktStatsInfo, port_id) == 0);
static_assert(offsetof(PortPktStatsInfo, is_uboe_port) == 4);
static_assert(offsetof(PortPktStatsInfo, pkt_num) == 8);
static_assert(offsetof(PortPktStatsInfo, reserved) == 392);

}  // namespace ascend::dcmi

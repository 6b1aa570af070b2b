// The readings of DcmiDriver about the chip's own network.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "hal/dcmi/abi.h"
#include "hal/dcmi/driver.h"

namespace ascend::dcmi {
namespace {

constexpr double kMegabyte = 1e6;
constexpr std::int64_t kMinRdmaProfilingMs = 100;
constexpr std::int64_t kMaxRdmaProfilingMs = 10'000;
constexpr std::int32_t kMaxUbPort = 0xFF;

NetworkHealth NetworkHealthOf(int result) {
  if (result == kNetworkOk) return NetworkHealth::kOk;
  // Nothing was checked yet (6), the checker itself failed (7), the address is being set (8), and
  // what newer drivers may add.
  return result <= kNetworkLastFault ? NetworkHealth::kFaulty : NetworkHealth::kUnknown;
}

// States stand in the order of dies and ports. A port that none stands for is not told.
std::optional<Count> UpOf(const UbPortLinkStatus& status, UbPortInfo port, Border& border) {
  if (port.port_id >= kUbStatusesPerDie) return {};
  const std::int32_t slot = port.udie_id * kUbStatusesPerDie + port.port_id;
  const std::uint32_t state = status.ub_port_status[slot];
  if (state == kUbNoSuchPort) return {};
  if (state > kUbNotUpYet) {
    border.Refuse();
    return {};
  }
  return Count{state == kUbAllLanes ? 1.0 : 0.0};
}

struct ListedPort {
  UbPortInfo id;
  bool ethernet = false;

  [[nodiscard]] std::uint32_t index() const {
    return PortIndex(static_cast<std::uint32_t>(id.udie_id),
                     static_cast<std::uint32_t>(id.port_id));
  }
};

// The ports of a list; nothing of dies and ports that cannot be.
std::vector<ListedPort> PortsOf(const PortListInfo& list, Border& border) {
  std::vector<ListedPort> ports;
  const auto dies = std::min(static_cast<std::size_t>(std::max(list.die_nums, 0)), kUbDies);
  for (const DiePortListInfo& die : std::span(list.die_list_data).first(dies)) {
    const bool is_die = die.die_index >= 0 && die.die_index < static_cast<std::int32_t>(kUbDies);
    const auto count = static_cast<std::size_t>(static_cast<std::uint32_t>(die.port_nums));
    if (!is_die || count > kUbPortsPerDie) {
      border.Refuse();
      continue;
    }
    for (const PortInfo& port : std::span(die.port_list_data).first(count)) {
      if (port.port_index < 0 || port.port_index > kMaxUbPort) {
        border.Refuse();
      } else {
        ports.push_back({.id = {.udie_id = die.die_index, .port_id = port.port_index},
                         .ethernet = port.mode == kUboeMode});
      }
    }
  }
  return ports;
}

}  // namespace

absl::StatusOr<NetworkHealthReading> DcmiDriver::ReadNetworkHealth(DeviceAddress at) {
  NetworkHealthReading reading;
  int result = -1;
  const int code = f_.network_health(at, &result);
  if (code == kNoConfiguration) return reading;  // no address was set to check against
  if (code != kOk) return StatusOf(f_.network_health.name, code);
  if (result < 0 || result > kNetworkLast) {
    Border(reading.refused).Refuse();
  } else {
    reading.state = NetworkHealthOf(result);
  }
  return reading;
}

std::vector<DcmiDriver::NetworkPortId> DcmiDriver::NetworkPorts(DeviceAddress at) {
  Room<PortListInfo> list(Room<PortListInfo>::kOnes);
  const int code =
      lacks_.Of(at).Ask(Question::kPortList, [&] { return f_.port_list_info(at, &list.value); });
  if (code != kOk) return {NetworkPortId()};
  Refused counted_elsewhere;
  Border border(counted_elsewhere);
  std::vector<NetworkPortId> ports;
  for (const ListedPort& port : PortsOf(list.value, border)) {
    if (port.ethernet) ports.push_back({.port_id = port.id.port_id, .index = port.index()});
  }
  return ports;
}

absl::StatusOr<HccnChip> DcmiDriver::HccnChipOf(DeviceAddress at) const {
  if (!hccn_.usable().ok()) return hccn_.usable();
  const auto known = devices();
  const auto found = std::ranges::find(*known, at, &FoundDevice::address);
  if (found == known->end()) return absl::UnavailableError("the device was not found yet");
  return HccnChip{.phy_id = found->device, .is_950 = f_.init.interface == Interface::kV2};
}

// The library tells nothing of links, addresses and optical modules.
absl::StatusOr<NetworkLinkReading> DcmiDriver::ReadNetworkLink(DeviceAddress at) {
  const auto chip = HccnChipOf(at);
  if (!chip.ok()) return chip.status();
  return hccn_.Link(*chip);
}

absl::StatusOr<OpticalReading> DcmiDriver::ReadOptical(DeviceAddress at) {
  const auto chip = HccnChipOf(at);
  if (!chip.ok()) return chip.status();
  return hccn_.Optical(*chip);
}

absl::StatusOr<NetworkCountersReading> DcmiDriver::ReadNetworkCounters(DeviceAddress at) {
  auto counters = CountersOfLibrary(at);
  if (!absl::IsUnimplemented(counters.status())) return counters;
  const auto chip = HccnChipOf(at);
  if (!chip.ok()) return chip.status();
  return hccn_.Counters(*chip);
}

absl::StatusOr<NetworkCountersReading> DcmiDriver::CountersOfLibrary(DeviceAddress at) {
  NetworkCountersReading reading;
  Border border(reading.refused);
  Outcome outcome;
  const std::vector<NetworkPortId> ports = NetworkPorts(at);
  if (ports.empty()) return Lacks("network ports");
  for (const NetworkPortId& port : ports) {
    Room<NetworkPktStatsInfo> room(Room<NetworkPktStatsInfo>::kOnes);
    const int code = lacks_.Of(at).Ask(Question::kNetworkCounters, [&] {
      return f_.netdev_pkt_stats_info(at, port.port_id, &room.value);
    });
    outcome.Add(f_.netdev_pkt_stats_info, code);
    PortCounters* counters = code == kOk ? reading.ports.Add() : nullptr;
    if (counters == nullptr) continue;
    counters->index = port.index;
    static_assert(std::size(NetworkPktStatsInfo{}.counters) == kNetworkStructCounters);
    for (std::size_t i = 0; i < kNetworkStructCounters; ++i) {
      counters->values[i] = border.Events64(room.value.counters[i]);
    }
  }
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

absl::StatusOr<NetworkBandwidthReading> DcmiDriver::ReadNetworkBandwidth(DeviceAddress at,
                                                                         nanoseconds window) {
  NetworkBandwidthReading reading;
  Border border(reading.refused);
  Outcome outcome;
  const std::vector<NetworkPortId> ports = NetworkPorts(at);
  if (ports.empty()) return Lacks("network ports");
  const auto time =
      static_cast<unsigned int>(Milliseconds(window, kMinRdmaProfilingMs, kMaxRdmaProfilingMs));
  for (const NetworkPortId& port : ports) {
    Room<NetworkRdmaBandwidthInfo> room(Room<NetworkRdmaBandwidthInfo>::kOnes);
    const int code = f_.rdma_bandwidth_info(at, port.port_id, time, &room.value);
    outcome.Add(f_.rdma_bandwidth_info, code);
    if (code != kOk) continue;
    reading.ports.Add({.index = port.index,
                       .transmit = border.Flow(room.value.tx_bandwidth, kMegabyte),
                       .receive = border.Flow(room.value.rx_bandwidth, kMegabyte)});
  }
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

void DcmiDriver::ReadUbCounters(DeviceAddress at, UbPortInfo port, UbPort& found, Border& border) {
  Room<PortPktStatsInfo> room(Room<PortPktStatsInfo>::kOnes);
  const int code = lacks_.Of(at).Ask(
      Question::kUbCounters, [&] { return f_.port_pkt_stats_info(at, &port, &room.value); });
  if (code != kOk) return;
  static_assert(std::size(PortPktStatsInfo{}.pkt_num) == kUbCounters);
  const std::size_t count = room.value.is_uboe_port == kIsUboePort ? kUbCounters : kUbPortCounters;
  for (std::size_t i = 0; i < count; ++i) {
    found.values[i] = border.Events64(room.value.pkt_num[i]);
  }
}

absl::StatusOr<UbReading> DcmiDriver::ReadUb(DeviceAddress at) {
  Room<PortListInfo> list(Room<PortListInfo>::kOnes);
  const int code = f_.port_list_info(at, &list.value);
  if (code != kOk) return StatusOf(f_.port_list_info.name, code);
  const std::int32_t dies = list.value.die_nums;
  if (dies < 0 || dies > static_cast<std::int32_t>(kUbDies)) {
    return absl::InternalError(fmt::format("{}: answers {} dies", f_.port_list_info.name, dies));
  }
  UbReading reading;
  Border border(reading.refused);
  Room<UbPortLinkStatus> status(Room<UbPortLinkStatus>::kZeros);  // nothing known of any port
  lacks_.Of(at).Ask(Question::kUbStatus, [&] { return f_.ub_port_link_status(at, &status.value); });
  for (const ListedPort& port : PortsOf(list.value, border)) {
    UbPort found;
    found.index = port.index();
    found.up = UpOf(status.value, port.id, border);
    ReadUbCounters(at, port.id, found, border);
    reading.ports.Add(found);
  }
  return reading;
}

}  // namespace ascend::dcmi

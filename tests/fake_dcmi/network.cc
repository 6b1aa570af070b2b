// The chips' own networks. Keys of a chip, numbers in the vendor's units:
//   network.PORT N..., the 48 counters of the vendor's struct in its order; rdma.PORT TX RX (MB/s);
//   ub_ports DIE PORT MODE STATE ... (MODE 0 UB, 1 UBoE; STATE 0 absent, 1 all lanes, 2 some lanes,
//   3 not up yet); ub.DIE.PORT N..., the 48 counters of such a port
// The bandwidth does not take the time that it is asked for. The states of a UB port stand at 9
// times its die plus its port: a die has 9 ports.
#include <array>
#include <string>

#include "call.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;
using fake_dcmi::Chip;
using fake_dcmi::Dev;

constexpr unsigned int kMinRdmaTime = 100;
constexpr unsigned int kMaxRdmaTime = 10'000;
constexpr int kPortsOfDie = 9;
constexpr int kUbMode = 0;
constexpr int kUboeMode = 1;
constexpr int kAllLanes = 1;

// A chip without a network has no key that begins so.
bool HasAny(const Chip& chip, const std::string& prefix) {
  const auto found = chip.values.lower_bound(prefix);
  return found != chip.values.end() && found->first.starts_with(prefix);
}

int AnswerPackets(Call call, int port_id, fake_dcmi::NetworkPacketStats* stats) {
  if (const auto code = call.ChipVerdict(stats)) return *code;
  if (!HasAny(*call.chip(), "network.")) return fake_dcmi::kNotSupported;
  const auto counters = call.chip()->Numbers("network." + std::to_string(port_id), 1);
  if (!counters) return fake_dcmi::kInvalidParameter;
  *stats = {};
  call.SetAll(stats->counters, "counters", *counters);
  return fake_dcmi::kOk;
}

int AnswerRdma(Call call, int port_id, unsigned int prof_time,
               fake_dcmi::RdmaBandwidthInfo* bandwidth) {
  if (const auto code = call.ChipVerdict(bandwidth)) return *code;
  if (prof_time < kMinRdmaTime || prof_time > kMaxRdmaTime) return fake_dcmi::kInvalidParameter;
  if (!HasAny(*call.chip(), "rdma.")) return fake_dcmi::kNotSupported;
  const auto rates = call.chip()->Numbers("rdma." + std::to_string(port_id), 2);
  if (!rates) return fake_dcmi::kInvalidParameter;
  call.Set(bandwidth->tx_bandwidth, "tx_bandwidth", (*rates)[0]);
  call.Set(bandwidth->rx_bandwidth, "rx_bandwidth", (*rates)[1]);
  return fake_dcmi::kOk;
}

struct Port {
  int die = 0;
  int port = 0;
  int mode = kUbMode;
  int state = 0;
};

std::optional<std::vector<Port>> PortsOf(const Chip& chip) {
  const auto numbers = chip.Numbers("ub_ports", 0);
  if (!numbers) return std::nullopt;
  std::vector<Port> ports;
  for (std::size_t i = 0; i + 3 < numbers->size(); i += 4) {
    const auto number = [&](std::size_t j) { return static_cast<int>((*numbers)[i + j]); };
    ports.push_back({number(0), number(1), number(2), number(3)});
  }
  return ports;
}

}  // namespace

int dcmi_get_netdev_pkt_stats_info(int card_id, int device_id, int port_id,
                                   fake_dcmi::NetworkPacketStats* network_pkt_stats_info) {
  return AnswerPackets(Call(__func__, card_id, device_id, port_id), port_id,
                       network_pkt_stats_info);
}

int dcmiv2_get_netdev_pkt_stats_info(int dev_id, int port_id,
                                     fake_dcmi::NetworkPacketStats* network_pkt_stats_info) {
  return AnswerPackets(Call(__func__, Dev(dev_id), port_id), port_id, network_pkt_stats_info);
}

int dcmi_get_rdma_bandwidth_info(int card_id, int device_id, int port_id, unsigned int prof_time,
                                 fake_dcmi::RdmaBandwidthInfo* network_rdma_bandwidth_info) {
  return AnswerRdma(Call(__func__, card_id, device_id, port_id), port_id, prof_time,
                    network_rdma_bandwidth_info);
}

int dcmiv2_get_rdma_bandwidth_info(int dev_id, int port_id, unsigned int prof_time,
                                   fake_dcmi::RdmaBandwidthInfo* network_rdma_bandwidth_info) {
  return AnswerRdma(Call(__func__, Dev(dev_id), port_id), port_id, prof_time,
                    network_rdma_bandwidth_info);
}

int dcmiv2_get_ub_port_link_status(int dev_id, fake_dcmi::UbPortLinkStatus* ub_status) {
  Call call(__func__, Dev(dev_id));
  if (const auto code = call.ChipVerdict(ub_status)) return *code;
  const auto ports = PortsOf(*call.chip());
  if (!ports) return fake_dcmi::kNotSupported;
  *ub_status = {};
  std::size_t up = 0;
  for (const Port& port : *ports) {
    const int index = kPortsOfDie * port.die + port.port;
    if (index < 0 || index >= fake_dcmi::kUbPortStates) continue;
    call.Set(ub_status->ub_port_status[index], "ub_port_status", port.state);
    if (port.state == kAllLanes) ++up;
  }
  call.Set(ub_status->ub_link_status, "ub_link_status",
           up == 0 ? 0 : (up == ports->size() ? 1 : 2));
  return fake_dcmi::kOk;
}

int dcmiv2_get_device_port_list_info(int dev_id, fake_dcmi::PortList* port_list_info) {
  Call call(__func__, Dev(dev_id));
  if (const auto code = call.ChipVerdict(port_list_info)) return *code;
  const auto ports = PortsOf(*call.chip());
  if (!ports) return fake_dcmi::kNotSupported;
  auto& list = *port_list_info;
  list = {};
  for (const Port& port : *ports) {
    auto& die = list.die_list_data[port.die == 0 ? 0 : 1];
    die.port_list_data[die.port_nums++] = {port.port, port.mode};
  }
  list.die_list_data[1].die_index = 1;
  call.Set(list.die_nums, "die_nums", 2);
  return fake_dcmi::kOk;
}

int dcmiv2_get_port_pkt_stats_info(int dev_id, fake_dcmi::UbPortInfo* ub_port_info,
                                   fake_dcmi::PortPacketStats* port_pkt_stats_info) {
  Call call(__func__, Dev(dev_id));
  if (const auto code = call.ChipVerdict(port_pkt_stats_info)) return *code;
  const auto ports = PortsOf(*call.chip());
  if (!ports) return fake_dcmi::kNotSupported;
  if (ub_port_info == nullptr) return fake_dcmi::kInvalidParameter;
  const auto [die, number] = *ub_port_info;
  for (const Port& port : *ports) {
    if (port.die != die || port.port != number) continue;
    const std::string key = "ub." + std::to_string(die) + "." + std::to_string(number);
    const auto counters = call.chip()->Numbers(key, 1);
    if (!counters) return fake_dcmi::kNotSupported;
    *port_pkt_stats_info = {};
    call.Set(port_pkt_stats_info->port_id, "port_id", number);
    call.Set(port_pkt_stats_info->is_uboe_port, "is_uboe_port", port.mode == kUboeMode ? 1 : 0);
    call.SetAll(port_pkt_stats_info->pkt_num, "pkt_num", *counters);
    return fake_dcmi::kOk;
  }
  return fake_dcmi::kInvalidParameter;
}

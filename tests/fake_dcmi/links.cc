// The chips' links inside the host. Keys of a chip, numbers in the vendor's units:
//   hccs.tx_bandwidth and hccs.rx_bandwidth R..., by port from 0 on (GB/s); pcie_bandwidth TX_P
//   TX_NP TX_CPL RX_P RX_NP RX_CPL, the means (MB/ms; the smallest is one less, the largest one
//   more); pcie_errors SYMBOL_UNLOCK PCS PHY_LANE LCRC DCRC; topology PEER TYPE ..., PEER a
//   physical id (a peer that is not listed: -8255); affinity TEXT
// The bandwidths do not take the time that they are asked for.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "call.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;
using fake_dcmi::Chip;
using fake_dcmi::Dev;
using fake_dcmi::Machine;
using fake_dcmi::RoomFor;

constexpr int kMaxHccsTime = 1000;
constexpr int kMaxPcieTime = 2000;
constexpr int kSelf = 0;
constexpr int kAffinityLength = 128;  // the most that the vendor writes

void SetBandwidth(const Call& call, unsigned int (&out)[3], const char* field, std::int64_t mean) {
  call.SetAll(out, field, std::vector{std::max<std::int64_t>(mean - 1, 0), mean + 1, mean});
}

int AnswerPcieBandwidth(Call call, fake_dcmi::PcieBandwidthInfo* info) {
  if (const auto code = call.ChipVerdict(info)) return *code;
  if (info->profiling_time < 0 || info->profiling_time > kMaxPcieTime) {
    return fake_dcmi::kInvalidParameter;
  }
  const auto means = call.chip()->Numbers("pcie_bandwidth", 6);
  if (!means) return fake_dcmi::kNotSupported;
  SetBandwidth(call, info->tx_p_bw, "tx_p_bw", (*means)[0]);
  SetBandwidth(call, info->tx_np_bw, "tx_np_bw", (*means)[1]);
  SetBandwidth(call, info->tx_cpl_bw, "tx_cpl_bw", (*means)[2]);
  SetBandwidth(call, info->rx_p_bw, "rx_p_bw", (*means)[3]);
  SetBandwidth(call, info->rx_np_bw, "rx_np_bw", (*means)[4]);
  SetBandwidth(call, info->rx_cpl_bw, "rx_cpl_bw", (*means)[5]);
  return fake_dcmi::kOk;
}

int AnswerPcieErrors(Call call, fake_dcmi::PcieErrors* out) {
  if (const auto code = call.ChipVerdict(out)) return *code;
  const auto errors = call.chip()->Numbers("pcie_errors", 5);
  if (!errors) return fake_dcmi::kNotSupported;
  *out = {};
  call.Set(out->symbol_unlock_counter, "symbol_unlock_counter", (*errors)[0]);
  call.Set(out->pcs_rx_err_cnt, "pcs_rx_err_cnt", (*errors)[1]);
  call.Set(out->phy_lane_err_counter, "phy_lane_err_counter", (*errors)[2]);
  call.Set(out->dl_lcrc_err_num, "dl_lcrc_err_num", (*errors)[3]);
  call.Set(out->dl_dcrc_err_num, "dl_dcrc_err_num", (*errors)[4]);
  return fake_dcmi::kOk;
}

// `find`: the peer in a machine.
template <class FindPeer>
int AnswerTopology(Call call, FindPeer find, int* topo_type) {
  if (const auto code = call.ChipVerdict(topo_type)) return *code;
  const Chip* peer = find(call.machine());
  if (peer == nullptr) return fake_dcmi::kInvalidParameter;
  const auto pairs = call.chip()->Numbers("topology", 0);
  if (!pairs) return fake_dcmi::kNotSupported;
  if (peer->physical_id == call.chip()->physical_id) {
    call.Set(*topo_type, "topo_type", kSelf);
    return fake_dcmi::kOk;
  }
  for (std::size_t i = 0; i + 1 < pairs->size(); i += 2) {
    if ((*pairs)[i] != peer->physical_id) continue;
    call.Set(*topo_type, "topo_type", (*pairs)[i + 1]);
    return fake_dcmi::kOk;
  }
  return fake_dcmi::kNotSupported;
}

// The function is not told how much room there is.
int AnswerAffinity(Call call, char* affinity_cpu, int* length) {
  if (const auto code = call.ChipVerdict(RoomFor(kAffinityLength, affinity_cpu), length)) {
    return *code;
  }
  if (length == nullptr) return fake_dcmi::kInvalidParameter;
  const std::string cpus = call.chip()->Text("affinity");
  if (cpus.empty()) return fake_dcmi::kNotSupported;
  call.SetText(std::span(affinity_cpu, cpus.size() + 1), "affinity_cpu", cpus);
  call.Set(*length, "length", static_cast<std::int64_t>(cpus.size()));
  return fake_dcmi::kOk;
}

}  // namespace

// Adds to the totals that it finds.
int dcmi_get_hccs_link_bandwidth_info(int card_id, int device_id,
                                      fake_dcmi::HccsBandwidthInfo* hccs_bandwidth_info) {
  Call call(__func__, card_id, device_id);
  if (const auto code = call.ChipVerdict(hccs_bandwidth_info)) return *code;
  auto& info = *hccs_bandwidth_info;
  if (info.profiling_time < 1 || info.profiling_time > kMaxHccsTime) {
    return fake_dcmi::kInvalidParameter;
  }
  const auto sent = call.chip()->Reals("hccs.tx_bandwidth");
  const auto received = call.chip()->Reals("hccs.rx_bandwidth");
  if (!sent || !received) return fake_dcmi::kNotSupported;
  call.SetAll(info.tx_bandwidth, "tx_bandwidth", *sent);
  call.SetAll(info.rx_bandwidth, "rx_bandwidth", *received);
  info.total_txbw += std::reduce(sent->begin(), sent->end());
  info.total_rxbw += std::reduce(received->begin(), received->end());
  return fake_dcmi::kOk;
}

int dcmi_get_pcie_link_bandwidth_info(int card_id, int device_id,
                                      fake_dcmi::PcieBandwidthInfo* pcie_link_bandwidth_info) {
  return AnswerPcieBandwidth(Call(__func__, card_id, device_id), pcie_link_bandwidth_info);
}

int dcmiv2_get_pcie_link_bandwidth_info(int dev_id,
                                        fake_dcmi::PcieBandwidthInfo* pcie_link_bandwidth_info) {
  return AnswerPcieBandwidth(Call(__func__, Dev(dev_id)), pcie_link_bandwidth_info);
}

int dcmi_get_device_pcie_error_cnt(int card_id, int device_id,
                                   fake_dcmi::PcieErrors* pcie_err_code_info) {
  return AnswerPcieErrors(Call(__func__, card_id, device_id), pcie_err_code_info);
}

int dcmiv2_get_device_pcie_error_cnt(int dev_id, fake_dcmi::PcieErrors* pcie_err_code_info) {
  return AnswerPcieErrors(Call(__func__, Dev(dev_id)), pcie_err_code_info);
}

int dcmi_get_topo_info_by_device_id(int card_id1, int device_id1, int card_id2, int device_id2,
                                    int* topo_type) {
  const auto peer = [=](const Machine& machine) { return machine.At(card_id2, device_id2); };
  return AnswerTopology(Call(__func__, card_id1, device_id1), peer, topo_type);
}

int dcmiv2_get_topo_info_by_device_id(int dev_id1, int dev_id2, int* topo_type) {
  const auto peer = [=](const Machine& machine) { return machine.WithLogicId(Dev(dev_id2).value); };
  return AnswerTopology(Call(__func__, Dev(dev_id1)), peer, topo_type);
}

int dcmi_get_affinity_cpu_info_by_device_id(int card_id, int device_id, char* affinity_cpu,
                                            int* length) {
  return AnswerAffinity(Call(__func__, card_id, device_id), affinity_cpu, length);
}

int dcmiv2_get_affinity_cpu_info_by_dev_id(int dev_id, char* affinity_cpu, int* len) {
  return AnswerAffinity(Call(__func__, Dev(dev_id)), affinity_cpu, len);
}

#include "hal/npu_smi/hccn_names.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ascend::npu_smi {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, kNetworkCounters> kNetworkNames = {
    "mac_tx_mac_pause_num",    "mac_rx_mac_pause_num",      "mac_tx_pfc_pkt_num",
    "mac_tx_pfc_pri0_pkt_num", "mac_tx_pfc_pri1_pkt_num",   "mac_tx_pfc_pri2_pkt_num",
    "mac_tx_pfc_pri3_pkt_num", "mac_tx_pfc_pri4_pkt_num",   "mac_tx_pfc_pri5_pkt_num",
    "mac_tx_pfc_pri6_pkt_num", "mac_tx_pfc_pri7_pkt_num",   "mac_rx_pfc_pkt_num",
    "mac_rx_pfc_pri0_pkt_num", "mac_rx_pfc_pri1_pkt_num",   "mac_rx_pfc_pri2_pkt_num",
    "mac_rx_pfc_pri3_pkt_num", "mac_rx_pfc_pri4_pkt_num",   "mac_rx_pfc_pri5_pkt_num",
    "mac_rx_pfc_pri6_pkt_num", "mac_rx_pfc_pri7_pkt_num",   "mac_tx_total_pkt_num",
    "mac_tx_total_oct_num",    "mac_tx_bad_pkt_num",        "mac_tx_bad_oct_num",
    "mac_rx_total_pkt_num",    "mac_rx_total_oct_num",      "mac_rx_bad_pkt_num",
    "mac_rx_bad_oct_num",      "mac_rx_fcs_err_pkt_num",    "roce_rx_rc_pkt_num",
    "roce_rx_all_pkt_num",     "roce_rx_err_pkt_num",       "roce_tx_rc_pkt_num",
    "roce_tx_all_pkt_num",     "roce_tx_err_pkt_num",       "roce_cqe_num",
    "roce_rx_cnp_pkt_num",     "roce_tx_cnp_pkt_num",       "roce_err_ack_num",
    "roce_err_psn_num",        "roce_verification_err_num", "roce_err_qp_status_num",
    "roce_new_pkt_rty_num",    "roce_ecn_db_num",           "nic_tx_all_pkg_num",
    "nic_tx_all_oct_num",      "nic_rx_all_pkg_num",        "nic_rx_all_oct_num",
    "roce_unexpected_ack_num", "roce_out_of_order_num",
};

// In the order of the enumeration, by the names of dcmi_port_pkt_stats_info.
constexpr std::array<std::string_view, kUbCounters> kUbNames = {
    "ub_ipv4_pkt_cnt_rx",   "ub_ipv6_pkt_cnt_rx",    "unic_ipv4_pkt_cnt_rx",
    "unic_ipv6_pkt_cnt_rx", "ub_compact_pkt_cnt_rx", "ub_umoc_ctph_cnt_rx",
    "ub_umoc_ntph_cnt_rx",  "ub_mem_pkt_cnt_rx",     "unknown_pkt_cnt_rx",
    "drop_ind_cnt_rx",      "err_ind_cnt_rx",        "to_host_pkt_cnt_rx",
    "to_imp_pkt_cnt_rx",    "to_mar_pkt_cnt_rx",     "to_link_pkt_cnt_rx",
    "to_noc_pkt_cnt_rx",    "route_err_cnt_rx",      "out_err_cnt_rx",
    "length_err_cnt_rx",    "rx_busi_flit_num",      "rx_send_ack_flit",
    "ub_ipv4_pkt_cnt_tx",   "ub_ipv6_pkt_cnt_tx",    "unic_ipv4_pkt_cnt_tx",
    "unic_ipv6_pkt_cnt_tx", "ub_compact_pkt_cnt_tx", "ub_umoc_ctph_cnt_tx",
    "ub_umoc_ntph_cnt_tx",  "ub_mem_pkt_cnt_tx",     "unknown_pkt_cnt_tx",
    "drop_ind_cnt_tx",      "err_ind_cnt_tx",        "lpbk_ind_cnt_tx",
    "out_err_cnt_tx",       "length_err_cnt_tx",     "tx_busi_flit_num",
    "tx_recv_ack_flit",     "retry_req_sum",         "retry_ack_sum",
    "crc_error_sum",        "core_mib_rxpausepkts",  "core_mib_txpausepkts",
    "core_mib_rxpfcpkts",   "core_mib_txpfcpkts",    "core_mib_rxbadpkts",
    "core_mib_txbadpkts",   "core_mib_rxbadoctets",  "core_mib_txbadoctets",
};

template <typename Counter>
struct OtherName {
  std::string_view name;
  Counter counter;
};
constexpr std::array<OtherName<NetworkCounter>, 1> kOtherNetworkNames = {
    {{"roce_qp_status_err_num", NetworkCounter::kRoceQpStatusErrors}}};
// The tool's names for packets with a compact and with a global header.
constexpr std::array<OtherName<UbCounter>, 6> kOtherUbNames = {{
    {"ub_glb_ipv4_pkt_cnt_rx", UbCounter::kRxUbIpv4},
    {"ub_glb_ipv6_pkt_cnt_rx", UbCounter::kRxUbIpv6},
    {"ub_clan_pkt_cnt_rx", UbCounter::kRxUbCompact},
    {"ub_glb_ipv4_pkt_cnt_tx", UbCounter::kTxUbIpv4},
    {"ub_glb_ipv6_pkt_cnt_tx", UbCounter::kTxUbIpv6},
    {"ub_clan_pkt_cnt_tx", UbCounter::kTxUbCompact},
}};

template <typename Counter, std::size_t N, std::size_t M>
std::optional<Counter> Find(std::string_view name, const std::array<std::string_view, N>& names,
                            const std::array<OtherName<Counter>, M>& others) {
  const auto at = std::ranges::find(names, name);
  if (at != names.end()) return static_cast<Counter>(at - names.begin());
  const auto other = std::ranges::find(others, name, &OtherName<Counter>::name);
  return other == others.end() ? std::nullopt : std::optional(other->counter);
}

}  // namespace

std::optional<NetworkCounter> NetworkCounterOf(std::string_view name) {
  return Find(name, kNetworkNames, kOtherNetworkNames);
}

std::optional<UbCounter> UbCounterOf(std::string_view name) {
  return Find(name, kUbNames, kOtherUbNames);
}

}  // namespace ascend::npu_smi

// The counters of UB ports (950).
#include <array>

#include "exporter/compat/vendor_table.h"

namespace ascend {
namespace {

struct UbName {
  std::string_view name, family;
  LabelMatch match{}, also{};
};

constexpr std::string_view kReceive = "ascend_npu_ub_receive_packets_total";
constexpr std::string_view kTransmit = "ascend_npu_ub_transmit_packets_total";
constexpr std::string_view kReceiveErrors = "ascend_npu_ub_receive_errors_total";
constexpr std::string_view kTransmitErrors = "ascend_npu_ub_transmit_errors_total";
constexpr std::string_view kDispatch = "ascend_npu_ub_receive_dispatch_packets_total";
constexpr std::string_view kFlits = "ascend_npu_ub_flits_total";
constexpr LabelMatch kIn{"direction", "receive"};
constexpr LabelMatch kOut{"direction", "transmit"};

constexpr std::array kNames = {
    UbName{"npu_chip_info_ub_ipv4_pkt_cnt_rx", kReceive, {"kind", "ub_ipv4"}},
    UbName{"npu_chip_info_ub_ipv6_pkt_cnt_rx", kReceive, {"kind", "ub_ipv6"}},
    UbName{"npu_chip_info_unic_ipv4_pkt_cnt_rx", kReceive, {"kind", "unic_ipv4"}},
    UbName{"npu_chip_info_unic_ipv6_pkt_cnt_rx", kReceive, {"kind", "unic_ipv6"}},
    UbName{"npu_chip_info_ub_compact_pkt_cnt_rx", kReceive, {"kind", "ub_compact"}},
    UbName{"npu_chip_info_ub_umoc_ctph_cnt_rx", kReceive, {"kind", "ub_umoc_ctph"}},
    UbName{"npu_chip_info_ub_umoc_ntph_cnt_rx", kReceive, {"kind", "ub_umoc_ntph"}},
    UbName{"npu_chip_info_ub_mem_pkt_cnt_rx", kReceive, {"kind", "ub_mem"}},
    UbName{"npu_chip_info_unknown_pkt_cnt_rx", kReceive, {"kind", "unknown"}},
    UbName{"npu_chip_info_drop_ind_cnt_rx", kReceiveErrors, {"kind", "drop_ind"}},
    UbName{"npu_chip_info_err_ind_cnt_rx", kReceiveErrors, {"kind", "err_ind"}},
    UbName{"npu_chip_info_to_host_pkt_cnt_rx", kDispatch, {"target", "to_host"}},
    UbName{"npu_chip_info_to_imp_pkt_cnt_rx", kDispatch, {"target", "to_imp"}},
    UbName{"npu_chip_info_to_mar_pkt_cnt_rx", kDispatch, {"target", "to_mar"}},
    UbName{"npu_chip_info_to_link_pkt_cnt_rx", kDispatch, {"target", "to_link"}},
    UbName{"npu_chip_info_to_noc_pkt_cnt_rx", kDispatch, {"target", "to_noc"}},
    UbName{"npu_chip_info_route_err_cnt_rx", kReceiveErrors, {"kind", "route_err"}},
    UbName{"npu_chip_info_out_err_cnt_rx", kReceiveErrors, {"kind", "out_err"}},
    UbName{"npu_chip_info_length_err_cnt_rx", kReceiveErrors, {"kind", "length_err"}},
    UbName{"npu_chip_info_rx_busi_flit_num", kFlits, {"kind", "busi"}, kIn},
    UbName{"npu_chip_info_rx_send_ack_flit", kFlits, {"kind", "send_ack"}, kIn},
    UbName{"npu_chip_info_retry_req_sum", "ascend_npu_ub_retry_requests_total"},
    UbName{"npu_chip_info_retry_ack_sum", "ascend_npu_ub_retry_acks_total"},
    UbName{"npu_chip_info_crc_error_sum", "ascend_npu_ub_crc_errors_total"},
    UbName{"npu_chip_info_core_mib_rxpausepkts", "ascend_npu_network_receive_pause_frames_total"},
    UbName{"npu_chip_info_core_mib_txpausepkts", "ascend_npu_network_transmit_pause_frames_total"},
    UbName{"npu_chip_info_core_mib_rxpfcpkts", "ascend_npu_network_receive_pfc_frames_total"},
    UbName{"npu_chip_info_core_mib_txpfcpkts", "ascend_npu_network_transmit_pfc_frames_total"},
    UbName{"npu_chip_info_core_mib_rxbadpkts", "ascend_npu_network_receive_bad_packets_total"},
    UbName{"npu_chip_info_core_mib_txbadpkts", "ascend_npu_network_transmit_bad_packets_total"},
    UbName{"npu_chip_info_core_mib_rxbadoctets", "ascend_npu_network_receive_bad_bytes_total"},
    UbName{"npu_chip_info_core_mib_txbadoctets", "ascend_npu_network_transmit_bad_bytes_total"},
    UbName{"npu_chip_info_ub_ipv4_pkt_cnt_tx", kTransmit, {"kind", "ub_ipv4"}},
    UbName{"npu_chip_info_ub_ipv6_pkt_cnt_tx", kTransmit, {"kind", "ub_ipv6"}},
    UbName{"npu_chip_info_unic_ipv4_pkt_cnt_tx", kTransmit, {"kind", "unic_ipv4"}},
    UbName{"npu_chip_info_unic_ipv6_pkt_cnt_tx", kTransmit, {"kind", "unic_ipv6"}},
    UbName{"npu_chip_info_ub_compact_pkt_cnt_tx", kTransmit, {"kind", "ub_compact"}},
    UbName{"npu_chip_info_ub_umoc_ctph_cnt_tx", kTransmit, {"kind", "ub_umoc_ctph"}},
    UbName{"npu_chip_info_ub_umoc_ntph_cnt_tx", kTransmit, {"kind", "ub_umoc_ntph"}},
    UbName{"npu_chip_info_ub_mem_pkt_cnt_tx", kTransmit, {"kind", "ub_mem"}},
    UbName{"npu_chip_info_unknown_pkt_cnt_tx", kTransmit, {"kind", "unknown"}},
    UbName{"npu_chip_info_drop_ind_cnt_tx", kTransmitErrors, {"kind", "drop_ind"}},
    UbName{"npu_chip_info_err_ind_cnt_tx", kTransmitErrors, {"kind", "err_ind"}},
    UbName{"npu_chip_info_lpbk_ind_cnt_tx", kTransmit, {"kind", "lpbk_ind"}},
    UbName{"npu_chip_info_out_err_cnt_tx", kTransmitErrors, {"kind", "out_err"}},
    UbName{"npu_chip_info_length_err_cnt_tx", kTransmitErrors, {"kind", "length_err"}},
    UbName{"npu_chip_info_tx_busi_flit_num", kFlits, {"kind", "busi"}, kOut},
    UbName{"npu_chip_info_tx_recv_ack_flit", kFlits, {"kind", "recv_ack"}, kOut},
};

}  // namespace

std::vector<VendorName> UbNames() {
  std::vector<VendorName> rows;
  for (const UbName& ub : kNames) {
    rows.push_back({.name = ub.name,
                    .family = ub.family,
                    .match = ub.match,
                    .also = ub.also,
                    .ports = Ports::kAlways,
                    .motion = Motion::kTraffic,
                    .failure = Failure::kMinusOne});
  }
  return rows;
}

}  // namespace ascend

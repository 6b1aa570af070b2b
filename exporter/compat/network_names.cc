// The chip's network: links, counters of MAC and RoCE, optical modules.
#include <array>

#include "exporter/compat/vendor_table.h"

namespace ascend {
namespace {

constexpr Scale kMegabytes{.over = 1e6};
constexpr Scale kMilli{.times = 1000};
constexpr std::string_view kOpticalTransmit = "ascend_npu_optical_transmit_power_watts";
constexpr std::string_view kOpticalReceive = "ascend_npu_optical_receive_power_watts";
constexpr std::string_view kSpeed = "ascend_npu_network_speed_bytes_per_second";

constexpr Words kDecibels{"dBm there, although its documents say mW; here watts: 0 dBm is 0.001.",
                          "旧指标实际单位是 dBm（其文档写作 mW）；这里是瓦：0 dBm 即 0.001。"};

consteval VendorName Counted(std::string_view name, std::string_view family,
                             Motion motion = Motion::kTraffic) {
  return {.name = name, .family = family, .motion = motion, .failure = Failure::kZero};
}

consteval VendorName Rate(std::string_view name, std::string_view family) {
  return {.name = name,
          .family = family,
          .unit = "MB/s",
          .scale = kMegabytes,
          .ports = Ports::kWhereKnown,
          .motion = Motion::kLoad,
          .collector = "network_bandwidth"};
}

consteval VendorName Power(std::string_view name, std::string_view family, std::string_view lane) {
  return {.name = name,
          .family = family,
          .match = {"lane", lane},
          .unit = "mW",
          .scale = kMilli,
          .motion = Motion::kDrifts};
}
consteval VendorName PowerOfPort(std::string_view name, std::string_view family,
                                 std::string_view lane) {
  return {.name = name,
          .family = family,
          .match = {"lane", lane},
          .unit = "dBm",
          .rule = Rule::kDecibels,
          .ports = Ports::kAlways,
          .motion = Motion::kDrifts,
          .note = kDecibels};
}

constexpr std::array kNames = {
    VendorName{.name = "npu_chip_info_link_status",
               .family = "ascend_npu_network_up",
               .ports = Ports::kWhereKnown,
               .failure = Failure::kMinusOne,
               .note = {"-1 there is a failed reading.", "旧值 -1 表示读取失败。"}},
    Rate("npu_chip_info_bandwidth_tx", "ascend_npu_network_transmit_bandwidth_bytes_per_second"),
    Rate("npu_chip_info_bandwidth_rx", "ascend_npu_network_receive_bandwidth_bytes_per_second"),
    VendorName{.name = "npu_chip_link_speed",
               .family = kSpeed,
               .unit = "Mbit/s",
               .scale = {.times = 8, .over = 1e6},
               .note = {"Mbit/s there, although its documents say MB/s.",
                        "旧指标实际单位是 Mbit/s（其文档写作 MB/s）。"}},
    VendorName{.name = "npu_chip_link_up_num",
               .family = "ascend_npu_network_link_up_changes_total",
               .motion = Motion::kEvents},
    VendorName{.name = "npu_chip_info_link_speed",
               .family = kSpeed,
               .unit = "Gbit/s",
               .scale = {.times = 8, .over = 1e9},
               .ports = Ports::kAlways},
    Counted("npu_chip_mac_rx_pause_num", "ascend_npu_network_receive_pause_frames_total"),
    Counted("npu_chip_mac_tx_pause_num", "ascend_npu_network_transmit_pause_frames_total"),
    Counted("npu_chip_mac_rx_pfc_pkt_num", "ascend_npu_network_receive_pfc_frames_total"),
    Counted("npu_chip_mac_tx_pfc_pkt_num", "ascend_npu_network_transmit_pfc_frames_total"),
    Counted("npu_chip_mac_rx_bad_pkt_num", "ascend_npu_network_receive_bad_packets_total"),
    Counted("npu_chip_mac_tx_bad_pkt_num", "ascend_npu_network_transmit_bad_packets_total"),
    Counted("npu_chip_mac_tx_bad_oct_num", "ascend_npu_network_transmit_bad_bytes_total"),
    Counted("npu_chip_mac_rx_bad_oct_num", "ascend_npu_network_receive_bad_bytes_total"),
    Counted("npu_chip_info_rx_fcs_num", "ascend_npu_network_receive_fcs_errors_total"),
    Counted("npu_chip_info_rx_ecn_num", "ascend_npu_roce_ecn_marked_total"),
    Counted("npu_chip_roce_rx_all_pkt_num", "ascend_npu_roce_receive_packets_total"),
    Counted("npu_chip_roce_tx_all_pkt_num", "ascend_npu_roce_transmit_packets_total"),
    Counted("npu_chip_roce_rx_err_pkt_num", "ascend_npu_roce_receive_error_packets_total"),
    Counted("npu_chip_roce_tx_err_pkt_num", "ascend_npu_roce_transmit_error_packets_total"),
    Counted("npu_chip_roce_rx_cnp_pkt_num", "ascend_npu_roce_receive_cnp_packets_total"),
    Counted("npu_chip_roce_tx_cnp_pkt_num", "ascend_npu_roce_transmit_cnp_packets_total"),
    Counted("npu_chip_roce_new_pkt_rty_num", "ascend_npu_roce_retries_total"),
    Counted("npu_chip_roce_unexpected_ack_num", "ascend_npu_roce_unexpected_acks_total"),
    Counted("npu_chip_roce_out_of_order_num", "ascend_npu_roce_out_of_order_total"),
    Counted("npu_chip_roce_verification_err_num", "ascend_npu_roce_verification_errors_total"),
    Counted("npu_chip_roce_qp_status_err_num", "ascend_npu_roce_qp_status_errors_total"),
    VendorName{.name = "npu_chip_optical_state", .family = "ascend_npu_optical_present"},
    VendorName{.name = "npu_chip_optical_vcc",
               .family = "ascend_npu_optical_voltage_volts",
               .unit = "mV",
               .scale = kMilli,
               .motion = Motion::kDrifts},
    VendorName{.name = "npu_chip_optical_temp",
               .family = "ascend_npu_optical_temperature_celsius",
               .unit = "°C",
               .motion = Motion::kHeat},
    Power("npu_chip_optical_tx_power_0", kOpticalTransmit, "0"),
    Power("npu_chip_optical_tx_power_1", kOpticalTransmit, "1"),
    Power("npu_chip_optical_tx_power_2", kOpticalTransmit, "2"),
    Power("npu_chip_optical_tx_power_3", kOpticalTransmit, "3"),
    Power("npu_chip_optical_rx_power_0", kOpticalReceive, "0"),
    Power("npu_chip_optical_rx_power_1", kOpticalReceive, "1"),
    Power("npu_chip_optical_rx_power_2", kOpticalReceive, "2"),
    Power("npu_chip_optical_rx_power_3", kOpticalReceive, "3"),
    VendorName{.name = "npu_chip_info_optical_index_num",
               .family = "ascend_npu_optical_transmit_power_watts|"
                         "ascend_npu_optical_receive_power_watts",
               .rule = Rule::kCountSeries,
               .ports = Ports::kAlways,
               .note = {"How many powers the port's module has, of both directions.",
                        "该端口光模块的功率个数，收发合计。"}},
    PowerOfPort("npu_chip_info_optical_tx_power_0", kOpticalTransmit, "0"),
    PowerOfPort("npu_chip_info_optical_tx_power_1", kOpticalTransmit, "1"),
    PowerOfPort("npu_chip_info_optical_tx_power_2", kOpticalTransmit, "2"),
    PowerOfPort("npu_chip_info_optical_tx_power_3", kOpticalTransmit, "3"),
    PowerOfPort("npu_chip_info_optical_rx_power_0", kOpticalReceive, "0"),
    PowerOfPort("npu_chip_info_optical_rx_power_1", kOpticalReceive, "1"),
    PowerOfPort("npu_chip_info_optical_rx_power_2", kOpticalReceive, "2"),
    PowerOfPort("npu_chip_info_optical_rx_power_3", kOpticalReceive, "3"),
};

}  // namespace

std::span<const VendorName> NetworkNames() { return kNames; }

}  // namespace ascend

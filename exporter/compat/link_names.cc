// HCCS, SIO and PCIe.
#include <array>

#include "exporter/compat/vendor_table.h"

namespace ascend {
namespace {

constexpr Scale kFlits{.over = 20};
constexpr Scale kGigabytes{.over = 1073741824.0};
constexpr std::string_view kGigabytesUnit = "GB/s";
constexpr std::string_view kHccsTransmit = "ascend_npu_hccs_transmit_bandwidth_bytes_per_second";
constexpr std::string_view kHccsReceive = "ascend_npu_hccs_receive_bandwidth_bytes_per_second";

constexpr Words kLinkIsLabel{"The number in the name is the label `link`.",
                             "名字里的序号在这里是标签 `link`。"};
constexpr Words kSumOfLinks{"The sum of the links; a total never shares a family with its parts.",
                            "各链路之和；总量与分量不放在同一个指标里。"};
constexpr Words kSixteenBits{
    "A counter of 16 bits in the driver, which begins again at 0 there; continued here.",
    "驱动中是 16 位计数器，旧指标会回绕到 0；这里会连续累计。"};

consteval VendorName Hccs(std::string_view name, std::string_view family, std::string_view unit,
                          Scale scale, Motion motion) {
  return {.name = name,
          .family = family,
          .unit = unit,
          .scale = scale,
          .motion = motion,
          .failure = Failure::kMinusOne,
          .note = kLinkIsLabel};
}

consteval VendorName HccsRate(std::string_view name, std::string_view family, Rule rule) {
  return {.name = name,
          .family = family,
          .unit = kGigabytesUnit,
          .scale = kGigabytes,
          .rule = rule,
          .motion = Motion::kLoad,
          .failure = Failure::kMinusOne,
          .collector = "hccs_bandwidth",
          .note = rule == Rule::kSum ? kSumOfLinks : kLinkIsLabel};
}

consteval VendorName Pcie(std::string_view name, std::string_view family, std::string_view kind) {
  return {
      .name = name,
      .family = family,
      .match = {"kind", kind},
      .unit = "MB/ms",
      .scale = {.over = 1048576.0 * 1000},
      .shape = Shape::kPcie,
      .motion = Motion::kLoad,
      .failure = Failure::kLastValue,
      .collector = "pcie_bandwidth",
      .note = {"The mean, `avgPcieBw` there; minPcieBw and maxPcieBw are extremes over the time "
               "of one call, of which a scrape sees one in hundreds.",
               "即旧标签 `avgPcieBw` 的均值；minPcieBw 与 maxPcieBw "
               "只是单次调用期间的极值，抓取几百次才碰到一次，故不提供。"}};
}

constexpr std::string_view kPcieTransmit = "ascend_npu_pcie_transmit_bandwidth_bytes_per_second";
constexpr std::string_view kPcieReceive = "ascend_npu_pcie_receive_bandwidth_bytes_per_second";

constexpr std::array kNames = {
    Hccs("npu_chip_info_hccs_statistic_info_tx_cnt_{}", "ascend_npu_hccs_transmit_bytes_total",
         "flits of 20 bytes", kFlits, Motion::kTraffic),
    Hccs("npu_chip_info_hccs_statistic_info_rx_cnt_{}", "ascend_npu_hccs_receive_bytes_total",
         "flits of 20 bytes", kFlits, Motion::kTraffic),
    Hccs("npu_chip_info_hccs_statistic_info_crc_err_cnt_{}", "ascend_npu_hccs_crc_errors_total", "",
         {}, Motion::kEvents),
    HccsRate("npu_chip_info_hccs_bandwidth_info_tx_{}", kHccsTransmit, Rule::kValue),
    HccsRate("npu_chip_info_hccs_bandwidth_info_rx_{}", kHccsReceive, Rule::kValue),
    VendorName{.name = "npu_chip_info_hccs_bandwidth_info_profiling_time",
               .family = kHccsTransmit,
               .unit = "ms",
               .rule = Rule::kProfilingMs,
               .collector = "hccs_bandwidth",
               .note = {"A setting there, not a measurement; here the driver measures for 100 ms.",
                        "旧指标只是一个设置值，并非测量结果；这里驱动每次测量 100 ms。"}},
    HccsRate("npu_chip_info_hccs_bandwidth_info_total_tx", kHccsTransmit, Rule::kSum),
    HccsRate("npu_chip_info_hccs_bandwidth_info_total_rx", kHccsReceive, Rule::kSum),
    VendorName{.name = "npu_chip_info_sio_crc_tx_err_cnt",
               .family = "ascend_npu_sio_transmit_errors_total",
               .motion = Motion::kEvents,
               .failure = Failure::kLastValue,
               .note = kSixteenBits},
    VendorName{.name = "npu_chip_info_sio_crc_rx_err_cnt",
               .family = "ascend_npu_sio_receive_errors_total",
               .motion = Motion::kEvents,
               .failure = Failure::kLastValue,
               .note = kSixteenBits},
    Pcie("npu_chip_info_pcie_rx_p_bw", kPcieReceive, "posted"),
    Pcie("npu_chip_info_pcie_rx_np_bw", kPcieReceive, "nonposted"),
    Pcie("npu_chip_info_pcie_rx_cpl_bw", kPcieReceive, "completion"),
    Pcie("npu_chip_info_pcie_tx_p_bw", kPcieTransmit, "posted"),
    Pcie("npu_chip_info_pcie_tx_np_bw", kPcieTransmit, "nonposted"),
    Pcie("npu_chip_info_pcie_tx_cpl_bw", kPcieTransmit, "completion"),
};

}  // namespace

std::span<const VendorName> LinkNames() { return kNames; }

}  // namespace ascend

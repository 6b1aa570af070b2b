#include "collectors/all.h"

namespace ascend {
namespace {

constexpr std::string_view kChips = "310P, 910, 910B, 910C, 950";
constexpr Source kCall = {.dcmi = "dcmi_get_device_ecc_info", .tool = "npu-smi info -t ecc"};

consteval MetricSpec Enabled(std::string_view memory) {
  return {.name = "ascend_npu_ecc_enabled",
          .help = "Whether error correction is on (1) or off (0).",
          .zh = "内存纠错（ECC）是否开启：1 开启，0 关闭。",
          .labels = {{{"memory", memory}}},
          .chips = kChips,
          .source = kCall};
}
consteval MetricSpec SinceBoot(std::string_view memory, std::string_view severity) {
  return {.name = "ascend_npu_ecc_errors_total",
          .help = "Memory errors since the chip booted.",
          .zh = "芯片本次启动以来的内存错误数。",
          .labels = {{{"memory", memory}, {"severity", severity}}},
          .chips = kChips,
          .source = kCall};
}
consteval MetricSpec Lifetime(std::string_view memory, std::string_view severity) {
  return {.name = "ascend_npu_ecc_lifetime_errors_total",
          .help = "Memory errors in the chip's life; a reset does not clear them.",
          .zh = "芯片生命周期内累计的内存错误数，复位不清零。",
          .labels = {{{"memory", memory}, {"severity", severity}}},
          .chips = kChips,
          .source = kCall};
}
consteval MetricSpec Isolated(std::string_view memory) {
  return {.name = "ascend_npu_ecc_isolated_pages",
          .help = "Memory pages taken out of use after double-bit errors.",
          .zh = "因双比特错误已被隔离的内存页数。",
          .labels = {{{"memory", memory}}},
          .chips = kChips,
          .source = kCall};
}
consteval MetricSpec Pending(std::string_view memory) {
  return {.name = "ascend_npu_ecc_pending_isolated_pages",
          .help = "Memory pages that the next reset takes out of use after double-bit errors.",
          .zh = "因双比特错误将在下次复位时隔离的内存页数。",
          .labels = {{{"memory", memory}}},
          .chips = kChips,
          .source = kCall};
}

constexpr auto kRows = RowsFor(
    Metric<&EccReading::hbm, &EccCounts::enabled>(Enabled("hbm")),
    Metric<&EccReading::ddr, &EccCounts::enabled>(Enabled("ddr")),
    Metric<&EccReading::sram, &EccCounts::enabled>(Enabled("sram")),
    Metric<&EccReading::npu, &EccCounts::enabled>(Enabled("npu")),
    Counter<&EccReading::hbm, &EccCounts::single_bit>(SinceBoot("hbm", "single_bit")),
    Counter<&EccReading::hbm, &EccCounts::double_bit>(SinceBoot("hbm", "double_bit")),
    Counter<&EccReading::ddr, &EccCounts::single_bit>(SinceBoot("ddr", "single_bit")),
    Counter<&EccReading::ddr, &EccCounts::double_bit>(SinceBoot("ddr", "double_bit")),
    Counter<&EccReading::sram, &EccCounts::single_bit>(SinceBoot("sram", "single_bit")),
    Counter<&EccReading::sram, &EccCounts::double_bit>(SinceBoot("sram", "double_bit")),
    Counter<&EccReading::npu, &EccCounts::single_bit>(SinceBoot("npu", "single_bit")),
    Counter<&EccReading::npu, &EccCounts::double_bit>(SinceBoot("npu", "double_bit")),
    Counter<&EccReading::hbm, &EccCounts::lifetime_single_bit>(Lifetime("hbm", "single_bit")),
    Counter<&EccReading::hbm, &EccCounts::lifetime_double_bit>(Lifetime("hbm", "double_bit")),
    Counter<&EccReading::ddr, &EccCounts::lifetime_single_bit>(Lifetime("ddr", "single_bit")),
    Counter<&EccReading::ddr, &EccCounts::lifetime_double_bit>(Lifetime("ddr", "double_bit")),
    Counter<&EccReading::sram, &EccCounts::lifetime_single_bit>(Lifetime("sram", "single_bit")),
    Counter<&EccReading::sram, &EccCounts::lifetime_double_bit>(Lifetime("sram", "double_bit")),
    Counter<&EccReading::npu, &EccCounts::lifetime_single_bit>(Lifetime("npu", "single_bit")),
    Counter<&EccReading::npu, &EccCounts::lifetime_double_bit>(Lifetime("npu", "double_bit")),
    Metric<&EccReading::hbm, &EccCounts::isolated_pages>(Isolated("hbm")),
    Metric<&EccReading::ddr, &EccCounts::isolated_pages>(Isolated("ddr")),
    Metric<&EccReading::sram, &EccCounts::isolated_pages>(Isolated("sram")),
    Metric<&EccReading::npu, &EccCounts::isolated_pages>(Isolated("npu")),
    Metric<&EccReading::hbm, &EccCounts::pending_isolated_pages>(Pending("hbm")),
    Metric<&EccReading::ddr, &EccCounts::pending_isolated_pages>(Pending("ddr")),
    Metric<&EccReading::sram, &EccCounts::pending_isolated_pages>(Pending("sram")),
    Metric<&EccReading::npu, &EccCounts::pending_isolated_pages>(Pending("npu")));

}  // namespace

constexpr Collector kEccCollector = {.name = "ecc",
                                     .topic = Topic::kMemory,
                                     .group = Group::kMemory,
                                     .rows = kRows,
                                     .collect = &CollectWith<&NpuDriver::ReadEcc, kRows>,
                                     .cost = {"a call for each memory", "每种内存一次调用"}};

}  // namespace ascend

#include "collectors/all.h"

namespace ascend {
namespace {

using H = HbmReading;
using D = DdrReading;

constexpr Source kHbmInfo = {.dcmi = "dcmi_get_device_hbm_info", .tool = "npu-smi info"};
constexpr Source kHbmLoad = {.dcmi = "dcmi_get_device_hbm_info", .tool = "npu-smi info -t usages"};
constexpr Source kMemoryInfo = {
    .dcmi = "dcmi_get_device_memory_info_v3", .dcmiv2 = Source::kNone, .tool = "npu-smi info"};
constexpr Source kHugepages = {.dcmi = "dcmi_get_device_memory_info_v3", .dcmiv2 = Source::kNone};

// The chip's main memory: one name for chips with and without HBM, so that one rule serves both.
consteval MetricSpec MainUsed(ChipTraits needs, Source source) {
  return {.name = "ascend_npu_memory_used_bytes",
          .help = "Main memory in use on the chip: HBM where it has HBM, else DDR.",
          .zh = "芯片主内存的已用容量：有 HBM 的芯片取 HBM，否则取 DDR。",
          .needs = needs,
          .source = source};
}
consteval MetricSpec MainTotal(ChipTraits needs, Source source) {
  return {.name = "ascend_npu_memory_total_bytes",
          .help = "Main memory of the chip: HBM where it has HBM, else DDR.",
          .zh = "芯片主内存的总容量：有 HBM 的芯片取 HBM，否则取 DDR。",
          .needs = needs,
          .source = source};
}

constexpr auto kHbmRows = RowsFor(
    Metric<&H::used>(MainUsed(kHasHbm, kHbmInfo)), Metric<&H::total>(MainTotal(kHasHbm, kHbmInfo)),
    Metric<&H::used>({.name = "ascend_npu_hbm_used_bytes",
                      .help = "HBM in use on the chip.",
                      .zh = "片上内存（HBM）的已用容量。",
                      .needs = kHasHbm,
                      .source = kHbmInfo}),
    Metric<&H::total>({.name = "ascend_npu_hbm_total_bytes",
                       .help = "HBM of the chip.",
                       .zh = "片上内存（HBM）的总容量。",
                       .needs = kHasHbm,
                       .source = kHbmInfo}),
    Metric<&H::temperature>(
        {.name = "ascend_npu_hbm_temperature_celsius",
         .help = "Temperature of the HBM.",
         .zh = "片上内存（HBM）的温度。",
         .needs = kHasHbm,
         .source = {.dcmi = "dcmi_get_device_hbm_info", .tool = "npu-smi info -t memory"}}),
    Metric<&H::utilization>({.name = "ascend_npu_hbm_utilization_ratio",
                             .help = "Share of the HBM in use, as the driver computes it.",
                             .zh = "片上内存（HBM）的占用率，由驱动计算。",
                             .needs = kHasHbm,
                             .source = {.dcmi = "dcmi_get_device_utilization_rate 6",
                                        .tool = "npu-smi info -t usages"}}),
    Metric<&H::bandwidth_utilization>(
        {.name = "ascend_npu_hbm_bandwidth_utilization_ratio",
         .help = "Share of the HBM's bandwidth in use in the driver's last sample.",
         .zh = "片上内存（HBM）的带宽利用率，取自驱动最近一次采样。",
         .needs = kHasHbm,
         .source = kHbmLoad}),
    Integral<&H::bandwidth_utilization>(
        {.name = "ascend_npu_hbm_bandwidth_busy_seconds_total",
         .help = "Seconds of full HBM bandwidth used since the exporter sees the chip, integrated "
                 "over the samples of its utilisation; rate() is the exact mean.",
         .zh = "exporter 开始监控该芯片以来对 HBM 带宽利用率采样积分所得的满带"
               "宽秒数；rate() 即准确的平均利用率。",
         .needs = kHasHbm,
         .source = kHbmLoad}),
    WindowMin<&H::bandwidth_utilization>(
        {.name = "ascend_npu_hbm_bandwidth_utilization_window_min_ratio",
         .help = "Lowest sample of the HBM bandwidth's utilisation in the last sampling.window; "
                 "covers between 60 and 61 sixtieths of it and begins anew with the exporter.",
         .zh = "最近一个 sampling.window 内 HBM 带宽利用率采样的最小值；"
               "覆盖该窗口的 60 至 61 个六十分之一，exporter 重启后重新开始。",
         .needs = kHasHbm,
         .source = kHbmLoad}),
    WindowMax<&H::bandwidth_utilization>(
        {.name = "ascend_npu_hbm_bandwidth_utilization_window_max_ratio",
         .help = "Highest sample of the HBM bandwidth's utilisation in the last sampling.window; "
                 "covers between 60 and 61 sixtieths of it and begins anew with the exporter.",
         .zh = "最近一个 sampling.window 内 HBM 带宽利用率采样的最大值；"
               "覆盖该窗口的 60 至 61 个六十分之一，exporter 重启后重新开始。",
         .needs = kHasHbm,
         .source = kHbmLoad}));

constexpr auto kDdrRows =
    RowsFor(Metric<&D::used>(MainUsed(kNoHbm, kMemoryInfo)),
            Metric<&D::total>(MainTotal(kNoHbm, kMemoryInfo)),
            Metric<&D::used>({.name = "ascend_npu_ddr_used_bytes",
                              .help = "DDR in use on the chip: size less what is available.",
                              .zh = "芯片 DDR 的已用容量，即总容量减去可用容量。",
                              .needs = kHasDdr,
                              .source = kMemoryInfo}),
            Metric<&D::total>({.name = "ascend_npu_ddr_total_bytes",
                               .help = "DDR of the chip.",
                               .zh = "芯片 DDR 的总容量。",
                               .needs = kHasDdr,
                               .source = kMemoryInfo}),
            Metric<&D::bandwidth_utilization>(
                {.name = "ascend_npu_ddr_bandwidth_utilization_ratio",
                 .help = "Share of the DDR's bandwidth in use in the driver's last sample.",
                 .zh = "DDR 的带宽利用率，取自驱动最近一次采样。",
                 .needs = kHasDdr,
                 .source = {.dcmi = "dcmi_get_device_utilization_rate 5",
                            .tool = "npu-smi info -t usages"}}),
            Metric<&D::hugepages_used>({.name = "ascend_npu_hugepages_used_bytes",
                                        .help = "Huge pages in use on the chip.",
                                        .zh = "芯片上已用的大页内存。",
                                        .needs = kHasDdr,
                                        .source = kHugepages}),
            Metric<&D::hugepages_capacity>({.name = "ascend_npu_hugepages_capacity_bytes",
                                            .help = "Huge pages reserved on the chip.",
                                            .zh = "芯片上预留的大页内存。",
                                            .needs = kHasDdr,
                                            .source = kHugepages}));

// More in use than there is happens while the driver updates both numbers: what is in use is not to
// be believed, the total does not change.
template <class Reading, class Rows>
absl::Status EmitMemory(absl::StatusOr<Reading> reading, const Rows& rows, Sink& sink) {
  if (!reading.ok()) return reading.status();
  if (reading->used && reading->total && *reading->used > *reading->total) {
    reading->used.reset();
    sink.Reject(RejectReason::kInconsistent);
  }
  Emit(&*reading, reading->refused, rows, sink);
  return absl::OkStatus();
}

absl::Status CollectHbm(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  return EmitMemory(driver.ReadHbm(address), kHbmRows, sink);
}

absl::Status CollectDdr(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  return EmitMemory(driver.ReadDdr(address), kDdrRows, sink);
}

}  // namespace

// In the fast group, since the bandwidth comes with the same call.
constexpr Collector kHbmCollector = {.name = "hbm",
                                     .topic = Topic::kMemory,
                                     .group = Group::kFast,
                                     .needs = kHasHbm,
                                     .rows = kHbmRows,
                                     .collect = &CollectHbm};

constexpr Collector kDdrCollector = {.name = "ddr",
                                     .topic = Topic::kMemory,
                                     .group = Group::kMemory,
                                     .needs = kHasDdr,
                                     .rows = kDdrRows,
                                     .collect = &CollectDdr};

}  // namespace ascend

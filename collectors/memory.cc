#include "collectors/all.h"

namespace ascend {
namespace {

using H = HbmReading;
using D = DdrReading;

constexpr std::string_view kHbmInfo = "dcmi_get_device_hbm_info";
constexpr std::string_view kMemoryInfo = "dcmi_get_device_memory_info_v3";

// The chip's main memory: one name for chips with and without HBM, so that one rule serves both.
consteval MetricSpec MainUsed(ChipTraits needs, std::string_view source) {
  return {.name = "ascend_npu_memory_used_bytes",
          .help = "Main memory in use on the chip: HBM where it has HBM, else DDR.",
          .needs = needs,
          .source = source};
}
consteval MetricSpec MainTotal(ChipTraits needs, std::string_view source) {
  return {.name = "ascend_npu_memory_total_bytes",
          .help = "Main memory of the chip: HBM where it has HBM, else DDR.",
          .needs = needs,
          .source = source};
}

constexpr auto kHbmRows = RowsFor(
    Metric<&H::used>(MainUsed(kHasHbm, kHbmInfo)), Metric<&H::total>(MainTotal(kHasHbm, kHbmInfo)),
    Metric<&H::used>({.name = "ascend_npu_hbm_used_bytes",
                      .help = "HBM in use on the chip.",
                      .needs = kHasHbm,
                      .source = kHbmInfo}),
    Metric<&H::total>({.name = "ascend_npu_hbm_total_bytes",
                       .help = "HBM of the chip.",
                       .needs = kHasHbm,
                       .source = kHbmInfo}),
    Metric<&H::temperature>({.name = "ascend_npu_hbm_temperature_celsius",
                             .help = "Temperature of the HBM.",
                             .needs = kHasHbm,
                             .source = kHbmInfo}),
    Metric<&H::utilization>({.name = "ascend_npu_hbm_utilization_ratio",
                             .help = "Share of the HBM in use, as the driver computes it.",
                             .needs = kHasHbm,
                             .source = "dcmi_get_device_utilization_rate 6"}),
    Metric<&H::bandwidth_utilization>(
        {.name = "ascend_npu_hbm_bandwidth_utilization_ratio",
         .help = "Share of the HBM's bandwidth in use in the driver's last sample.",
         .needs = kHasHbm,
         .source = kHbmInfo}),
    Integral<&H::bandwidth_utilization>(
        {.name = "ascend_npu_hbm_bandwidth_busy_seconds_total",
         .help = "Seconds of full HBM bandwidth used since the exporter sees the chip, integrated "
                 "over the samples of its utilisation; rate() is the exact mean.",
         .needs = kHasHbm,
         .source = kHbmInfo}));

constexpr auto kDdrRows =
    RowsFor(Metric<&D::used>(MainUsed(kNoHbm, kMemoryInfo)),
            Metric<&D::total>(MainTotal(kNoHbm, kMemoryInfo)),
            Metric<&D::used>({.name = "ascend_npu_ddr_used_bytes",
                              .help = "DDR in use on the chip: size less what is available.",
                              .needs = kHasDdr,
                              .source = kMemoryInfo}),
            Metric<&D::total>({.name = "ascend_npu_ddr_total_bytes",
                               .help = "DDR of the chip.",
                               .needs = kHasDdr,
                               .source = kMemoryInfo}),
            Metric<&D::bandwidth_utilization>(
                {.name = "ascend_npu_ddr_bandwidth_utilization_ratio",
                 .help = "Share of the DDR's bandwidth in use in the driver's last sample.",
                 .needs = kHasDdr,
                 .source = "dcmi_get_device_utilization_rate 5"}),
            Metric<&D::hugepages_used>({.name = "ascend_npu_hugepages_used_bytes",
                                        .help = "Huge pages in use on the chip.",
                                        .needs = kHasDdr,
                                        .source = kMemoryInfo}),
            Metric<&D::hugepages_capacity>({.name = "ascend_npu_hugepages_capacity_bytes",
                                            .help = "Huge pages reserved on the chip.",
                                            .needs = kHasDdr,
                                            .source = kMemoryInfo}));

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
                                     .group = Group::kFast,
                                     .needs = kHasHbm,
                                     .rows = kHbmRows,
                                     .collect = &CollectHbm};

constexpr Collector kDdrCollector = {.name = "ddr",
                                     .group = Group::kMemory,
                                     .needs = kHasDdr,
                                     .rows = kDdrRows,
                                     .collect = &CollectDdr};

}  // namespace ascend

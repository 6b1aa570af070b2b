#include "collectors/all.h"

namespace ascend {
namespace {

using R = UtilizationReading;

constexpr std::string_view kMulti = "dcmi_get_device_multi_utilization_rate";
constexpr std::string_view kSingle = "dcmi_get_device_utilization_rate";

// Both series of one engine: the last sample and its integral.
consteval MetricSpec Load(std::string_view engine, std::string_view source) {
  return {.name = "ascend_npu_utilization_ratio",
          .help = "Share of the engine that was busy in the driver's last sample.",
          .labels = {{{"engine", engine}}},
          .source = source};
}
consteval MetricSpec Busy(std::string_view engine, std::string_view source) {
  return {.name = "ascend_npu_busy_seconds_total",
          .help =
              "Seconds that the engine was busy since the exporter sees it, integrated over the "
              "samples of its utilisation; rate() is the exact mean.",
          .labels = {{{"engine", engine}}},
          .source = source};
}

constexpr auto kRows = RowsFor(
    Metric<&R::aicore>(Load("aicore", kMulti)), Metric<&R::vector>(Load("vector", kMulti)),
    Metric<&R::cube>(Load("cube", kMulti)), Metric<&R::aicpu>(Load("aicpu", kSingle)),
    Metric<&R::ctrlcpu>(Load("ctrlcpu", kSingle)), Integral<&R::aicore>(Busy("aicore", kMulti)),
    Integral<&R::vector>(Busy("vector", kMulti)), Integral<&R::cube>(Busy("cube", kMulti)),
    Integral<&R::aicpu>(Busy("aicpu", kSingle)), Integral<&R::ctrlcpu>(Busy("ctrlcpu", kSingle)),
    Metric<&R::overall>({.name = "ascend_npu_overall_utilization_ratio",
                         .help = "Share of the whole NPU that was busy in the driver's last "
                                 "sample.",
                         .needs = kOverallLoad,
                         .source = kMulti}));

}  // namespace

constexpr Collector kUtilizationCollector = {
    .name = "utilization",
    .group = Group::kFast,
    .rows = kRows,
    .collect = &CollectWith<&NpuDriver::ReadUtilization, kRows>};

}  // namespace ascend

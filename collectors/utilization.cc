#include "collectors/all.h"

namespace ascend {
namespace {

using R = UtilizationReading;

constexpr Source kMulti = {
    .dcmi = "dcmi_get_device_multi_utilization_rate, else dcmi_get_device_utilization_rate 2, 12",
    .tool = "npu-smi info, npu-smi info -t usages"};
constexpr Source kSingle = {.dcmi = "dcmi_get_device_utilization_rate 3, 4",
                            .tool = "npu-smi info -t usages"};
constexpr Source kOverall = {.dcmi = "dcmi_get_device_multi_utilization_rate",
                             .tool = "npu-smi info, npu-smi info -t usages"};

// Both series of one engine: the last sample and its integral.
consteval MetricSpec Load(std::string_view engine, Source source) {
  return {.name = "ascend_npu_utilization_ratio",
          .help = "Share of the engine that was busy in the driver's last sample.",
          .zh = "计算引擎的利用率，取自驱动最近一次采样。",
          .labels = {{{"engine", engine}}},
          .source = source};
}
consteval MetricSpec Busy(std::string_view engine, Source source) {
  return {.name = "ascend_npu_busy_seconds_total",
          .help =
              "Seconds that the engine was busy since the exporter sees it, integrated over the "
              "samples of its utilisation; rate() is the exact mean.",
          .zh =
              "exporter 开始监控该芯片以来计算引擎的忙碌秒数，"
              "由利用率采样积分得到；rate() 即准确的平均利用率。",
          .labels = {{{"engine", engine}}},
          .source = source};
}
consteval MetricSpec Least(std::string_view engine, Source source) {
  return {.name = "ascend_npu_utilization_window_min_ratio",
          .help =
              "Lowest sample of the engine's utilisation in the last sampling.window; covers "
              "between 60 and 61 sixtieths of it and begins anew with the exporter.",
          .zh =
              "最近一个 sampling.window 内计算引擎利用率采样的最小值；"
              "覆盖该窗口的 60 至 61 个六十分之一，exporter 重启后重新开始。",
          .labels = {{{"engine", engine}}},
          .source = source};
}
consteval MetricSpec Most(std::string_view engine, Source source) {
  return {.name = "ascend_npu_utilization_window_max_ratio",
          .help =
              "Highest sample of the engine's utilisation in the last sampling.window; covers "
              "between 60 and 61 sixtieths of it and begins anew with the exporter.",
          .zh =
              "最近一个 sampling.window 内计算引擎利用率采样的最大值；"
              "覆盖该窗口的 60 至 61 个六十分之一，exporter 重启后重新开始。",
          .labels = {{{"engine", engine}}},
          .source = source};
}

constexpr auto kRows = RowsFor(
    Metric<&R::aicore>(Load("aicore", kMulti)), Metric<&R::vector>(Load("vector", kMulti)),
    Metric<&R::cube>(Load("cube", kMulti)), Metric<&R::aicpu>(Load("aicpu", kSingle)),
    Metric<&R::ctrlcpu>(Load("ctrlcpu", kSingle)), Integral<&R::aicore>(Busy("aicore", kMulti)),
    Integral<&R::vector>(Busy("vector", kMulti)), Integral<&R::cube>(Busy("cube", kMulti)),
    Integral<&R::aicpu>(Busy("aicpu", kSingle)), Integral<&R::ctrlcpu>(Busy("ctrlcpu", kSingle)),
    WindowMin<&R::aicore>(Least("aicore", kMulti)), WindowMin<&R::vector>(Least("vector", kMulti)),
    WindowMin<&R::cube>(Least("cube", kMulti)), WindowMin<&R::aicpu>(Least("aicpu", kSingle)),
    WindowMin<&R::ctrlcpu>(Least("ctrlcpu", kSingle)),
    WindowMax<&R::aicore>(Most("aicore", kMulti)), WindowMax<&R::vector>(Most("vector", kMulti)),
    WindowMax<&R::cube>(Most("cube", kMulti)), WindowMax<&R::aicpu>(Most("aicpu", kSingle)),
    WindowMax<&R::ctrlcpu>(Most("ctrlcpu", kSingle)),
    Metric<&R::overall>(
        {.name = "ascend_npu_overall_utilization_ratio",
         .help = "Share of the whole NPU that was busy in the driver's last sample.",
         .zh = "NPU 整体利用率，取自驱动最近一次采样。",
         .needs = kOverallLoad,
         .source = kOverall}));

}  // namespace

constexpr Collector kUtilizationCollector = {
    .name = "utilization",
    .topic = Topic::kLoad,
    .group = Group::kFast,
    .rows = kRows,
    .collect = &CollectWith<&NpuDriver::ReadUtilization, kRows>,
    .cost = {"three calls; four before 910B", "三次调用；910B 之前的芯片四次"}};

}  // namespace ascend

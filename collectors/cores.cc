#include "collectors/all.h"
#include "collectors/key_labels.h"

namespace ascend {
namespace {

using R = CoreUtilizationReading;

consteval MetricSpec Core(std::string_view engine) {
  return {.name = "ascend_npu_core_utilization_ratio",
          .help = "Share of one core that was busy in the driver's last sample.",
          .zh = "单个核的利用率，取自驱动最近一次采样。",
          .labels = {{{"engine", engine}}},
          .source = {.dcmi = "dcmi_get_device_info TS 11/0, 11/1"}};
}

constexpr auto kRows =
    RowsFor(EachMetric<&R::aicores, &CoreLoad::busy>(Core("aicore"), &KeyLabel<"core">),
            EachMetric<&R::vector_cores, &CoreLoad::busy>(Core("vector"), &KeyLabel<"core">));

}  // namespace

constexpr Collector kCoresCollector = {
    .name = "core_utilization",
    .topic = Topic::kLoad,
    .group = Group::kMemory,
    .rows = kRows,
    .collect = &CollectWith<&NpuDriver::ReadCoreUtilization, kRows>,
    .by_default = Default::kOff,
    .cost = {"two calls, up to 75 series", "两次调用，最多 75 条序列"}};

}  // namespace ascend

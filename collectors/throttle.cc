#include "collectors/all.h"

namespace ascend {
namespace {

using R = ThrottleReading;

consteval MetricSpec Reason(std::string_view reason) {
  return {.name = "ascend_npu_throttle_active",
          .help = "Whether (1) or not (0) the reason holds the AI cores below their clock.",
          .zh = "AI Core 是否因该原因降频：1 是，0 否。",
          .labels = {{{"reason", reason}}},
          .chips = "910B, 910C, 950",
          .source = {.dcmi = "dcmi_get_device_info LP 8/9"}};
}

constexpr auto kRows = RowsFor(
    Metric<&R::thermal>(Reason("thermal")), Metric<&R::edp_software>(Reason("edp_software")),
    Metric<&R::edp_hardware>(Reason("edp_hardware")),
    Metric<&R::power_brake>(Reason("power_brake")), Metric<&R::power_cap>(Reason("power_cap")),
    Metric<&R::svfd>(Reason("svfd")), Metric<&R::load_aware>(Reason("load_aware")));

}  // namespace

constexpr Collector kThrottleCollector = {.name = "throttle",
                                          .topic = Topic::kHeat,
                                          .group = Group::kFast,
                                          .rows = kRows,
                                          .collect = &CollectWith<&NpuDriver::ReadThrottle, kRows>};

}  // namespace ascend

#include "collectors/all.h"

namespace ascend {
namespace {

constexpr auto kRows = RowsFor(Metric<&CompatibilityReading::fits>(
    {.name = "ascend_npu_compatible",
     .help = "Whether (1) or not (0) driver and firmware fit, as the driver judges it.",
     .zh = "驱动判断的驱动与固件是否匹配：1 匹配，0 不匹配。",
     .source = {.dcmi = "dcmi_get_device_compatibility", .tool = "npu-smi info -t board"}}));

}  // namespace

constexpr Collector kCompatibilityCollector = {
    .name = "compatibility",
    .topic = Topic::kState,
    .group = Group::kIdentity,
    .rows = kRows,
    .collect = &CollectWith<&NpuDriver::ReadCompatibility, kRows>};

}  // namespace ascend

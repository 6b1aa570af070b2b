#include "collectors/all.h"
#include "collectors/key_labels.h"

namespace ascend {
namespace {

constexpr auto kRows = RowsFor(EachMetric<&FanReading::fans, &Fan::speed>(
    {.name = "ascend_npu_fan_speed_rpm",
     .help = "Speed of a fan, in revolutions per minute.",
     .zh = "风扇转速，单位为转每分钟。",
     .source = {.dcmi = "dcmi_get_device_fan_count, dcmi_get_device_fan_speed",
                .dcmiv2 = Source::kNone}},
    &KeyLabel<"fan">));

}  // namespace

constexpr Collector kFansCollector = {.name = "fans",
                                      .topic = Topic::kHeat,
                                      .group = Group::kMemory,
                                      .rows = kRows,
                                      .collect = &CollectWith<&NpuDriver::ReadFans, kRows>};

}  // namespace ascend

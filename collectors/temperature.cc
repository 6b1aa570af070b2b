#include "collectors/all.h"

namespace ascend {
namespace {

constexpr auto kRows =
    RowsFor(Metric<&TemperatureReading::chip>({.name = "ascend_npu_temperature_celsius",
                                               .help = "Temperature of the chip.",
                                               .source = "dcmi_get_device_temperature"}));

}  // namespace

constexpr Collector kTemperatureCollector = {
    .name = "temperature",
    .group = Group::kFast,
    .rows = kRows,
    .collect = &CollectWith<&NpuDriver::ReadTemperature, kRows>};

}  // namespace ascend

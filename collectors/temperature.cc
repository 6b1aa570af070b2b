#include "collectors/all.h"

namespace ascend {
namespace {

constexpr Source kCall = {.dcmi = "dcmi_get_device_temperature", .tool = "npu-smi info"};

constexpr auto kRows =
    RowsFor(Metric<&TemperatureReading::chip>({.name = "ascend_npu_temperature_celsius",
                                               .help = "Temperature of the chip.",
                                               .zh = "芯片温度。",
                                               .source = kCall}),
            WindowMin<&TemperatureReading::chip>(
                {.name = "ascend_npu_temperature_window_min_celsius",
                 .help = "Lowest sample of the temperature in the last sampling.window; covers "
                         "between 60 and 61 sixtieths of it and begins anew with the exporter.",
                 .zh = "最近一个 sampling.window 内温度采样的最小值；"
                       "覆盖该窗口的 60 至 61 个六十分之一，exporter 重启后重新开始。",
                 .source = kCall}),
            WindowMax<&TemperatureReading::chip>(
                {.name = "ascend_npu_temperature_window_max_celsius",
                 .help = "Highest sample of the temperature in the last sampling.window; covers "
                         "between 60 and 61 sixtieths of it and begins anew with the exporter.",
                 .zh = "最近一个 sampling.window 内温度采样的最大值；"
                       "覆盖该窗口的 60 至 61 个六十分之一，exporter 重启后重新开始。",
                 .source = kCall}));

}  // namespace

constexpr Collector kTemperatureCollector = {
    .name = "temperature",
    .topic = Topic::kHeat,
    .group = Group::kFast,
    .rows = kRows,
    .collect = &CollectWith<&NpuDriver::ReadTemperature, kRows>};

}  // namespace ascend

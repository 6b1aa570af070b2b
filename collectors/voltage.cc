#include "collectors/all.h"

namespace ascend {
namespace {

constexpr auto kRows =
    RowsFor(Metric<&VoltageReading::chip>({.name = "ascend_npu_voltage_volts",
                                           .help = "Supply voltage of the chip.",
                                           .zh = "芯片的供电电压。",
                                           .source = {.dcmi = "dcmi_get_device_voltage"}}));

}  // namespace

constexpr Collector kVoltageCollector = {.name = "voltage",
                                         .topic = Topic::kHeat,
                                         .group = Group::kMemory,
                                         .rows = kRows,
                                         .collect = &CollectWith<&NpuDriver::ReadVoltage, kRows>};

}  // namespace ascend

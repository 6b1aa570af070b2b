#include "collectors/all.h"

namespace ascend {
namespace {

constexpr auto kChipRows = RowsFor(
    Metric<&PowerReading::chip>(
        {.name = "ascend_npu_power_watts",
         .help = "Power that the chip draws; on A3 the first die of a package shows that of both.",
         .needs = kChipPower,
         .source = "dcmi_get_device_power_info"}),
    Integral<&PowerReading::chip>(
        {.name = "ascend_npu_energy_joules_total",
         .help = "Energy that the chip has drawn since the exporter sees it, integrated over the "
                 "samples of its power; rate() is the exact mean power.",
         .needs = kChipPower,
         .source = "dcmi_get_device_power_info"}));

constexpr auto kCardRows = RowsFor(
    Metric<&CardPowerReading::card>(
        {.name = "ascend_npu_card_power_watts",
         .help = "Power that the whole card draws, measured by its controller; its chips share it.",
         .needs = kCardPower,
         .source = "dcmi_mcu_get_power_info"},
        Scope::kCard),
    Integral<&CardPowerReading::card>(
        {.name = "ascend_npu_card_energy_joules_total",
         .help = "Energy that the whole card has drawn since the exporter sees it, integrated over "
                 "the samples of its power.",
         .needs = kCardPower,
         .source = "dcmi_mcu_get_power_info"},
        Scope::kCard));

}  // namespace

constexpr Collector kPowerCollector = {.name = "power",
                                       .group = Group::kFast,
                                       .needs = kChipPower,
                                       .rows = kChipRows,
                                       .collect = &CollectWith<&NpuDriver::ReadPower, kChipRows>};

constexpr Collector kCardPowerCollector = {
    .name = "card_power",
    .group = Group::kFast,
    .needs = kCardPower,
    .rows = kCardRows,
    .collect = &CollectWith<&NpuDriver::ReadCardPower, kCardRows>};

}  // namespace ascend

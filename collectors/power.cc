#include "collectors/all.h"

namespace ascend {
namespace {

constexpr Source kChipSource = {.dcmi = "dcmi_get_device_power_info", .tool = "npu-smi info"};
constexpr Source kCardSource = {
    .dcmi = "dcmi_mcu_get_power_info", .dcmiv2 = Source::kNone, .tool = "npu-smi info -t power"};

constexpr auto kChipRows = RowsFor(
    Metric<&PowerReading::chip>(
        {.name = "ascend_npu_power_watts",
         .help = "Power that the chip draws; on A3 the first die of a package shows that of both.",
         .zh = "芯片功耗；在 A3 上，封装内第一个 die 给出的是两个 die 的总功耗。",
         .needs = kChipPower,
         .source = kChipSource}),
    Integral<&PowerReading::chip>(
        {.name = "ascend_npu_energy_joules_total",
         .help = "Energy that the chip has drawn since the exporter sees it, integrated over the "
                 "samples of its power; rate() is the exact mean power.",
         .zh = "exporter 开始监控该芯片以来的能耗，由功耗采样积分得到；"
               "rate() 即准确的平均功耗。",
         .needs = kChipPower,
         .source = kChipSource}),
    WindowMin<&PowerReading::chip>(
        {.name = "ascend_npu_power_window_min_watts",
         .help = "Lowest sample of the power in the last sampling.window; covers between 60 and 61 "
                 "sixtieths of it and begins anew with the exporter.",
         .zh = "最近一个 sampling.window 内功耗采样的最小值；"
               "覆盖该窗口的 60 至 61 个六十分之一，exporter 重启后重新开始。",
         .needs = kChipPower,
         .source = kChipSource}),
    WindowMax<&PowerReading::chip>(
        {.name = "ascend_npu_power_window_max_watts",
         .help = "Highest sample of the power in the last sampling.window; covers between 60 and "
                 "61 sixtieths of it and begins anew with the exporter.",
         .zh = "最近一个 sampling.window 内功耗采样的最大值；"
               "覆盖该窗口的 60 至 61 个六十分之一，exporter 重启后重新开始。",
         .needs = kChipPower,
         .source = kChipSource}));

constexpr auto kLimitRows = RowsFor(Metric<&PowerLimitReading::limit>(
    {.name = "ascend_npu_power_limit_watts",
     .help = "Rated power of the chip.",
     .zh = "芯片的额定功耗。",
     .source = {.dcmi = "dcmi_get_device_info LP 8/10", .tool = "npu-smi info -t power"}}));

constexpr auto kCardRows = RowsFor(
    Metric<&CardPowerReading::card>(
        {.name = "ascend_npu_card_power_watts",
         .help = "Power that the whole card draws, measured by its controller; its chips share it.",
         .zh = "整卡功耗，由卡上的 MCU 测量，卡上各芯片共用。",
         .needs = kCardPower,
         .source = kCardSource},
        Scope::kCard),
    Integral<&CardPowerReading::card>(
        {.name = "ascend_npu_card_energy_joules_total",
         .help = "Energy that the whole card has drawn since the exporter sees it, integrated over "
                 "the samples of its power.",
         .zh = "exporter 开始监控该卡以来的整卡能耗，由功耗采样积分得到。",
         .needs = kCardPower,
         .source = kCardSource},
        Scope::kCard));

}  // namespace

constexpr Collector kPowerCollector = {.name = "power",
                                       .topic = Topic::kHeat,
                                       .group = Group::kFast,
                                       .needs = kChipPower,
                                       .rows = kChipRows,
                                       .collect = &CollectWith<&NpuDriver::ReadPower, kChipRows>};

constexpr Collector kPowerLimitCollector = {
    .name = "power_limit",
    .topic = Topic::kHeat,
    .group = Group::kIdentity,
    .rows = kLimitRows,
    .collect = &CollectWith<&NpuDriver::ReadPowerLimit, kLimitRows>,
    .once = true};

constexpr Collector kCardPowerCollector = {
    .name = "card_power",
    .topic = Topic::kHeat,
    .group = Group::kFast,
    .needs = kCardPower,
    .rows = kCardRows,
    .collect = &CollectWith<&NpuDriver::ReadCardPower, kCardRows>};

}  // namespace ascend

#include "collectors/all.h"
#include "collectors/key_labels.h"

namespace ascend {
namespace {

using R = OpticalReading;
using M = OpticalModule;

constexpr std::string_view kChips = "910, 910B, 910C";
constexpr Source kSource = {.tool = "hccn_tool -optical"};

consteval MetricSpec Loss(std::string_view direction) {
  return {.name = "ascend_npu_optical_loss_of_signal",
          .help = "Whether (1) or not (0) a lane of the module has lost its signal.",
          .zh = "光模块是否有 lane 丢失信号：1 有，0 无。",
          .labels = {{{"direction", direction}}},
          .chips = kChips,
          .source = kSource};
}

constexpr auto kRows = RowsFor(
    EachMetric<&R::modules, &M::present>(
        {.name = "ascend_npu_optical_present",
         .help = "Whether (1) or not (0) the tool says that the optical module is present; it can "
                 "contradict the module's readings.",
         .zh = "工具报告的光模块是否在位：1 在位，0 不在位；"
               "可能与光模块的其他读数矛盾。",
         .chips = kChips,
         .source = kSource},
        &PortLabels),
    EachMetric<&R::modules, &M::temperature>({.name = "ascend_npu_optical_temperature_celsius",
                                              .help = "Temperature of the optical module.",
                                              .zh = "光模块的温度。",
                                              .chips = kChips,
                                              .source = kSource},
                                             &PortLabels),
    EachMetric<&R::modules, &M::voltage>({.name = "ascend_npu_optical_voltage_volts",
                                          .help = "Supply voltage of the optical module.",
                                          .zh = "光模块的供电电压。",
                                          .chips = kChips,
                                          .source = kSource},
                                         &PortLabels),
    EachMetric<&R::modules, &M::transmit_loss_of_signal>(Loss("transmit"), &PortLabels),
    EachMetric<&R::modules, &M::receive_loss_of_signal>(Loss("receive"), &PortLabels),
    EachMetric<&R::modules, &M::transmit_power_low_threshold>(
        {.name = "ascend_npu_optical_transmit_power_low_threshold_watts",
         .help = "Optical power below which the module warns of what it sends.",
         .zh = "光模块发送光功率的低告警门限。",
         .chips = kChips,
         .source = kSource},
        &PortLabels),
    EachMetric<&R::modules, &M::receive_power_low_threshold>(
        {.name = "ascend_npu_optical_receive_power_low_threshold_watts",
         .help = "Optical power below which the module warns of what it receives.",
         .zh = "光模块接收光功率的低告警门限。",
         .chips = kChips,
         .source = kSource},
        &PortLabels),
    EachMetric<&R::lanes, &OpticalLane::transmit_power>(
        {.name = "ascend_npu_optical_transmit_power_watts",
         .help = "Optical power that the lane sends.",
         .zh = "光模块该 lane 的发送光功率。",
         .chips = kChips,
         .source = kSource},
        &OpticalLaneLabels),
    EachMetric<&R::lanes, &OpticalLane::receive_power>(
        {.name = "ascend_npu_optical_receive_power_watts",
         .help = "Optical power that the lane receives.",
         .zh = "光模块该 lane 的接收光功率。",
         .chips = kChips,
         .source = kSource},
        &OpticalLaneLabels));

}  // namespace

constexpr Collector kOpticalCollector = {.name = "optical",
                                         .topic = Topic::kNetwork,
                                         .group = Group::kNetwork,
                                         .rows = kRows,
                                         .collect = &CollectWith<&NpuDriver::ReadOptical, kRows>,
                                         .cost = {"a run of hccn_tool", "运行一次 hccn_tool"}};

}  // namespace ascend

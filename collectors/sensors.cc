#include "collectors/all.h"

namespace ascend {
namespace {

using R = SensorReading;

consteval MetricSpec Sensor(std::string_view sensor) {
  return {.name = "ascend_npu_sensor_temperature_celsius",
          .help = "Temperature at one of the chip's sensors.",
          .zh = "芯片某个温度传感器的温度。",
          .labels = {{{"sensor", sensor}}},
          .source = {.dcmi = "dcmi_get_device_sensor_info", .tool = "npu-smi info -t sensors"}};
}

constexpr auto kRows =
    RowsFor(Metric<&R::cluster>(Sensor("cluster")), Metric<&R::peripheral>(Sensor("peripheral")),
            Metric<&R::aicore>(Sensor("aicore")), Metric<&R::ntc1>(Sensor("ntc1")),
            Metric<&R::ntc2>(Sensor("ntc2")), Metric<&R::ntc3>(Sensor("ntc3")),
            Metric<&R::ntc4>(Sensor("ntc4")), Metric<&R::soc>(Sensor("soc")),
            Metric<&R::fp_max>(Sensor("fp_max")), Metric<&R::n_die>(Sensor("n_die")),
            Metric<&R::hbm>(Sensor("hbm")));

}  // namespace

constexpr Collector kSensorsCollector = {.name = "sensors",
                                         .topic = Topic::kHeat,
                                         .group = Group::kMemory,
                                         .rows = kRows,
                                         .collect = &CollectWith<&NpuDriver::ReadSensors, kRows>,
                                         .cost = {"a call for each sensor", "每个传感器一次调用"}};

}  // namespace ascend

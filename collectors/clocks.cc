#include "collectors/all.h"

namespace ascend {
namespace {

using R = ClockReading;

constexpr Source kNow = {.dcmi = "dcmi_get_device_frequency",
                         .tool = "npu-smi info -t common, npu-smi info -t memory"};

consteval MetricSpec Now(std::string_view clock) {
  return {.name = "ascend_npu_frequency_hertz",
          .help = "Clock at which the part of the chip runs.",
          .zh = "芯片该部件当前的运行频率。",
          .labels = {{{"clock", clock}}},
          .source = kNow};
}

constexpr auto kRows = RowsFor(
    Metric<&R::aicore>(Now("aicore")), Metric<&R::vectorcore>(Now("vectorcore")),
    Metric<&R::ctrlcpu>(Now("ctrlcpu")), Metric<&R::hbm>(Now("hbm")), Metric<&R::ddr>(Now("ddr")),
    Metric<&R::aicore_max>(
        {.name = "ascend_npu_frequency_max_hertz",
         .help = "Rated clock of the part of the chip.",
         .zh = "芯片该部件的额定频率。",
         .labels = {{{"clock", "aicore"}}},
         .source = {.dcmi = "dcmi_get_device_frequency 9, else dcmi_get_device_aicore_info",
                    .tool = "npu-smi info -t common"}}));

}  // namespace

constexpr Collector kClocksCollector = {.name = "clocks",
                                        .topic = Topic::kHeat,
                                        .group = Group::kMemory,
                                        .rows = kRows,
                                        .collect = &CollectWith<&NpuDriver::ReadClocks, kRows>,
                                        .cost = {"a call for each clock", "每个时钟一次调用"}};

}  // namespace ascend

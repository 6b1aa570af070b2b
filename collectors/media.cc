#include "collectors/all.h"

namespace ascend {
namespace {

using R = MediaReading;

consteval MetricSpec Load(std::string_view engine) {
  return {.name = "ascend_npu_media_utilization_ratio",
          .help = "Share of a media engine that was busy in the driver's last sample.",
          .zh = "媒体引擎的利用率，取自驱动最近一次采样。",
          .labels = {{{"engine", engine}}},
          .chips = "310, 310B, 310P",
          .source = {.dcmi = "dcmi_get_device_dvpp_ratio_info",
                     .dcmiv2 = Source::kNone,
                     .tool = "npu-smi info -t usages"}};
}

constexpr auto kRows = RowsFor(Metric<&R::vdec>(Load("vdec")), Metric<&R::vpc>(Load("vpc")),
                               Metric<&R::venc>(Load("venc")), Metric<&R::jpege>(Load("jpege")),
                               Metric<&R::jpegd>(Load("jpegd")));

}  // namespace

constexpr Collector kMediaCollector = {.name = "media",
                                       .topic = Topic::kLoad,
                                       .group = Group::kMemory,
                                       .rows = kRows,
                                       .collect = &CollectWith<&NpuDriver::ReadMedia, kRows>};

}  // namespace ascend

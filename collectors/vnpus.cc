#include "collectors/all.h"
#include "collectors/key_labels.h"

namespace ascend {
namespace {

using R = VnpuReading;

constexpr std::string_view kChips = "310P";
constexpr Source kList = {.dcmi = "dcmi_get_device_info VDEV_MNG 52/1, 52/0"};
constexpr Source kLive = {.dcmi = "dcmi_get_device_info VDEV_MNG 52/1, 52/5"};
constexpr std::array<std::string_view, 1> kTemplateLabel = {"template"};

// Beside the rows of fields, the one whose label is text.
constexpr auto kFieldRows = RowsFor(
    EachMetric<&R::vnpus, &Vnpu::utilization>(
        {.name = "ascend_npu_vnpu_utilization_ratio",
         .help = "Share of the slice's AI cores that was busy in the driver's last sample.",
         .zh = "vNPU 的 AI Core 利用率，取自驱动最近一次采样。",
         .chips = kChips,
         .source = kLive},
        &KeyLabel<"vnpu">),
    EachMetric<&R::vnpus, &Vnpu::memory_used>({.name = "ascend_npu_vnpu_memory_used_bytes",
                                               .help = "Memory in use in the slice.",
                                               .zh = "vNPU 的已用内存。",
                                               .chips = kChips,
                                               .source = kLive},
                                              &KeyLabel<"vnpu">),
    EachMetric<&R::vnpus, &Vnpu::memory_total>({.name = "ascend_npu_vnpu_memory_total_bytes",
                                                .help = "Memory of the slice.",
                                                .zh = "vNPU 的内存总容量。",
                                                .chips = kChips,
                                                .source = kLive},
                                               &KeyLabel<"vnpu">),
    EachMetric<&R::vnpus, &Vnpu::aicores>({.name = "ascend_npu_vnpu_aicores",
                                           .help = "AI cores of the slice.",
                                           .zh = "vNPU 的 AI Core 数，可以是小数。",
                                           .chips = kChips,
                                           .source = kList},
                                          &KeyLabel<"vnpu">));

constexpr std::array kRows = {
    kFieldRows[0], kFieldRows[1], kFieldRows[2], kFieldRows[3],
    HandRow({.spec = {.name = "ascend_npu_vnpu_info",
                      .help = "A slice of the chip and the template that it was made from.",
                      .zh = "从芯片切分出的 vNPU 及其所用的模板。",
                      .chips = kChips,
                      .source = kList},
             .kind = Kind::kInfo,
             .key_labels = &KeyLabel<"vnpu">,
             .text_labels = kTemplateLabel})};

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  absl::StatusOr<VnpuReading> reading = driver.ReadVnpus(address);
  if (!reading.ok()) return reading.status();
  for (Vnpu& vnpu : reading->vnpus.items()) {
    if (vnpu.memory_used && vnpu.memory_total && *vnpu.memory_used > *vnpu.memory_total) {
      vnpu.memory_used.reset();
      sink.Reject(RejectReason::kInconsistent);
    }
    sink.PutText(kFieldRows.size(), vnpu.index, {vnpu.template_name.view()});
  }
  Emit(&*reading, reading->refused, kFieldRows, sink);
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kVnpusCollector = {
    .name = "vnpus",
    .topic = Topic::kPartitions,
    .group = Group::kMemory,
    .rows = kRows,
    .collect = &Collect,
    .cost = {"a call, and two for each vNPU", "一次调用，每个 vNPU 另加两次"}};

}  // namespace ascend

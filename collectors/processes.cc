#include <array>
#include <optional>

#include "collectors/all.h"

namespace ascend {
namespace {

constexpr std::array kRows = {HandRow(
    {.spec = {.name = "ascend_npu_processes",
              .help = "Processes on the chip; absent unless the list is proven to be the host's.",
              .zh = "芯片上的进程数；只有能证明进程列表是主机视角时才输出。",
              .source = {.dcmi = "dcmi_get_device_resource_info",
                         .dcmiv2 = "dcmiv2_get_device_proc_mem_info",
                         .tool = "npu-smi info"}}})};

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  std::array<ProcessReading, kMaxProcesses> processes;
  const absl::StatusOr<std::optional<std::size_t>> count = driver.ReadProcesses(address, processes);
  if (!count.ok()) return count.status();
  if (*count) sink.Put(0, static_cast<double>(**count));
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kProcessesCollector = {
    .name = "processes",
    .topic = Topic::kPartitions,
    .group = Group::kMemory,
    .rows = kRows,
    .collect = &Collect,
    .privilege = {"the host's PID namespace", "主机的 PID 命名空间"}};

}  // namespace ascend

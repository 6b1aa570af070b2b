#include <array>
#include <optional>

#include "collectors/all.h"

namespace ascend {
namespace {

constexpr std::array kRows = {EngineRow(
    {.spec = {.name = "ascend_npu_processes",
              .help = "Processes on the chip; absent unless the list is proven to be the host's.",
              .source = "dcmi_get_device_resource_info"}})};

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  std::array<ProcessReading, kMaxProcesses> processes;
  const absl::StatusOr<std::optional<std::size_t>> count = driver.ReadProcesses(address, processes);
  if (!count.ok()) return count.status();
  if (*count) sink.Put(0, static_cast<double>(**count));
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kProcessesCollector = {
    .name = "processes", .group = Group::kMemory, .rows = kRows, .collect = &Collect};

}  // namespace ascend

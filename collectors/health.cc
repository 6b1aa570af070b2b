#include "collectors/health.h"

#include "collectors/all.h"

namespace ascend {
namespace {

constexpr auto kRows = RowsFor(State<&HealthReading::state>(
    {.name = "ascend_npu_health_state",
     .help = "Health of the chip as its driver judges it: 1 for the current state.",
     .zh = "驱动判断的芯片健康状态：当前状态为 1，其余为 0。",
     .source = {.dcmi = "dcmi_get_device_health", .tool = "npu-smi info, npu-smi info -t health"}},
    "state", kHealthNames));

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const absl::StatusOr<HealthReading> reading = driver.ReadHealth(address);
  if (!reading.ok()) return reading.status();
  if (reading->lost) sink.ReportLost();
  Emit(&*reading, reading->refused, kRows, sink);
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kHealthCollector = {.name = "health",
                                        .topic = Topic::kState,
                                        .group = Group::kHealth,
                                        .rows = kRows,
                                        .collect = &Collect};

}  // namespace ascend

#include "collectors/all.h"

namespace ascend {
namespace {

constexpr std::array<std::string_view, 5> kHealthNames = {"ok", "warning", "alarm", "critical",
                                                          "unknown"};

constexpr auto kRows = RowsFor(State<&HealthReading::state>(
    {.name = "ascend_npu_health_state",
     .help = "Health of the chip as its driver judges it: 1 for the current state.",
     .source = "dcmi_get_device_health"},
    "state", kHealthNames));

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const absl::StatusOr<HealthReading> reading = driver.ReadHealth(address);
  if (!reading.ok()) return reading.status();
  if (reading->lost) sink.ReportLost();
  Emit(&*reading, reading->refused, kRows, sink);
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kHealthCollector = {
    .name = "health", .group = Group::kHealth, .rows = kRows, .collect = &Collect};

}  // namespace ascend

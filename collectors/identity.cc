#include "collectors/all.h"

namespace ascend {
namespace {

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const absl::StatusOr<DeviceIdentity> identity = driver.ReadIdentity(address);
  if (!identity.ok()) return identity.status();
  sink.Identify(*identity);
  return absl::OkStatus();
}

}  // namespace

// Feeds ascend_npu_info, whose labels the layout of the page makes.
constexpr Collector kIdentityCollector = {.name = "identity",
                                          .topic = Topic::kState,
                                          .group = Group::kIdentity,
                                          .rows = {},
                                          .collect = &Collect};

}  // namespace ascend

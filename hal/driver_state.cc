#include "hal/driver_state.h"

#include <string>

#include "absl/strings/cord.h"

namespace ascend {
namespace {
constexpr char kPayload[] = "ascend/driver_state";
}

absl::Status DriverError(DriverState state, std::string_view message) {
  absl::Status status(absl::StatusCode::kFailedPrecondition,
                      absl::string_view(message.data(), message.size()));
  status.SetPayload(kPayload, absl::Cord(std::string(1, static_cast<char>(state))));
  return status;
}

DriverState StateOf(const absl::Status& status) {
  if (status.ok()) return DriverState::kOk;
  const auto payload = status.GetPayload(kPayload);
  if (!payload || payload->size() != 1) return DriverState::kInitFailed;
  return static_cast<DriverState>(std::string(*payload)[0]);
}

}  // namespace ascend

// Settings that a process inherits as an open file.
#pragma once

#include "absl/status/statusor.h"
#include "exporter/settings/settings.h"

namespace ascend {

// Reads packed settings from the beginning of a file that is open as `fd`, and closes it.
absl::StatusOr<Settings> ReadPackedSettings(int fd);

}  // namespace ascend

// The file of --config.file.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace ascend {

// The whole text of the file at `path`. Errors are one line and begin with `path`.
absl::StatusOr<std::string> ReadConfigFile(const std::string& path);

}  // namespace ascend

// Whether only root can have written a file that is about to be run as root.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace ascend {

// The path with its links resolved. kPermissionDenied, with what was found ("STEP is owned by uid 7
// and has mode 0777"), where the file, a folder above it or a link on the way is not root's, or may
// be written by group or others. Blocks on the file system only.
absl::StatusOr<std::string> ResolveTrusted(const std::string& path);

}  // namespace ascend

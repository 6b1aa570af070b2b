// Whether only root can have written a file that is about to be loaded into this process.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace ascend::dcmi {

// The path with its links resolved. kLibraryRejected, naming what was found (path, uid, mode),
// where the file, a folder above it or a link on the way is not root's, or may be written by group
// or others. Blocks on the file system only.
absl::StatusOr<std::string> ResolveTrusted(const std::string& path);

}  // namespace ascend::dcmi

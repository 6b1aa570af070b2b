// Where the tool is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend::npu_smi {

// The paths to look at when none is given, in order, each once: npu-smi in /usr/local/sbin,
// /usr/local/bin, /usr/sbin, /usr/bin and the absolute folders of `search_path` (the value of
// PATH).
std::vector<std::string> ToolCandidates(std::string_view search_path);

// `path` if it is not empty, else the first candidate that is an executable file and, where
// `roots_only`, that nobody but root can have written (hal/trusted_path.h). kToolNotFound with
// every path tried if there is none.
absl::StatusOr<std::string> LocateTool(const std::string& path,
                                       std::span<const std::string> candidates, bool roots_only);

}  // namespace ascend::npu_smi

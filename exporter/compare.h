// `ascend-exporter compare`: a running npu-exporter's page held against this program's.
#pragma once

#include <string>

#include "exporter/settings/settings.h"

namespace ascend {

// Reads both pages and prints every difference. Returns the exit status of the process: 0 if all
// are explained, 1 if not, 2 if a page could not be read.
int ComparePrograms(const Invocation& invocation);

// The address by which this host reaches `path` of what listens on `listen_address`.
std::string LocalUrl(const std::string& listen_address, const std::string& path);

}  // namespace ascend

// Settings as bytes, for a process that has neither the command line nor the file, nor their
// parsers.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "exporter/settings/settings.h"

namespace ascend {

// Texts that each end in NUL: how many pairs follow, then a flag and its value for every setting
// (several pairs for a list). Without --config.file, whose content has been laid over already.
std::string PackSettings(const Settings& settings);

// Reads what PackSettings of the same version wrote, and checks every value as the command line
// does. An error is one line, begins with "packed settings" and names the flag if there is one.
absl::StatusOr<Settings> UnpackSettings(std::string_view packed);

}  // namespace ascend

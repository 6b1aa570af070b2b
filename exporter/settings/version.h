// Which build this is.
#pragma once

#include <string_view>

namespace ascend {

std::string_view ReleaseVersion();  // "0.1.0"
std::string_view BuildRevision();   // the commit; "unknown" where the build was not told

}  // namespace ascend

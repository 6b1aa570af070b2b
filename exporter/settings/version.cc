#include "exporter/settings/version.h"

// The build may define both.
#ifndef ASCEND_VERSION
#define ASCEND_VERSION "0.1.0"
#endif
#ifndef ASCEND_REVISION
#define ASCEND_REVISION "unknown"
#endif

namespace ascend {

std::string_view ReleaseVersion() { return ASCEND_VERSION; }
std::string_view BuildRevision() { return ASCEND_REVISION; }

}  // namespace ascend

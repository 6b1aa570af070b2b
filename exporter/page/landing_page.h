// The page at "/": links, and the node at a glance for whoever opens it in a browser.
#pragma once

#include <string>
#include <string_view>

#include "exporter/page/snapshot.h"

namespace ascend {

// `snapshot` may be null: nothing is known yet.
std::string LandingPage(const Catalog& catalog, const Snapshot* snapshot,
                        std::string_view telemetry_path, std::string_view version);

}  // namespace ascend

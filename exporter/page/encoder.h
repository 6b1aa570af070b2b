// A snapshot as text.
#pragma once

#include <string>

#include "exporter/page/snapshot.h"

namespace ascend {

// Appends the page in the Prometheus text format 0.0.4. Equal snapshots give equal bytes.
void EncodeText(const Snapshot& snapshot, std::string& out);

}  // namespace ascend

// The matrix of `npu-smi info -t topo`: how each chip reaches each other one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hal/link_readings.h"
#include "hal/npu_smi/unknown_lines.h"

namespace ascend::npu_smi {

struct TopologyCell {
  std::int32_t from = 0;  // numbers of the labels
  std::int32_t to = 0;
  std::optional<LinkPath> path;  // absent: "NA" or a word that is not the tool's
  friend bool operator==(const TopologyCell&, const TopologyCell&) = default;
};

struct TopologyRow {
  std::int32_t label = 0;
  std::string cpu_affinity;  // "0-23" or "0-63,128-191"; empty where it is not printed
  friend bool operator==(const TopologyRow&, const TopologyRow&) = default;
};

// Labels are "NPU<id>" or, on A3, "Phy-ID<physical id>"; they need not begin at 0. Columns and rows
// of network cards ("NIC0") are understood and left out.
struct TopologyMatrix {
  bool physical = false;  // the labels are physical ids
  std::vector<TopologyRow> rows;
  std::vector<TopologyCell> cells;  // without the diagonal
  UnknownLines unknown;
};

// Never fails. A row with more or fewer cells than there are columns, or with another cell than its
// own as "X", gives no cells.
TopologyMatrix ParseTopology(std::string_view text);

}  // namespace ascend::npu_smi

// How many series a device has: printed in METRICS.md, and counted by a test on the simulated
// machine of each kind.
#pragma once

#include <array>
#include <string_view>

namespace ascend {

struct SeriesCount {
  std::string_view machine;  // of the simulation
  std::string_view chips;    // in words of the document
  int by_default, all;       // collectors: those that run by default, every one
};

// Of the first device, healthy and idle, its card included.
inline constexpr std::array<SeriesCount, 4> kSeriesCounts = {{
    {"4x310p", "310P", 92, 107},
    {"8x910b", "910B", 210, 308},
    {"16x910c", "910C", 219, 323},
    {"8x950", "950", 870, 1002},
}};

}  // namespace ascend

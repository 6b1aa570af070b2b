// Numbers as Prometheus reads them back: the shortest text that gives the same double.
#pragma once

#include <cstddef>

namespace ascend {

inline constexpr std::size_t kMaxNumberSize = 32;

// Writes `value` at `out`, which has room for kMaxNumberSize characters; returns the end. Ignores
// the locale.
char* WriteNumber(char* out, double value);

}  // namespace ascend

// As the hardware reports them: whole degrees, tenths of watts, whole percent, whole MiB.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "hal/sim/chip.h"

namespace ascend::sim {

// To the `parts`-th parts of one.
inline double RoundToParts(double value, double parts) { return std::round(value * parts) / parts; }
inline Celsius Whole(Celsius value) { return {std::round(value.value)}; }
inline Watts Tenths(Watts value) { return {std::round(value.value * 10) / 10}; }
inline Ratio WholePercent(double ratio) {
  return Percent(std::clamp(std::round(ratio * 100), 0.0, 100.0));
}
inline Bytes WholeMiB(double bytes) { return MiB(std::floor(bytes / MiB(1).value)); }

// Fills a value that the chip reports.
template <typename T>
void Fill(std::optional<T>& field, T value) {
  if (field) field = value;
}

}  // namespace ascend::sim

// What a value can be on any chip; outside of it the driver's answer is no measurement.
#pragma once

#include <array>
#include <string_view>

#include "hal/units.h"

namespace ascend {

struct PhysicalRange {
  double least, most;
};

struct UnitRange {
  Unit unit;
  std::string_view name;
  PhysicalRange range;
};

// The one table of ranges; Emit applies it to every value. Both ends are allowed.
inline constexpr std::array<UnitRange, 10> kPhysicalRanges = {{
    {Unit::kCelsius, "degrees Celsius", {-55, 200}},
    {Unit::kRatio, "ratios", {0, 1}},
    {Unit::kWatts, "watts", {0, 100e3}},
    {Unit::kVolts, "volts", {0, 100}},
    {Unit::kHertz, "hertz", {0, 20e9}},
    {Unit::kBytes, "bytes", {0, 0x1p53}},
    {Unit::kBytesPerSecond, "bytes per second", {0, 100e12}},
    {Unit::kTransfersPerSecond, "transfers per second", {0, 1e12}},
    {Unit::kRpm, "revolutions per minute", {0, 100e3}},
    {Unit::kSeconds, "seconds", {0, 1e12}},
}};
inline constexpr PhysicalRange kCountRange = {0, 0x1p63};  // counts, flags, times
// Of counters in any unit: the bytes of a fast link pass 2^53 within days.
inline constexpr PhysicalRange kCounterRange = {0, 0x1p70};

PhysicalRange RangeOf(Unit unit);

// Whether a sample of the row can have the value.
struct Row;
bool IsPlausible(double value, const Row& row);

}  // namespace ascend

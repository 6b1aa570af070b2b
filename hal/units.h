// Physical quantities. A value that left hal/ carries its unit in its type, always in SI.
#pragma once

#include <compare>
#include <cstdint>

namespace ascend {

enum class Unit : std::uint8_t {
  kNone,  // a count or a flag
  kBytes,
  kCelsius,
  kRatio,  // 0 to 1
  kSeconds,
  kTimestamp,  // seconds since the Unix epoch
  kWatts,
  kJoules,
  kVolts,
  kHertz,
  kBytesPerSecond,
  kTransfersPerSecond,  // of a serial link, per lane
  kRpm,
};

template <Unit U>
struct Quantity {
  static constexpr Unit kUnit = U;
  double value = 0;
  friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;
};

using Count = Quantity<Unit::kNone>;
using Bytes = Quantity<Unit::kBytes>;
using Celsius = Quantity<Unit::kCelsius>;
using Ratio = Quantity<Unit::kRatio>;
using Watts = Quantity<Unit::kWatts>;
using Volts = Quantity<Unit::kVolts>;
using Hertz = Quantity<Unit::kHertz>;
using BytesPerSecond = Quantity<Unit::kBytesPerSecond>;
using TransfersPerSecond = Quantity<Unit::kTransfersPerSecond>;
using Rpm = Quantity<Unit::kRpm>;

}  // namespace ascend

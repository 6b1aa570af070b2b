// What a number of the tools can be. Beyond that it is a sentinel of the driver (0x7ffd, all ones,
// ...) that the tool printed as a number.
#pragma once

#include <cstdint>
#include <optional>

#include "hal/readings.h"
#include "hal/units.h"

namespace ascend::npu_smi {

inline constexpr double kMaxPowerWatts = 3000;
inline constexpr double kMinTemperatureCelsius = -100;
inline constexpr double kMaxTemperatureCelsius = 250;
inline constexpr double kMaxPercent = 100;
inline constexpr std::uint64_t kMaxMegabytes = 1U << 26;  // 64 TiB
inline constexpr double kMaxMegahertz = 100'000;

inline constexpr double kBytesPerMegabyte = 1 << 20;  // the "MB" of npu-smi: 32 GiB are 32768

// Converts numbers as the tools print them; what cannot be is absent and counted in `refused`.
class Plausible {
 public:
  explicit Plausible(Refused& refused) : refused_(refused) {}

  std::optional<Ratio> Percent(std::optional<double> percent) {
    const auto in_range = Within<Ratio>(percent, 0, kMaxPercent, 1);
    return in_range ? std::optional(Ratio{in_range->value / kMaxPercent}) : std::nullopt;
  }
  std::optional<Celsius> Temperature(std::optional<double> celsius) {
    return Within<Celsius>(celsius, kMinTemperatureCelsius, kMaxTemperatureCelsius, 1);
  }
  // A power of 0 is what a failed query leaves.
  std::optional<Watts> Power(std::optional<double> watts) {
    return watts == 0.0 ? Refuse<Watts>() : Within<Watts>(watts, 0, kMaxPowerWatts, 1);
  }
  // A clock of 0 is printed for memory that the chip has not.
  std::optional<Hertz> Clock(std::optional<double> megahertz) {
    if (megahertz == 0.0) return std::nullopt;
    return Within<Hertz>(megahertz, 0, kMaxMegahertz, 1e6);
  }
  // All ones, of 32 or 64 bits, is no count.
  std::optional<Count> Number(std::optional<double> count) {
    constexpr double kMostBelow64Bits = 18446744073709549568.0;
    return count == double{UINT32_MAX} ? Refuse<Count>()
                                       : Within<Count>(count, 0, kMostBelow64Bits, 1);
  }

 private:
  template <class Q>
  std::optional<Q> Refuse() {
    ++refused_.sentinel;
    return std::nullopt;
  }
  template <class Q>
  std::optional<Q> Within(std::optional<double> value, double least, double most, double scale) {
    if (!value) return std::nullopt;
    if (*value < least || *value > most) return Refuse<Q>();
    return Q{*value * scale};
  }

  Refused& refused_;
};

}  // namespace ascend::npu_smi

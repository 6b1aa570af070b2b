// Decimal numbers with another unit.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace ascend::npu_smi {

// `value` times ten to the power of `exponent`, exactly as if its decimal digits had been printed
// with the point elsewhere: 0.9095 milliwatts are 0.0009095 watts, not the number next to it.
inline double ShiftPoint(double value, int exponent) {
  std::array<char, 64> text;
  constexpr std::size_t kRoomForExponent = 8;
  auto written = std::to_chars(text.begin(), text.end() - kRoomForExponent, value,
                               std::chars_format::scientific);
  const std::string_view digits(text.begin(), static_cast<std::size_t>(written.ptr - text.begin()));
  const std::size_t e = digits.find('e');
  if (e == std::string_view::npos) return value;
  int own = 0;
  const std::size_t sign = digits[e + 1] == '+' ? 2 : 1;
  std::from_chars(digits.begin() + e + sign, digits.end(), own);
  written = std::to_chars(text.begin() + e + 1, text.end(), own + exponent);
  double shifted = value;
  std::from_chars(text.begin(), written.ptr, shifted);
  return shifted;
}

}  // namespace ascend::npu_smi

#include "exporter/page/number.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ascend {
namespace {

// Below it every integer is a double.
constexpr double kExact = 0x1p53;
constexpr double kLeastPlain = 1e-6;

// Prints `scaled` / 10^digits. Most values that a driver gives are decimals with few digits: as an
// integer with a point they cost a fraction of a general conversion.
char* WriteDecimal(char* out, std::int64_t scaled, int digits) {
  char* end = std::to_chars(out, out + kMaxNumberSize, scaled).ptr;
  const char* first = *out == '-' ? out + 1 : out;
  const auto size = static_cast<std::size_t>(end - first);
  const auto places = static_cast<std::size_t>(digits);
  if (size <= places) {  // 0.05: the leading zeros are not in the integer
    char* start = out + (first - out);
    const std::size_t pad = places + 1 - size;
    std::memmove(start + pad, start, size);
    std::memset(start, '0', pad);
    end += pad;
  }
  std::memmove(end - places + 1, end - places, places);
  *(end - places) = '.';
  return end + 1;
}

char* WriteSpecial(char* out, double value) {
  const char* text = std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  const std::size_t size = std::strlen(text);
  std::memcpy(out, text, size);
  return out + size;
}

}  // namespace

char* WriteNumber(char* out, double value) {
  if (!std::isfinite(value)) return WriteSpecial(out, value);
  if (std::fabs(value) < kExact) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) {
      return std::to_chars(out, out + kMaxNumberSize, whole).ptr;
    }
    double scale = 1;
    for (int digits = 1; digits <= 3; ++digits) {
      scale *= 10;
      const double scaled = value * scale;
      if (std::fabs(scaled) >= kExact) break;
      const auto rounded = static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
      // The quotient of two exact doubles is the double nearest to the decimal: equal means exact.
      if (static_cast<double>(rounded) / scale == value) return WriteDecimal(out, rounded, digits);
    }
  }
  // Small powers and bounds of histograms read better without an exponent.
  const bool plain = std::fabs(value) >= kLeastPlain && std::fabs(value) < kExact;
  if (plain) return std::to_chars(out, out + kMaxNumberSize, value, std::chars_format::fixed).ptr;
  return std::to_chars(out, out + kMaxNumberSize, value).ptr;
}

}  // namespace ascend

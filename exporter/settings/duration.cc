#include "exporter/settings/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "exporter/settings/quoted.h"

namespace ascend {
namespace {

using std::chrono::nanoseconds;

struct TimeUnit {
  std::string_view name;
  nanoseconds length;
};

constexpr std::array kUnits = {
    TimeUnit{"d", std::chrono::hours(24)},        TimeUnit{"h", std::chrono::hours(1)},
    TimeUnit{"m", std::chrono::minutes(1)},       TimeUnit{"s", std::chrono::seconds(1)},
    TimeUnit{"ms", std::chrono::milliseconds(1)},
};

// Far above every bound, far below what nanoseconds can hold.
constexpr double kMostNanoseconds = 9e18;

absl::Status Malformed(const std::string& text, std::string_view problem) {
  return absl::InvalidArgumentError(
      fmt::format("{} {}; write a duration such as 250ms, 1s or 5m", Quoted(text), problem));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads "1" or "1.5"; digits are needed on both sides of the point.
bool ParseDecimal(std::string_view text, double& value) {
  if (text.empty() || !IsDigit(text.front()) || !IsDigit(text.back())) return false;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

absl::StatusOr<nanoseconds> ParseDuration(const std::string& text, const DurationBounds& bounds) {
  const std::string_view view = text;
  const std::size_t number_length = std::min(view.find_first_not_of("0123456789."), view.size());
  const std::string_view unit_name = view.substr(number_length);
  double number = 0;
  if (!ParseDecimal(view.substr(0, number_length), number)) {
    return Malformed(text, "is not a duration");
  }
  if (unit_name.empty()) return Malformed(text, "has no unit");
  const auto* unit = std::find_if(kUnits.begin(), kUnits.end(),
                                  [&](const TimeUnit& known) { return known.name == unit_name; });
  if (unit == kUnits.end()) return Malformed(text, "has no known unit (ms, s, m, h, d)");

  const double length = number * static_cast<double>(unit->length.count());
  const nanoseconds duration(length < kMostNanoseconds ? std::llround(length)
                                                       : std::llround(kMostNanoseconds));
  if (duration < bounds.least) {
    return absl::InvalidArgumentError(
        fmt::format("{} is below the least, {}", text, FormatDuration(bounds.least)));
  }
  if (duration > bounds.most) {
    return absl::InvalidArgumentError(
        fmt::format("{} is above the most, {}", text, FormatDuration(bounds.most)));
  }
  return duration;
}

std::string FormatDuration(nanoseconds duration) {
  for (const TimeUnit& unit : kUnits) {
    if (duration >= unit.length && duration % unit.length == nanoseconds(0)) {
      return fmt::format("{}{}", duration / unit.length, unit.name);
    }
  }
  return fmt::format("{}ms", std::chrono::round<std::chrono::milliseconds>(duration).count());
}

}  // namespace ascend

#include "exporter/compat/value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace ascend {
namespace {

constexpr int kDigitsBehindFirst = 14;
constexpr double kMilliwatts = 1000;
constexpr double kDecibelSteps = 1e6;  // a millionth of a dBm
constexpr double kProfilingMilliseconds = 100;

using Parts = std::vector<CompatPlan::Part>;

std::optional<double> First(const Parts& parts, Values values) {
  for (const CompatPlan::Part& part : parts) {
    if (values[part.value]) return values[part.value];
  }
  return std::nullopt;
}

std::optional<double> Sum(const Parts& parts, Values values) {
  std::optional<double> sum;
  for (const CompatPlan::Part& part : parts) {
    if (values[part.value]) sum = sum.value_or(0) + *values[part.value];
  }
  return sum;
}

// The meaning of the part that is set and has `place` set ones before it.
std::optional<double> SetPart(const Parts& parts, std::size_t place, Values values) {
  for (const CompatPlan::Part& part : parts) {
    if (values[part.value].value_or(0) > 0 && place-- == 0) return part.meaning;
  }
  return std::nullopt;
}

std::optional<double> CountKnown(const Parts& parts, Values values) {
  const auto count = std::ranges::count_if(
      parts, [&](const auto& part) { return values[part.value].has_value(); });
  return count == 0 ? std::nullopt : std::optional(static_cast<double>(count));
}

std::optional<double> CountMeanings(const Parts& parts, Values values) {
  std::set<double> meanings;
  for (const CompatPlan::Part& part : parts) {
    if (values[part.value]) meanings.insert(part.meaning);
  }
  return meanings.empty() ? std::nullopt : std::optional(static_cast<double>(meanings.size()));
}

std::optional<double> Decibels(std::optional<double> watts) {
  if (!watts || *watts <= 0) return std::nullopt;
  return std::round(10 * std::log10(*watts * kMilliwatts) * kDecibelSteps) / kDecibelSteps;
}

std::optional<double> Scaled(std::optional<double> value, const Scale& scale) {
  if (!value || (scale.times == 1 && scale.over == 1)) return value;
  return MeantDecimal(*value * scale.times / scale.over);
}

}  // namespace

double MeantDecimal(double value) {
  if (!std::isfinite(value) || value == std::floor(value)) return value;
  std::array<char, 40> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value,
                                  std::chars_format::scientific, kDigitsBehindFirst)
                        .ptr;
  double meant = value;
  std::from_chars(text.data(), end, meant);
  return meant;
}

std::optional<double> VendorValue(const CompatPlan::Family& family,
                                  const CompatPlan::Series& series, Values values) {
  switch (family.rule) {
    case Rule::kValue:
      return Scaled(First(series.parts, values), family.scale);
    case Rule::kSum:
      return Scaled(Sum(series.parts, values), family.scale);
    case Rule::kState:
    case Rule::kFaultCode:
      return SetPart(series.parts, series.place, values);
    case Rule::kDecibels:
      return Decibels(First(series.parts, values));
    case Rule::kCountSeries:
      return CountKnown(series.parts, values);
    case Rule::kCards:
      return CountMeanings(series.parts, values);
    case Rule::kProfilingMs:
      return CountKnown(series.parts, values) ? std::optional(kProfilingMilliseconds)
                                              : std::nullopt;
    case Rule::kOne:
      return 1;
    case Rule::kNone:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace ascend

#include "exporter/compat/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "exporter/page/number.h"

namespace ascend {
namespace {

// Of two steps between 32-bit floats.
constexpr double kFloatStep = 2.4e-7;

struct Tolerance {
  double absolute = 0, relative = 0;
};

Tolerance ToleranceOf(Motion motion) {
  switch (motion) {
    case Motion::kFixed:
      return {};
    case Motion::kEvents:
      return {10, 0.01};
    case Motion::kTraffic:
      return {1000, 0.1};
    case Motion::kHeat:
      return {10, 0};
    case Motion::kDrifts:
      return {0, 0.25};
    case Motion::kLoad:
      return {HUGE_VAL, 0};
  }
  return {};
}

bool IsTheirFloat(double there, double here) {
  return static_cast<double>(static_cast<float>(there)) == there &&
         std::fabs(there - here) <= kFloatStep * std::fabs(here);
}

// What the driver's words for "no value" become in the npu-exporter's units: 0x7ffd and 0x7fff, in
// ones, tenths and hundredths, and all ones.
bool IsSentinel(double value) {
  for (double raw : {32765.0, 32767.0}) {
    for (double scale : {1.0, 0.1, 0.01}) {
      if (std::fabs(value - raw * scale) <= kFloatStep * value) return true;
    }
  }
  return value == 4294967295.0 || value >= 18446744073709551615.0;
}

bool CanBeMinusOne(const VendorName* row) {
  return row != nullptr && (row->motion == Motion::kHeat || row->rule == Rule::kDecibels);
}

// Words for a value there that is none; empty if it is one.
std::string_view NoValue(const VendorName* row, double there) {
  if (there == -1 && !CanBeMinusOne(row))
    return "-1 is the npu-exporter's word for a reading that failed";
  if (std::isnan(there)) return "NaN is no value";
  if (IsSentinel(there)) return "this is how the driver says that it has no value";
  return "";
}

bool IsLegacyName(std::string_view name) {
  for (int number = 0; number < 2; ++number) {
    const std::size_t bar = name.rfind('_');
    if (bar == std::string_view::npos || bar + 1 == name.size()) return false;
    const std::string_view digits = name.substr(bar + 1);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
    name = name.substr(0, bar);
  }
  const VendorName* row = FindVendorName(name, true);
  return row != nullptr && row->ports != Ports::kNone;
}

Explanation ExplainUnknownName(const std::string& name) {
  for (std::string_view prefix : {"go_", "process_", "promhttp_"}) {
    if (name.starts_with(prefix)) return {true, "it is of the npu-exporter's own process"};
  }
  if (IsLegacyName(name)) {
    return {true,
            "a name of -enableLegacyMetrics; the series with the labels udie and port is the same"};
  }
  return {false, "a name that the table of names does not have"};
}

// Words for what is never here; empty if it should be.
std::string NeverHere(const VendorName& row, const SeriesName& series, bool here_has_name) {
  if (row.rule == Rule::kNone) return std::string(row.note.english);
  if (row.shape == Shape::kOfPod) return "which pod holds which chip is not told yet";
  if (row.shape == Shape::kPcie && series.Label("pcie_bw_type") != "avgPcieBw") {
    return "extremes over the time of one call are not served, the mean is";
  }
  if (!row.collector.empty() && !here_has_name) {
    return fmt::format("off here until --collectors.enable={}", row.collector);
  }
  if (row.shape == Shape::kSerial && series.Label("serial_number") == "NA") {
    return "NA is the npu-exporter's word for a reading that failed";
  }
  return "";
}

}  // namespace

Explanation ExplainValues(const VendorName* row, double there, double here) {
  if (row == nullptr) return {false, ""};
  if (IsTheirFloat(there, here)) return {true, "their 32-bit float"};
  if (const std::string_view words = NoValue(row, there); !words.empty()) {
    return {true, std::string(words)};
  }
  if (row->family.starts_with("ascend_npu_sio_") && there < 65536 && here >= 65536) {
    return {true, "a counter of 16 bits that began again at 0 there"};
  }
  const Tolerance tolerance = ToleranceOf(row->motion);
  const double most = std::max(std::fabs(there), std::fabs(here));
  const bool near =
      std::fabs(there - here) <= std::max(tolerance.absolute, tolerance.relative * most);
  if (near) return {true, fmt::format("it moves; {} tolerated", ToleranceText(row->motion))};
  return {false, row->motion == Motion::kFixed
                     ? "they should be the same"
                     : fmt::format("more apart than the {} tolerated", ToleranceText(row->motion))};
}

Explanation ExplainOnlyThere(const VendorName* row, const PageSample& sample, bool here_has_name) {
  if (row == nullptr) return ExplainUnknownName(sample.series.name);
  if (const std::string_view words = NoValue(row, sample.value); !words.empty()) {
    return {true, std::string(words)};
  }
  if (std::string words = NeverHere(*row, sample.series, here_has_name); !words.empty()) {
    return {true, std::move(words)};
  }
  if (row->failure == Failure::kZero && sample.value == 0) {
    return {true, "0 is also the npu-exporter's word for a reading that failed"};
  }
  if (row->failure == Failure::kLastValue) {
    return {true, "the npu-exporter keeps the last value for ever where a reading fails"};
  }
  return {false, "this program should have it"};
}

Explanation ExplainOnlyHere(const VendorName& row, double here) {
  if (row.motion == Motion::kHeat && here == -1) return {true, "the npu-exporter drops -1 °C"};
  return {true, "the npu-exporter shows nothing where its reading fails or its group is off"};
}

Explanation ExplainLabel(std::string_view label, std::string_view there, std::string_view here) {
  if (label == "exporterVersion") return {true, "they are two programs"};
  if (label == "serial_number" && there == "NA") {
    return {true, "NA is the npu-exporter's word for a reading that failed"};
  }
  if (label == "model_name") {
    const std::string_view chip = here.substr(0, here.find("-Ascend-V1"));
    if (!chip.empty() && there.starts_with(chip) && there.substr(chip.size()).starts_with('-')) {
      return {true, "type and version are assumed here, not read"};
    }
  }
  if (label == "product_type") return {true, "here it is of the card's electronic label"};
  return {false, "they should be the same"};
}

std::string NumberText(double value) {
  std::array<char, kMaxNumberSize> text;
  return {text.data(), WriteNumber(text.data(), value)};
}

std::string ToleranceText(Motion motion) {
  const Tolerance tolerance = ToleranceOf(motion);
  if (motion == Motion::kLoad) return "any value is";
  if (tolerance.absolute == 0) return fmt::format("{:g} % are", tolerance.relative * 100);
  if (tolerance.relative == 0) return fmt::format("{:g} are", tolerance.absolute);
  return fmt::format("{:g} or {:g} % are", tolerance.absolute, tolerance.relative * 100);
}

}  // namespace ascend

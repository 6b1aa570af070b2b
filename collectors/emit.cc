#include <cmath>

#include "collectors/collector.h"

namespace ascend {
namespace {

struct Range {
  double least, most;
};

// What a value of the unit can be on any chip; outside of it the driver's answer is no measurement.
constexpr Range PhysicalRange(Unit unit) {
  switch (unit) {
    case Unit::kCelsius:
      return {-55, 200};
    case Unit::kRatio:
      return {0, 1};
    case Unit::kWatts:
      return {0, 100e3};
    case Unit::kBytes:
      return {0, 0x1p53};
    default:
      return {0, 0x1p63};
  }
}

// Integrals carry the unit of what is integrated.
constexpr Unit SampledUnit(const Row& row) {
  if (row.kind != Kind::kIntegral) return row.unit;
  return row.unit == Unit::kJoules ? Unit::kWatts : Unit::kRatio;
}

bool Plausible(double value, const Row& row) {
  const Range range = PhysicalRange(SampledUnit(row));
  return std::isfinite(value) && value >= range.least && value <= range.most;
}

}  // namespace

void Emit(const void* reading, const Refused& refused, std::span<const Row> rows, Sink& sink) {
  if (refused.sentinel > 0) sink.Reject(RejectReason::kSentinel, refused.sentinel);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if ((row.spec.needs & ~sink.traits()) != 0 || row.get == nullptr) continue;
    const std::optional<double> value = row.get(reading);
    if (!value) continue;
    if (Plausible(*value, row)) {
      sink.Put(i, *value);
    } else if (row.kind != Kind::kIntegral) {  // the gauge beside it has counted it already
      sink.Reject(RejectReason::kOutOfRange);
    }
  }
}

}  // namespace ascend

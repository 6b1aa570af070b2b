#include <array>
#include <cmath>

#include "collectors/collector.h"
#include "collectors/ranges.h"

namespace ascend {
namespace {

// Integrals carry the unit of what is integrated.
constexpr Unit SampledUnit(const Row& row) {
  if (row.kind != Kind::kIntegral) return row.unit;
  return row.unit == Unit::kJoules ? Unit::kWatts : Unit::kRatio;
}

void EmitOne(std::size_t index, const Row& row, const void* reading, std::optional<double> value,
             std::uint32_t key, Sink& sink) {
  if (!value) return;
  if (IsPlausible(*value, row)) {
    sink.PutWrapping(index, *value, key, row.range == nullptr ? 0 : row.range(reading));
  } else if (row.kind != Kind::kIntegral && !row.is_window()) {
    sink.Reject(RejectReason::kOutOfRange);  // for the others, the gauge beside them counts
  }
}

}  // namespace

bool IsPlausible(double value, const Row& row) {
  const PhysicalRange range =
      row.kind == Kind::kCounter ? kCounterRange : RangeOf(SampledUnit(row));
  return std::isfinite(value) && value >= range.least && value <= range.most;
}

PhysicalRange RangeOf(Unit unit) {
  for (const UnitRange& entry : kPhysicalRanges) {
    if (entry.unit == unit) return entry.range;
  }
  return kCountRange;
}

void Emit(const void* reading, const Refused& refused, std::span<const Row> rows, Sink& sink) {
  if (refused.sentinel > 0) sink.Reject(RejectReason::kSentinel, refused.sentinel);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if ((row.spec.needs & ~sink.traits()) != 0) continue;
    if (row.get != nullptr) EmitOne(i, row, reading, row.get(reading), 0, sink);
    if (row.elements.count == nullptr) continue;
    for (std::size_t e = 0; e < row.elements.count(reading); ++e) {
      EmitOne(i, row, reading, row.elements.get(reading, e), row.elements.key(reading, e), sink);
    }
  }
}

}  // namespace ascend

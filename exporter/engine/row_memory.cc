#include "exporter/engine/row_memory.h"

#include <algorithm>

namespace ascend {
namespace {

// A counter that falls from its last quarter into its first has wrapped. Any other fall is a reset:
// of the chip, or of the driver. A reset looks like a wrap if the counter stood in its
// last quarter by chance; a wrap may look like a reset once a quarter of the range passes between
// two samples.
constexpr double kLastQuarter = 0.75;
constexpr double kFirstQuarter = 0.25;
// Far more than a chip has; who tells of more is not to be believed, nor to be remembered.
constexpr std::size_t kMostCounters = 8192;

}  // namespace

RowMemory::RowMemory(const Catalog& catalog, nanoseconds window)
    : catalog_(catalog), bucket_ns_(std::max<std::int64_t>(1, window.count() / (kBuckets - 1))) {
  for (const CatalogRow& row : catalog.rows()) {
    if (row.row->is_window()) {
      place_.push_back(static_cast<std::uint16_t>(windows_.size()));
      windows_.emplace_back();
    } else {
      place_.push_back(static_cast<std::uint16_t>(integrals_.size()));
      if (row.row->kind == Kind::kIntegral) integrals_.emplace_back();
    }
  }
}

void RowMemory::Apply(std::span<Sample> samples, std::span<const WrappingSample> wrapping,
                      std::int64_t now_ns, nanoseconds most_gap) {
  for (const WrappingSample& wrap : wrapping) {
    Sample& sample = samples[wrap.sample];
    if (sample.row >= place_.size()) continue;
    if (catalog_.rows()[sample.row].row->kind != Kind::kCounter) continue;
    const std::pair key(sample.row, sample.key);
    if (counters_.size() == kMostCounters && !counters_.contains(key)) continue;
    sample.value = Unwrap(counters_[key], sample.value, wrap.range);
  }
  for (Sample& sample : samples) {
    if (sample.row >= place_.size()) continue;
    const Row& row = *catalog_.rows()[sample.row].row;
    const std::size_t place = place_[sample.row];
    if (row.kind == Kind::kIntegral) {
      sample.value = Integrate(integrals_[place], sample.value, now_ns, most_gap);
    } else if (row.is_window()) {
      sample.value = Extreme(windows_[place], row.kind, sample.value, now_ns);
    }
  }
}

// By the trapezoids between samples. Days of them are summed up without the error that a plain sum
// gathers (Neumaier's method): the result is the nearest double or next to it, and never falls.
double RowMemory::Integrate(Integral& integral, double value, std::int64_t now_ns,
                            nanoseconds most_gap) {
  const std::int64_t passed = now_ns - integral.last_ns;
  if (passed <= 0) return integral.sum + integral.rest;  // it was told of already
  if (integral.last_ns != 0 && passed <= most_gap.count()) {
    const double part = (integral.last_value + value) / 2 * static_cast<double>(passed) / 1e9;
    const double sum = integral.sum + part;
    integral.rest += integral.sum >= part ? integral.sum - sum + part : part - sum + integral.sum;
    integral.sum = sum;
  }
  integral.last_ns = now_ns;
  integral.last_value = value;
  return integral.sum + integral.rest;
}

double RowMemory::Extreme(Window& window, Kind kind, double value, std::int64_t now_ns) const {
  const std::int64_t number = now_ns / bucket_ns_;
  const auto more_extreme = [&](double a, double b) {
    return kind == Kind::kWindowMin ? std::min(a, b) : std::max(a, b);
  };
  Bucket& open = window[static_cast<std::size_t>(number % kBuckets)];
  if (number < open.number) return value;  // older than the window
  open.extreme = open.number == number ? more_extreme(open.extreme, value) : value;
  open.number = number;
  for (const Bucket& bucket : window) {
    const bool in_window = bucket.number >= 0 && bucket.number > number - kBuckets;
    if (in_window) value = more_extreme(value, bucket.extreme);
  }
  return value;
}

double RowMemory::Unwrap(Counter& counter, double value, double range) {
  if (value < counter.last) {
    const bool wrapped = counter.last >= range * kLastQuarter && value < range * kFirstQuarter;
    counter.passed = wrapped ? counter.passed + range : 0;
  }
  counter.last = value;
  return counter.passed + value;
}

void RowMemory::Forget() {
  std::ranges::fill(integrals_, Integral{});
  std::ranges::fill(windows_, Window{});
  counters_.clear();
}

}  // namespace ascend

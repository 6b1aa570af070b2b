// What is remembered of a device between two samples of a row: integrals, extremes of a window, and
// where narrow counters stand.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "collectors/catalog.h"
#include "collectors/sample.h"
#include "hal/clock.h"

namespace ascend {

// One device's memory; publisher thread only. Integrals and windows allocate when it is made,
// counters when a new one is seen.
class RowMemory {
 public:
  RowMemory(const Catalog& catalog, nanoseconds window);

  // Replaces what the driver measured by what is published, in place. Samples of rows
  // that the catalogue lacks are left alone. `now_ns` is when the samples were taken; those older
  // than the last ones add nothing to an integral; a gap of more than `most_gap` is not bridged by
  // an integral, since nobody knows what went on then.
  void Apply(std::span<Sample> samples, std::span<const WrappingSample> wrapping,
             std::int64_t now_ns, nanoseconds most_gap);
  void Forget();

 private:
  struct Integral {
    double sum = 0;
    double rest = 0;  // what rounding has taken from the sum
    double last_value = 0;
    std::int64_t last_ns = 0;  // 0: no sample yet
  };
  // The last 60 buckets that ended and the one that is open.
  static constexpr std::int64_t kBuckets = 61;
  struct Bucket {
    std::int64_t number = -1;  // -1: never used
    double extreme = 0;
  };
  using Window = std::array<Bucket, kBuckets>;
  struct Counter {
    double last = 0;
    double passed = 0;  // what earlier rounds of the driver's counter have counted
  };

  double Integrate(Integral& integral, double value, std::int64_t now_ns, nanoseconds most_gap);
  double Extreme(Window& window, Kind kind, double value, std::int64_t now_ns) const;
  static double Unwrap(Counter& counter, double value, double range);

  const Catalog& catalog_;
  const std::int64_t bucket_ns_;
  std::vector<std::uint16_t> place_;  // by row: in integrals_ or windows_
  std::vector<Integral> integrals_;
  std::vector<Window> windows_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, Counter> counters_;  // by row and key
};

}  // namespace ascend

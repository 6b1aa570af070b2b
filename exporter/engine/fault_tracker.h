// Remembers which faults a device reported, to count how often one begins. Those that are active at
// the first look began at a time that nobody knows: they are remembered and not counted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collectors/faults.h"
#include "collectors/sample.h"

namespace ascend {

// One device's faults. Keeps the newest kMaxFaultCodes codes; allocates only when it is made.
class FaultTracker {
 public:
  FaultTracker();

  // Takes the samples of row `first_row` + kFaultActive, makes each of them 1, and appends those of
  // the other rows of the table to `out`. Returns how many were written.
  std::size_t Update(std::span<Sample> active, std::size_t first_row, double wall_seconds,
                     std::span<Sample> out);

 private:
  struct Seen {
    std::uint32_t code;
    double times;                      // that the driver listed it the last time; 0 once it ended
    std::optional<double> last_began;  // unknown if it was active before anybody looked
  };
  Seen& Remember(std::uint32_t code);

  bool first_ = true;
  std::vector<Seen> seen_;
  std::array<double, kFaultActions> began_{};
};

}  // namespace ascend

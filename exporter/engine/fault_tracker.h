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
  // the rows that it fills to `out`. Returns how many were written.
  std::size_t Update(std::span<Sample> active, std::size_t first_row, double wall_seconds,
                     std::span<Sample> out);
  // Faults that began as the driver tells it by itself, repeats included; counted by the next
  // update. A fault that is listed, too, counts once, whichever of the two is first to tell. Past a
  // thousand at once they are dropped.
  void Tell(std::span<const std::uint32_t> codes);

 private:
  struct Seen {
    std::uint32_t code = 0;
    double times = 0;                    // that the driver listed it the last time; 0 once it ended
    std::optional<double> last_began{};  // unknown if it was active before anybody looked
    // How often it began by the lists, and by events; the greater is how often it began.
    double listed = 0;
    double told = 0;
    bool news = false;  // in this update
  };
  // What was told of one fault in two ways is told by both within two updates: then they agree, and
  // what one of them missed is forgiven.
  void Settle();
  void Count(Seen& seen, double& how_often, double more, double wall_seconds);
  Seen& Remember(std::uint32_t code);

  bool first_ = true;
  std::vector<std::uint32_t> told_;
  std::vector<Seen> seen_;
  std::array<double, kFaultActions> began_{};
};

}  // namespace ascend

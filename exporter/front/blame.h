// Which calls, or openings of a driver, are to be held because hosts ended in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exporter/front/host_events.h"
#include "hal/clock.h"

namespace ascend {

// Remembers each call that was blamed, so its size is bounded by the calls that exist. Not
// thread-safe.
//
// A call that crashed, or was the only one under way when its host ended, is held for 1 min, the
// second time for 10 min, then for ever. Several that were under way are suspects only: those that
// were under way at the previous such end too are held for 1 min, then 10 min each time. An opening
// of a driver is held for 1 min, doubling to 1 h, and begins anew when none was for 1 h.
class Blame {
 public:
  // What to hold after this death. Nothing after SIGKILL and SIGTERM, which come from outside.
  HostActions Judge(const HostDeath& death, Mono now);
  // The opening ended its host or did not return.
  HoldOpening Hold(std::int32_t opening, Mono now);

  [[nodiscard]] std::vector<HoldCall> HeldCalls(Mono now) const;
  [[nodiscard]] std::vector<HoldOpening> HeldOpenings(Mono now) const;
  [[nodiscard]] bool Holds(std::int32_t opening, Mono now) const;
  [[nodiscard]] std::string Describe(Mono now) const;

 private:
  struct CallRecord {
    HostCall call;
    int crashes = 0;
    int suspected = 0;
    Mono until{};
  };
  struct OpeningRecord {
    std::int32_t opening = 0;
    nanoseconds wait{};
    Mono until{};
  };

  HoldCall Hold(const HostCall& call, bool proven, Mono now);
  HostActions HoldSuspects(const std::vector<HostCall>& in_progress, Mono now);

  std::vector<CallRecord> calls_;
  std::vector<OpeningRecord> openings_;
  std::vector<HostCall> suspects_;  // under way at the last unexplained end
};

// SIGKILL or SIGTERM, and no sign of a crash.
bool KilledFromOutside(const HostDeath& death);
// The call that ended the host: the one that crashed, or that was the only one under way. Nothing
// if that was an opening, came from outside, or is not known.
std::optional<HostCall> BlamedCall(const HostDeath& death);

}  // namespace ascend

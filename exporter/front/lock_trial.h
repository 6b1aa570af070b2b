// Which device holds a lock around the whole library while its call hangs. Nobody can see that: all
// devices' calls hang then. So one after the other is held until a host runs well without them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exporter/front/device_patience.h"
#include "exporter/front/host_events.h"
#include "hal/clock.h"

namespace ascend {

struct Lock {
  std::int32_t device = 0;  // most likely the one that holds it
  int waiting = 0;          // devices whose calls are stuck, that one included
};

// Devices whose calls are stuck while no other call has returned since the first one's deadline
// passed, `patience` ago or longer. Calls under way that are not stuck may still return: while
// there are some there is no answer. `check` is lowered to when to ask again if nothing else
// happens.
std::optional<Lock> FindLock(std::span<const DeviceCalls> devices, nanoseconds patience, Mono now,
                             Mono& check);

// A trial lasts from the first suspect until a host that does not call the suspects has done well
// for a time. Then the last one is taken for the holder and stays held, the others are called
// again. When in vain all devices but one were held, that one hangs by itself: it is held and the
// others are tried once more. If that was so twice already, the trial is given up: every device is
// called again, and there is no other trial for 10 min, 20 min, ... 1 h.
//
// Remembers the suspects only. Not thread-safe.
class LockTrial {
 public:
  [[nodiscard]] bool open() const { return open_; }
  [[nodiscard]] Mono given_up_until() const { return given_up_until_; }

  // A host that knows of all holds was locked `took` after it began, or there is no trial. What is
  // to be held, and until when; not later than `now`: no longer. The lock of a single device means
  // that all others are held.
  std::vector<HoldDevice> Suspect(const Lock& lock, nanoseconds took, DevicePatience& patience,
                                  Mono now);
  // Whether the current host knows of all holds, and does well. What is held no longer. `check` is
  // lowered to when to call again if nothing else happens.
  std::vector<HoldDevice> Watch(bool well, DevicePatience& patience, Mono now, Mono& check);
  [[nodiscard]] std::string Describe(Mono now) const;

 private:
  [[nodiscard]] nanoseconds Proof() const;
  std::vector<HoldDevice> GiveUp(DevicePatience& patience, Mono now);
  void Close();

  bool open_ = false;
  std::vector<std::int32_t> suspects_;  // the newest last
  int alone_ = 0;                       // devices that hung when all others were held
  nanoseconds slowest_{};               // the longest that it took a host to be locked
  Mono until_{};                        // when the newest hold ends, and the trial with it
  std::optional<Mono> well_since_;
  Mono given_up_until_{};
  nanoseconds given_up_for_{};
};

}  // namespace ascend

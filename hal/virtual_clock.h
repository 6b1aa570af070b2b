// A clock whose time passes only when every thread that lives by it sleeps: then it jumps to the
// next deadline and wakes the one thread that waits for it. Threads run one at a time, in the order
// of their deadlines and, among equals, of the making of their alarms: the same program does the
// same each run.
#pragma once

#include <condition_variable>
#include <set>

#include "hal/clock.h"
#include "hal/mutex.h"

namespace ascend {

class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(absl::Time start = absl::FromUnixSeconds(1'700'000'000));
  ~VirtualClock() override;

  Mono Now() override;
  absl::Time Wall() override;
  std::unique_ptr<Alarm> MakeAlarm() override;
  std::unique_ptr<Participant> Join() override;

  // Lets virtual time pass. Call it from a thread that is no participant; returns when all that was
  // due by then has been done and every participant sleeps. A participant that blocks elsewhere (a
  // real lock, a real file) holds it up.
  void Advance(nanoseconds by);
  // Returns when all that is due now has been done.
  void Settle() { Advance(nanoseconds(0)); }

 private:
  class VirtualAlarm;
  class Token;
  struct Earlier {
    bool operator()(const VirtualAlarm* a, const VirtualAlarm* b) const;
  };

  // Hands the processor to the next sleeper that is due, if no participant runs.
  void ReleaseNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const absl::Time start_wall_;
  const Mono start_;
  Mutex mutex_;
  std::condition_variable_any settled_;
  Mono now_ ABSL_GUARDED_BY(mutex_);
  Mono limit_ ABSL_GUARDED_BY(mutex_);
  int running_ ABSL_GUARDED_BY(mutex_) = 0;
  int next_order_ ABSL_GUARDED_BY(mutex_) = 0;
  std::set<VirtualAlarm*, Earlier> sleepers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend

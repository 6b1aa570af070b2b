// Waiting on a clock that can be called off for ever.
#pragma once

#include <set>

#include "hal/clock.h"
#include "hal/mutex.h"

namespace ascend::sim {

// Any thread.
class Interruptible {
 public:
  explicit Interruptible(Clock& clock) : clock_(clock) {}

  // Blocks until the deadline. False: Interrupt was called, before or meanwhile.
  bool WaitUntil(Mono deadline);
  // Ends all waits, those to come included.
  void Interrupt();

 private:
  Clock& clock_;
  Mutex mutex_;
  bool interrupted_ ABSL_GUARDED_BY(mutex_) = false;
  std::set<Alarm*> alarms_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend::sim

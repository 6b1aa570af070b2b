#include "hal/sim/interruptible.h"

namespace ascend::sim {

bool Interruptible::WaitUntil(Mono deadline) {
  const auto alarm = clock_.MakeAlarm();
  {
    MutexLock lock(mutex_);
    if (interrupted_) return false;
    alarms_.insert(alarm.get());
  }
  alarm->WaitUntil(deadline);
  MutexLock lock(mutex_);
  alarms_.erase(alarm.get());
  return !interrupted_;
}

void Interruptible::Interrupt() {
  MutexLock lock(mutex_);
  interrupted_ = true;
  for (Alarm* alarm : alarms_) alarm->Ring();
}

}  // namespace ascend::sim

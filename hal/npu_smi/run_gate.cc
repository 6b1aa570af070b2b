#include "hal/npu_smi/run_gate.h"

namespace ascend::npu_smi {

bool RunGate::Enter(SteadyTime give_up) {
  MutexLock lock(mutex_);
  while (free_ == 0 && !interrupted_) {
    if (changed_.wait_until(mutex_, give_up) == std::cv_status::timeout) break;
  }
  if (free_ == 0 || interrupted_) return false;
  --free_;
  return true;
}

void RunGate::Leave() {
  {
    MutexLock lock(mutex_);
    ++free_;
  }
  changed_.notify_one();
}

void RunGate::Interrupt() {
  {
    MutexLock lock(mutex_);
    interrupted_ = true;
  }
  changed_.notify_all();
}

}  // namespace ascend::npu_smi

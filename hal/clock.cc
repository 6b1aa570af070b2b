#include "hal/clock.h"

#include <condition_variable>

#include "absl/time/clock.h"
#include "hal/mutex.h"

namespace ascend {
namespace {

class RealAlarm final : public Alarm {
 public:
  void WaitUntil(Mono deadline) override {
    MutexLock lock(mutex_);
    while (!rung_) {
      if (condition_.wait_until(mutex_, deadline) == std::cv_status::timeout) break;
    }
    rung_ = false;
  }
  void Ring() override {
    {
      MutexLock lock(mutex_);
      rung_ = true;
    }
    condition_.notify_one();
  }

 private:
  Mutex mutex_;
  std::condition_variable_any condition_;
  bool rung_ ABSL_GUARDED_BY(mutex_) = false;
};

class SystemClock final : public Clock {
 public:
  Mono Now() override { return std::chrono::steady_clock::now(); }
  absl::Time Wall() override { return absl::Now(); }
  std::unique_ptr<Alarm> MakeAlarm() override { return std::make_unique<RealAlarm>(); }
  std::unique_ptr<Participant> Join() override { return std::make_unique<Participant>(); }
};

}  // namespace

Clock& RealClock() {
  static SystemClock clock;
  return clock;
}

}  // namespace ascend

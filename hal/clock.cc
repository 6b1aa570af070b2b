#include "hal/clock.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>

#include "absl/time/clock.h"
#include "hal/mutex.h"

namespace ascend {
namespace {

// Unlike CLOCK_MONOTONIC it goes on while the machine is suspended, so that what was read before is
// as old as it is.
Mono BootTime() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return Mono(std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec));
}

}  // namespace

// No wait is longer than a day, so that no sum overflows.
Mono ToSteady(Mono deadline) {
  const nanoseconds left = std::min<nanoseconds>(deadline - BootTime(), std::chrono::hours(24));
  return std::chrono::steady_clock::now() + left;
}

namespace {

class RealAlarm final : public Alarm {
 public:
  void WaitUntil(Mono deadline) override {
    const Mono until = ToSteady(deadline);
    MutexLock lock(mutex_);
    while (!rung_) {
      if (condition_.wait_until(mutex_, until) == std::cv_status::timeout) break;
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
  Mono Now() override { return BootTime(); }
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

#include "hal/virtual_clock.h"

#include <algorithm>
#include <tuple>

namespace ascend {

// All members are guarded by the clock's mutex; `deadline` changes only outside of the set of
// sleepers.
class VirtualClock::VirtualAlarm final : public Alarm {
 public:
  VirtualAlarm(VirtualClock& clock, int order) : clock_(clock), order_(order) {}

  void WaitUntil(Mono deadline) override {
    MutexLock lock(clock_.mutex_);
    if (!rung_) Sleep(deadline);
    rung_ = false;
  }

  void Ring() override {
    MutexLock lock(clock_.mutex_);
    rung_ = true;
    if (asleep_ && deadline_ > clock_.now_) {
      clock_.sleepers_.erase(this);
      deadline_ = clock_.now_;
      clock_.sleepers_.insert(this);
    }
    clock_.ReleaseNext();
  }

 private:
  friend class VirtualClock;

  void Sleep(Mono deadline) ABSL_EXCLUSIVE_LOCKS_REQUIRED(clock_.mutex_) {
    deadline_ = std::max(deadline, clock_.now_);
    asleep_ = true;
    clock_.sleepers_.insert(this);
    --clock_.running_;
    clock_.ReleaseNext();
    while (asleep_) released_.wait(clock_.mutex_);
  }

  VirtualClock& clock_;
  const int order_;
  std::condition_variable_any released_;
  Mono deadline_;
  bool asleep_ = false;
  bool rung_ = false;
};

class VirtualClock::Token final : public Participant {
 public:
  explicit Token(VirtualClock& clock) : clock_(clock) {}
  ~Token() override {
    MutexLock lock(clock_.mutex_);
    --clock_.running_;
    clock_.ReleaseNext();
  }

 private:
  VirtualClock& clock_;
};

bool VirtualClock::Earlier::operator()(const VirtualAlarm* a, const VirtualAlarm* b) const {
  return std::tie(a->deadline_, a->order_) < std::tie(b->deadline_, b->order_);
}

VirtualClock::VirtualClock(absl::Time start)
    : start_wall_(start), start_(Mono(std::chrono::hours(1))), now_(start_), limit_(start_) {}

VirtualClock::~VirtualClock() = default;

Mono VirtualClock::Now() {
  MutexLock lock(mutex_);
  return now_;
}

absl::Time VirtualClock::Wall() {
  MutexLock lock(mutex_);
  return start_wall_ + absl::FromChrono(now_ - start_);
}

std::unique_ptr<Alarm> VirtualClock::MakeAlarm() {
  MutexLock lock(mutex_);
  return std::make_unique<VirtualAlarm>(*this, next_order_++);
}

std::unique_ptr<Clock::Participant> VirtualClock::Join() {
  MutexLock lock(mutex_);
  ++running_;
  return std::make_unique<Token>(*this);
}

void VirtualClock::ReleaseNext() {
  if (running_ > 0) return;
  if (sleepers_.empty() || (*sleepers_.begin())->deadline_ > limit_) {
    settled_.notify_all();
    return;
  }
  VirtualAlarm* next = *sleepers_.begin();
  sleepers_.erase(sleepers_.begin());
  now_ = std::max(now_, next->deadline_);
  next->asleep_ = false;
  ++running_;
  next->released_.notify_one();
}

void VirtualClock::Advance(nanoseconds by) {
  MutexLock lock(mutex_);
  limit_ = now_ + by;
  ReleaseNext();
  const auto settled = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return running_ == 0 && (sleepers_.empty() || (*sleepers_.begin())->deadline_ > limit_);
  };
  while (!settled()) settled_.wait(mutex_);
  now_ = std::max(now_, limit_);
}

}  // namespace ascend

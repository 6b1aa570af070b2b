// A thread that may hang inside the driver for ever: it is told to stop, waited for, and else left
// behind.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>

#include "hal/clock.h"
#include "hal/mutex.h"

namespace ascend {

// A handle that may be copied; all copies mean the same thread, which goes on when they are gone.
class LeavableThread {
 public:
  // What the thread and its owner share. The thread sleeps on `alarm` and on nothing else of ours.
  struct Signal {
    std::atomic<bool> stop{false};
    std::unique_ptr<Alarm> alarm;
    Mutex mutex;
    std::condition_variable_any ended_condition;
    bool ended ABSL_GUARDED_BY(mutex) = false;
  };

  // `body` must own or share all that it touches and return soon after `stop` is set.
  LeavableThread(Clock& clock, std::function<void(Signal&)> body);
  // Any thread.
  void Wake() const { signal_->alarm->Ring(); }
  void RequestStop() const;
  [[nodiscard]] bool ended() const;
  // Waits in real time, whatever the clock. False: the thread is still inside a call.
  [[nodiscard]] bool WaitUntilEnded(std::chrono::steady_clock::time_point deadline) const;

 private:
  std::shared_ptr<Signal> signal_;
};

}  // namespace ascend

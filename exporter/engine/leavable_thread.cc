#include "exporter/engine/leavable_thread.h"

#include <thread>
#include <utility>

namespace ascend {

LeavableThread::LeavableThread(Clock& clock, std::function<void(Signal&)> body)
    : signal_(std::make_shared<Signal>()) {
  signal_->alarm = clock.MakeAlarm();
  std::unique_ptr<Clock::Participant> participant = clock.Join();
  std::thread([signal = signal_, body = std::move(body), now = clock.Now(),
               participant = std::move(participant)]() mutable {
    signal->alarm->WaitUntil(now);  // under a virtual clock: until it is this thread's turn
    body(*signal);
    body = nullptr;  // all that it shared, before anybody is told
    participant.reset();
    {
      MutexLock lock(signal->mutex);
      signal->ended = true;
    }
    signal->ended_condition.notify_all();
  }).detach();
}

void LeavableThread::RequestStop() const {
  signal_->stop.store(true);
  signal_->alarm->Ring();
}

bool LeavableThread::ended() const {
  MutexLock lock(signal_->mutex);
  return signal_->ended;
}

bool LeavableThread::WaitUntilEnded(std::chrono::steady_clock::time_point deadline) const {
  MutexLock lock(signal_->mutex);
  while (!signal_->ended) {
    if (signal_->ended_condition.wait_until(signal_->mutex, deadline) == std::cv_status::timeout) {
      return signal_->ended;
    }
  }
  return true;
}

}  // namespace ascend

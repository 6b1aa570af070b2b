// How many processes of the vendor's tools may run at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <utility>

#include "hal/mutex.h"
#include "hal/npu_smi/process.h"

namespace ascend::npu_smi {

using SteadyTime = std::chrono::steady_clock::time_point;

// Any thread.
class RunGate {
 public:
  explicit RunGate(std::size_t places, RunTool run = RunProcess)
      : run_(std::move(run)), free_(places) {}

  // Runs a tool; the caller has a place.
  [[nodiscard]] absl::StatusOr<ProcessResult> Run(const ProcessRequest& request) const {
    return run_(request);
  }

  // Waits for a place, of real time at most until `give_up`. False: none became free, or Interrupt
  // was called. Each place that was got is given back by Leave.
  [[nodiscard]] bool Enter(SteadyTime give_up);
  void Leave();
  // Nobody waits or enters any more.
  void Interrupt();

 private:
  const RunTool run_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t free_ ABSL_GUARDED_BY(mutex_);
  bool interrupted_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace ascend::npu_smi

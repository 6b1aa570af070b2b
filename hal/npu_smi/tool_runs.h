// The runs of the tool, shared by all threads that want its table at the same time.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/clock.h"
#include "hal/mutex.h"
#include "hal/npu_smi/process.h"
#include "hal/npu_smi/table.h"
#include "hal/npu_smi/unique_fd.h"

namespace ascend::npu_smi {

class ToolRuns {
 public:
  using Answer = absl::StatusOr<std::shared_ptr<const InfoTable>>;

  // A run takes at most `deadline` of real time, and two seconds more if the tool resists being
  // killed.
  ToolRuns(std::string tool, nanoseconds deadline, Clock& clock, RunTool run = RunProcess);

  // What the tool printed in a run that ended less than a second ago, else in one that starts now.
  // At most one run is in progress; its caller blocks in it and all others wait for it without a
  // lock held. Failures are shared like tables. Any thread.
  Answer Get();

  // Kills the run in progress. Every call of Get, waiting or yet to come, returns kUnavailable.
  void Interrupt();

  // Lines that were not understood, since the start.
  [[nodiscard]] std::uint64_t unknown_lines() const { return unknown_lines_.load(); }

 private:
  struct Finished {
    std::uint64_t number;  // of the run, counted from 1
    Mono at;
    Answer answer;
  };

  // Waits for an answer that is fresh enough. Nothing: the caller has the turn to run the tool.
  std::optional<Answer> AwaitAnswer();
  Answer Run();
  [[nodiscard]] bool TooManyHang();

  const std::string tool_;
  const nanoseconds deadline_;
  const RunTool run_;
  Clock& clock_;
  const UniqueFd interrupt_;  // readable for ever once interrupted
  std::atomic<std::uint64_t> unknown_lines_ = 0;

  // Touched by the thread whose turn it is only.
  std::vector<pid_t> left_behind_;

  Mutex mutex_;
  std::condition_variable_any changed_;
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  bool interrupted_ ABSL_GUARDED_BY(mutex_) = false;
  std::uint64_t started_ ABSL_GUARDED_BY(mutex_) = 0;
  std::optional<Finished> latest_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend::npu_smi

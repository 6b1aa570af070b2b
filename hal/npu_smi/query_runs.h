// The runs of a tool that answer a question about one card, port or chip.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/clock.h"
#include "hal/mutex.h"
#include "hal/npu_smi/process.h"
#include "hal/npu_smi/run_gate.h"
#include "hal/npu_smi/unique_fd.h"

namespace ascend::npu_smi {

// What one run printed. Its lines end: text that lacks its last line end is whole all the same if
// the tool ended well.
struct Printed {
  std::string text;
  mutable std::atomic<bool> counted = false;  // its unknown lines
};

struct Question {
  std::vector<std::string> arguments;
  // Whose card it is about. When a run about it hangs, no other is started about it for a minute,
  // nor before the process that hangs in the kernel has ended: others keep their places.
  std::int32_t owner = 0;
};

class QueryRuns {
 public:
  using Answer = absl::StatusOr<std::shared_ptr<const Printed>>;

  // A run takes at most `deadline` of real time, and two seconds more if the tool resists being
  // killed.
  QueryRuns(std::string tool, nanoseconds deadline, std::shared_ptr<RunGate> gate, Clock& clock);

  // What the tool printed in a run that ended less than a second ago, else in one that starts now.
  // Callers with the same arguments share one run, those with others share the places of the gate
  // until `give_up`. kUnimplemented is remembered for ten minutes, unless
  // the question was answered before. Errors as in
  // refusal.h. Any thread.
  Answer Ask(const Question& question, SteadyTime give_up);

  // Adds to the lines that were not understood, once for each run.
  void CountUnknown(const Printed& printed, std::size_t lines);
  [[nodiscard]] std::uint64_t unknown_lines() const { return unknown_lines_.load(); }

  // Kills the runs in progress. Every call of Ask, waiting or yet to come, returns kUnavailable.
  void Interrupt();

  [[nodiscard]] const std::string& tool() const { return tool_; }

 private:
  struct Entry {
    bool running = false;
    std::uint64_t started = 0;   // runs
    std::uint64_t finished = 0;  // the number of the run that `answer` is from
    Mono at;
    std::optional<Answer> answer;
    bool answered = false;  // once
  };
  struct HeldBack {
    Mono until;
    std::optional<pid_t> left_behind;
  };

  // Waits for an answer that is fresh enough. Nothing: the caller has the turn to run the tool.
  std::optional<Answer> Await(const std::string& key, std::int32_t owner, SteadyTime give_up);
  Answer Run(const Question& question, const std::string& key, SteadyTime give_up);
  Answer Read(const ProcessResult& result, const Question& question, const std::string& key,
              bool whole_deadline);
  absl::Status WhyHeldBack(std::int32_t owner) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string tool_;
  const nanoseconds deadline_;
  const std::shared_ptr<RunGate> gate_;
  Clock& clock_;
  const UniqueFd interrupt_;  // readable for ever once interrupted
  std::atomic<std::uint64_t> unknown_lines_ = 0;

  Mutex mutex_;
  std::condition_variable_any changed_;
  bool interrupted_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<std::string, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  std::map<std::int32_t, HeldBack> held_back_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend::npu_smi

#include "hal/npu_smi/tool_runs.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "hal/driver_state.h"
#include "hal/npu_smi/outcome.h"
#include "hal/npu_smi/process.h"

namespace ascend::npu_smi {
namespace {

// The groups of a device are read one after the other, and all devices at the same tick: long
// enough for all of them to get by with one run, short against the period of any group.
constexpr std::chrono::seconds kFresh{1};

// Processes that hang in the kernel and cannot be killed; the next would most likely hang too.
constexpr std::size_t kMaxLeftBehind = 3;

}  // namespace

ToolRuns::ToolRuns(std::string tool, nanoseconds deadline, Clock& clock, RunTool run)
    : tool_(std::move(tool)),
      deadline_(deadline),
      run_(std::move(run)),
      clock_(clock),
      interrupt_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

ToolRuns::Answer ToolRuns::Get() {
  if (auto answer = AwaitAnswer()) return *std::move(answer);
  Answer answer = Run();
  {
    MutexLock lock(mutex_);
    latest_.emplace(Finished{started_, clock_.Now(), answer});
    running_ = false;
  }
  changed_.notify_all();
  return answer;
}

std::optional<ToolRuns::Answer> ToolRuns::AwaitAnswer() {
  MutexLock lock(mutex_);
  const std::uint64_t asked_after = started_;
  while (true) {
    if (interrupted_) return absl::UnavailableError(fmt::format("{} was interrupted", tool_));
    if (latest_ && (latest_->number > asked_after || clock_.Now() - latest_->at < kFresh)) {
      return latest_->answer;
    }
    if (!running_) break;
    changed_.wait(mutex_);
  }
  running_ = true;
  ++started_;
  return std::nullopt;
}

ToolRuns::Answer ToolRuns::Run() {
  if (TooManyHang()) {
    return NeverEnding(
        DriverError(DriverState::kToolFailed,
                    fmt::format("{} runs of {} hang in the kernel driver and cannot be killed (one "
                                "is pid {}); no other is started before one ends",
                                left_behind_.size(), tool_, left_behind_.front())));
  }
  ProcessRequest request;
  request.argv = {tool_, "info"};
  request.environment = ToolEnvironment();
  request.deadline = deadline_;
  request.cancel_fd = interrupt_.get();
  auto result = run_(request);
  if (!result.ok()) {
    return DriverError(DriverState::kToolFailed, std::string(result.status().message()));
  }
  if (result->left_behind) left_behind_.push_back(*result->left_behind);
  auto table = TableOf(*result, tool_, deadline_);
  if (!table.ok()) return table.status();
  unknown_lines_ += table->not_understood;
  return std::make_shared<const InfoTable>(*std::move(table));
}

bool ToolRuns::TooManyHang() {
  std::erase_if(left_behind_, HasLeft);
  return left_behind_.size() >= kMaxLeftBehind;
}

void ToolRuns::Interrupt() {
  {
    MutexLock lock(mutex_);
    interrupted_ = true;
  }
  ::eventfd_write(interrupt_.get(), 1);
  changed_.notify_all();
}

}  // namespace ascend::npu_smi

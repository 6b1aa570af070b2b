#include "hal/npu_smi/query_runs.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "hal/npu_smi/refusal.h"

namespace ascend::npu_smi {
namespace {

// As long as the table of all cards is fresh.
constexpr std::chrono::seconds kFresh{1};
constexpr std::chrono::minutes kLacks{10};
// How long nobody asks about a card after a run about it did not end.
constexpr std::chrono::minutes kHoldBack{1};
// A run that has less time than this is not worth its start.
constexpr std::chrono::milliseconds kShortestRun{20};

}  // namespace

QueryRuns::QueryRuns(std::string tool, nanoseconds deadline, std::shared_ptr<RunGate> gate,
                     Clock& clock)
    : tool_(std::move(tool)),
      deadline_(deadline),
      gate_(std::move(gate)),
      clock_(clock),
      interrupt_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

QueryRuns::Answer QueryRuns::Ask(const Question& question, SteadyTime give_up) {
  const std::string key = fmt::format("{}", fmt::join(question.arguments, " "));
  if (auto answer = Await(key, question.owner, give_up)) return *std::move(answer);
  Answer answer = Run(question, key, give_up);
  {
    MutexLock lock(mutex_);
    Entry& entry = entries_[key];
    entry.running = false;
    entry.finished = entry.started;
    entry.at = clock_.Now();
    entry.answer = answer;
    entry.answered = entry.answered || answer.ok();
  }
  changed_.notify_all();
  return answer;
}

std::optional<QueryRuns::Answer> QueryRuns::Await(const std::string& key, std::int32_t owner,
                                                  SteadyTime give_up) {
  MutexLock lock(mutex_);
  Entry& entry = entries_[key];
  const std::uint64_t asked_after = entry.started;
  while (true) {
    if (interrupted_) return absl::UnavailableError(fmt::format("{} was interrupted", tool_));
    if (entry.answer) {
      // Another card may be there one day, or another version of the tool.
      const bool lacks = absl::IsUnimplemented(entry.answer->status()) && !entry.answered;
      const nanoseconds lasts = lacks ? nanoseconds(kLacks) : nanoseconds(kFresh);
      if (entry.finished > asked_after || clock_.Now() - entry.at < lasts) return *entry.answer;
    }
    if (!entry.running) break;
    if (changed_.wait_until(mutex_, give_up) == std::cv_status::timeout) {
      return absl::UnavailableError(fmt::format("{} {} takes too long", tool_, key));
    }
  }
  if (const absl::Status held = WhyHeldBack(owner); !held.ok()) return held;
  entry.running = true;
  ++entry.started;
  return std::nullopt;
}

absl::Status QueryRuns::WhyHeldBack(std::int32_t owner) {
  const auto held = held_back_.find(owner);
  if (held == held_back_.end()) return absl::OkStatus();
  if (held->second.left_behind && HasLeft(*held->second.left_behind)) {
    held->second.left_behind.reset();
  }
  if (held->second.left_behind) {
    return absl::UnavailableError(
        fmt::format("{} about {} hangs in the kernel driver and cannot be killed (pid {}); it is "
                    "not asked again before that ends",
                    tool_, owner, *held->second.left_behind));
  }
  if (clock_.Now() < held->second.until) {
    return absl::UnavailableError(fmt::format(
        "{} did not answer about {} in time; it is asked again in a minute", tool_, owner));
  }
  held_back_.erase(held);
  return absl::OkStatus();
}

QueryRuns::Answer QueryRuns::Run(const Question& question, const std::string& key,
                                 SteadyTime give_up) {
  if (!gate_->Enter(give_up)) {
    return absl::UnavailableError(
        fmt::format("{} {} was not run: too many runs are in progress", tool_, key));
  }
  const nanoseconds left = give_up - std::chrono::steady_clock::now();
  ProcessRequest request;
  request.argv = {tool_};
  request.argv.insert(request.argv.end(), question.arguments.begin(), question.arguments.end());
  request.environment = ToolEnvironment();
  request.deadline = std::min(deadline_, std::max<nanoseconds>(left, kShortestRun));
  request.cancel_fd = interrupt_.get();
  const auto result = gate_->Run(request);
  gate_->Leave();
  if (!result.ok()) return result.status();
  return Read(*result, question, key, request.deadline == deadline_);
}

QueryRuns::Answer QueryRuns::Read(const ProcessResult& result, const Question& question,
                                  const std::string& key, bool whole_deadline) {
  // A run that was given little time, because others took it, says nothing about the card.
  if (result.left_behind || (result.end == ProcessEnd::kTimedOut && whole_deadline)) {
    MutexLock lock(mutex_);
    held_back_[question.owner] = {clock_.Now() + kHoldBack, result.left_behind};
  }
  const absl::Status status = QueryStatus(result, tool_, key);
  if (!status.ok()) return status;
  auto printed = std::make_shared<Printed>();
  printed->text = result.out;
  if (!printed->text.ends_with('\n')) printed->text += '\n';
  return printed;
}

void QueryRuns::CountUnknown(const Printed& printed, std::size_t lines) {
  if (!printed.counted.exchange(true)) unknown_lines_ += lines;
}

void QueryRuns::Interrupt() {
  {
    MutexLock lock(mutex_);
    interrupted_ = true;
  }
  ::eventfd_write(interrupt_.get(), 1);
  gate_->Interrupt();
  changed_.notify_all();
}

}  // namespace ascend::npu_smi

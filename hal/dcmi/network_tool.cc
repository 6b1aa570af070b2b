#include "hal/dcmi/network_tool.h"

#include <chrono>

namespace ascend::dcmi {
namespace {

constexpr int kThreads = 3;  // as many as the tool may have processes
// How long a device's own thread waits: less than its fast period.
constexpr std::chrono::milliseconds kPatience{800};
// Two periods of the group that asks.
constexpr std::chrono::minutes kMostAge{1};

}  // namespace

NetworkTool::NetworkTool(HccnOptions options, Clock& clock)
    : tool_(std::move(options), clock), clock_(clock) {
  if (!tool_.usable().ok()) return;
  for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { Work(); });
}

NetworkTool::~NetworkTool() {
  Interrupt();
  for (std::thread& thread : threads_) thread.join();
}

void NetworkTool::Interrupt() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    jobs_.clear();
  }
  tool_.Interrupt();
  changed_.notify_all();
}

void NetworkTool::Work() {
  while (true) {
    std::function<void()> job;
    {
      MutexLock lock(mutex_);
      while (jobs_.empty() && !stopping_) changed_.wait(mutex_);
      if (stopping_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

template <class Reading, class Read>
absl::StatusOr<Reading> NetworkTool::Ask(Slots<Reading>& slots, HccnChip chip, const Read& read) {
  if (!tool_.usable().ok()) return tool_.usable();
  MutexLock lock(mutex_);
  Slot<Reading>& slot = slots[chip.phy_id];
  const std::uint64_t before = slot.answers;
  if (!slot.queued) {
    slot.queued = true;
    jobs_.push_back([this, &slot, read] {
      absl::StatusOr<Reading> answer = read();
      {
        MutexLock inner(mutex_);
        slot.answer = std::move(answer);
        slot.at = clock_.Now();
        slot.queued = false;
        ++slot.answers;
      }
      changed_.notify_all();
    });
    changed_.notify_all();
  }
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (slot.answers == before && !stopping_) {
    if (changed_.wait_until(mutex_, give_up) == std::cv_status::timeout) break;
  }
  const bool is_news = slot.answers > slot.given && clock_.Now() - slot.at <= kMostAge;
  if (is_news && !stopping_) {
    slot.given = slot.answers;
    return *slot.answer;
  }
  return absl::UnavailableError("hccn_tool has not answered yet");
}

absl::StatusOr<NetworkLinkReading> NetworkTool::Link(HccnChip chip) {
  return Ask(links_, chip, [this, chip] { return tool_.ReadLink(chip); });
}

absl::StatusOr<OpticalReading> NetworkTool::Optical(HccnChip chip) {
  return Ask(optical_, chip, [this, chip] { return tool_.ReadOptical(chip); });
}

absl::StatusOr<NetworkCountersReading> NetworkTool::Counters(HccnChip chip) {
  return Ask(counters_, chip, [this, chip] { return tool_.ReadCounters(chip); });
}

}  // namespace ascend::dcmi

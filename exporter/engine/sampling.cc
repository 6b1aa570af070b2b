#include "exporter/engine/sampling.h"

#include <utility>

namespace ascend {

Sampling::Sampling(DiscoveryLoop::Parts parts, DiscoveryOptions options,
                   std::vector<DriverCandidate> candidates)
    : loop_(std::make_shared<DiscoveryLoop>(parts, std::move(options), std::move(candidates))) {
  thread_.emplace(*parts.clock,
                  [loop = loop_](LeavableThread::Signal& signal) { loop->Run(signal); });
}

Sampling::~Sampling() { Stop(std::chrono::steady_clock::now()); }

void Sampling::Look() {
  loop_->Request();
  if (thread_) thread_->Wake();
}

void Sampling::Refresh() {
  loop_->Refresh();
  if (thread_) thread_->Wake();
}

bool Sampling::Stop(std::chrono::steady_clock::time_point deadline) {
  if (!thread_) return true;
  thread_->RequestStop();
  const bool workers_ended = loop_->StopWorkers(deadline);
  const bool loop_ended = thread_->WaitUntilEnded(deadline);
  thread_.reset();
  return workers_ended && loop_ended;
}

}  // namespace ascend

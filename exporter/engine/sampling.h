// The side that calls the driver: one thread for each device and one that looks for devices. What
// they find goes into a berth.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "exporter/engine/discovery.h"
#include "exporter/engine/leavable_thread.h"

namespace ascend {

// `parts.clock` outlives this and, if Stop left a thread behind, the process.
class Sampling {
 public:
  Sampling(DiscoveryLoop::Parts parts, DiscoveryOptions options,
           std::vector<DriverCandidate> candidates);
  ~Sampling();
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  // Any thread. Looks for devices again soon.
  void Look();
  // Any thread. Tells everything anew, to a publisher that knows nothing.
  void Refresh();

  // Ends all threads until `deadline`. False: one is stuck inside a driver and was left behind.
  bool Stop(std::chrono::steady_clock::time_point deadline);

 private:
  const std::shared_ptr<DiscoveryLoop> loop_;
  std::optional<LeavableThread> thread_;
};

}  // namespace ascend

// hccn_tool beside the library. Its runs take place on threads of their own, so that a tool that is
// slow or hangs delays no call of the library: the device's thread waits for an answer only a
// moment. An answer is given once: the same one again would make what is old look new.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/clock.h"
#include "hal/hccn_tool.h"
#include "hal/mutex.h"

namespace ascend::dcmi {

// Any thread. Errors as in hal/npu_driver.h; kUnavailable where there is no answer of the last
// minute yet.
class NetworkTool {
 public:
  NetworkTool(HccnOptions options, Clock& clock);
  ~NetworkTool();

  absl::StatusOr<NetworkLinkReading> Link(HccnChip chip);
  absl::StatusOr<OpticalReading> Optical(HccnChip chip);
  absl::StatusOr<NetworkCountersReading> Counters(HccnChip chip);

  // kUnimplemented where there is no tool that may be run.
  [[nodiscard]] const absl::Status& usable() const { return tool_.usable(); }
  [[nodiscard]] std::uint64_t unknown_lines() const { return tool_.unknown_lines(); }
  // Every call, in progress or yet to come, returns kUnavailable.
  void Interrupt();

 private:
  // The newest answer to one question about one chip.
  template <class Reading>
  struct Slot {
    std::optional<absl::StatusOr<Reading>> answer;
    Mono at{};
    std::uint64_t answers = 0;
    std::uint64_t given = 0;  // the last of them that was
    bool queued = false;
  };
  template <class Reading>
  using Slots = std::map<std::int32_t, Slot<Reading>>;  // by physical id

  template <class Reading, class Read>
  absl::StatusOr<Reading> Ask(Slots<Reading>& slots, HccnChip chip, const Read& read);
  void Work();

  HccnTool tool_;
  Clock& clock_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<std::function<void()>> jobs_ ABSL_GUARDED_BY(mutex_);
  Slots<NetworkLinkReading> links_;  // these three under the mutex
  Slots<OpticalReading> optical_;
  Slots<NetworkCountersReading> counters_;
  std::vector<std::thread> threads_;
};

}  // namespace ascend::dcmi

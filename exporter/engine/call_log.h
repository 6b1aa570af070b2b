// Says when calls begin to fail and when they work again, not each time in between: whatever fails
// how often, an hour of it is a few dozen lines.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/engine/line_budget.h"
#include "hal/clock.h"
#include "hal/mutex.h"

namespace ascend {

// Shared by all workers; any thread.
class CallLog {
 public:
  void Failed(int device, std::string_view collector, std::string_view reason, Mono now);
  void Succeeded(int device, std::string_view collector, Mono now);
  // The call is not made any more.
  void Forget(int device, std::string_view collector);
  void Forget(int device);

 private:
  struct Failure {
    std::string reason;
    std::size_t times = 0;
    bool said = false;
  };
  using Call = std::pair<int, std::string>;

  using Failing = std::map<Call, Failure>;
  void End(Failing::iterator failure) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Say(bool bad, const std::string& text, Mono now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex mutex_;
  Failing failing_ ABSL_GUARDED_BY(mutex_);
  // When a reason was last said: one cause that fails every call of every device is said once.
  std::map<std::string, Mono> said_ ABSL_GUARDED_BY(mutex_);
  LineBudget budget_ ABSL_GUARDED_BY(mutex_){4, std::chrono::minutes(10)};
};

}  // namespace ascend

// Says when a call begins to fail and when it works again, not each time in between.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "hal/clock.h"

namespace ascend {

// One call of one device. Worker thread only.
class CallLog {
 public:
  void Failed(int device, std::string_view collector, std::string_view reason, Mono now);
  void Succeeded(int device, std::string_view collector);

 private:
  std::size_t failures_ = 0;  // since it last worked
  Mono last_said_{};
};

}  // namespace ascend

// What the devices were found to lack, so that it is asked once and not at every reading.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>

#include "absl/base/thread_annotations.h"
#include "hal/dcmi/return_code.h"
#include "hal/mutex.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// One question that a device may have no answer to, as a bit of its own.
using Question = std::uint32_t;

class DeviceLacks {
 public:
  // Asks unless the answer is known to be "not supported"; remembers that answer. Any thread.
  template <class Call>
  int Ask(Question question, const Call& call) {
    if ((lacks_.load(std::memory_order_relaxed) & question) != 0) return kNotSupported;
    const int code = call();
    if (IsUnsupported(code)) lacks_.fetch_or(question, std::memory_order_relaxed);
    return code;
  }

 private:
  std::atomic<Question> lacks_{0};
};

class KnownLacks {
 public:
  // Any thread. The reference is valid as long as this object.
  DeviceLacks& Of(DeviceAddress address) {
    MutexLock lock(mutex_);
    return devices_[address];
  }

 private:
  Mutex mutex_;
  std::map<DeviceAddress, DeviceLacks> devices_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend::dcmi

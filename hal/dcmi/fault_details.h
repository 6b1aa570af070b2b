// What the library says of fault codes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "hal/dcmi/functions.h"
#include "hal/dcmi/known_lacks.h"
#include "hal/mutex.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// Details by code, the same on all devices. Any thread. Bounded: what is least worth keeping is
// asked again.
class KnownFaults {
 public:
  std::optional<FaultDetail> Find(std::uint32_t code) const;
  void Keep(std::uint32_t code, const FaultDetail& detail);

 private:
  mutable Mutex mutex_;
  std::map<std::uint32_t, FaultDetail> details_ ABSL_GUARDED_BY(mutex_);
};

// Asks the library. Nothing in `detail` where a call failed; false if asking again may tell more.
bool AskDetail(const Functions& functions, DeviceLacks& lacks, DeviceAddress at, std::uint32_t code,
               FaultDetail& detail);

}  // namespace ascend::dcmi

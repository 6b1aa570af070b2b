// The faults that the library reports by itself.
//
// The library calls a plain function, on a thread of its own, with nothing that tells which driver
// it is meant for; it takes one subscription of a process and is never told to stop. Therefore
//   - what arrives goes into an object of the process, which is never freed, whether or not a
//     driver exists that takes it out;
//   - a library that took a subscription is never unloaded: its thread would go on in memory that
//     is no more. Who has to let go of it ends the process;
//   - a driver that is opened later on the same library asks again, in case that the new
//     initialisation ended the subscription; if it did not, the library refuses, and the old
//     subscription serves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "hal/dcmi/functions.h"
#include "hal/fixed_list.h"
#include "hal/mutex.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// Codes of faults that began or happened, by device. Any thread. Holds what fits into one reading
// of each device; what comes when that is full is dropped. Allocates nothing after construction.
class FaultInbox {
 public:
  using Codes = FixedList<std::uint32_t, kMaxFaultCodes>;

  // Waits for no more than another Put or Take. What is no fault that begins is left out.
  void Put(const Event& event) noexcept;
  // What arrived since the last Take of the device, by its logic id.
  Codes Take(std::int32_t logic_id);
  void Clear();

 private:
  Mutex mutex_;
  std::array<Codes, kMaxDevices> by_device_ ABSL_GUARDED_BY(mutex_);
};

// Subscribes for the process, after the library was initialised; `library` is its handle. Null
// where the library sends no events or refuses to. May block in the library.
FaultInbox* SubscribeToFaults(const void* library, const Functions& functions);

}  // namespace ascend::dcmi

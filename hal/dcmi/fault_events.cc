#include "hal/dcmi/fault_events.h"

#include <set>
#include <utility>

#include "hal/dcmi/vendor_values.h"

namespace ascend::dcmi {
namespace {

constexpr DeviceAddress kAllDevices = {.card = -1, .chip = -1};

// The one inbox: the callback gets no argument that could lead to another. Never freed, because
// nobody knows when the library's thread calls last.
FaultInbox& TheInbox() {
  static FaultInbox& inbox = *new FaultInbox;
  return inbox;
}

void OnEvent(Event* event) {
  if (event != nullptr) TheInbox().Put(*event);
}

// The libraries that took a subscription, by their handles. They stay loaded, so that no other
// library gets the same handle.
class Subscriptions {
 public:
  bool Contains(const void* library) {
    MutexLock lock(mutex_);
    return taken_.contains(library);
  }
  void Add(const void* library) {
    MutexLock lock(mutex_);
    taken_.insert(library);
  }

 private:
  Mutex mutex_;
  std::set<const void*> taken_ ABSL_GUARDED_BY(mutex_);
};

Subscriptions& TheSubscriptions() {
  static Subscriptions& subscriptions = *new Subscriptions;
  return subscriptions;
}

}  // namespace

void FaultInbox::Put(const Event& event) noexcept {
  const DmsFaultEvent& fault = event.fault;
  const bool begins = fault.assertion == kFaultBegan || fault.assertion == kFaultHappened;
  const bool no_code = fault.event_id == 0 || IsNoValue(fault.event_id);
  if (event.type != kFaultEvent || !begins || no_code) return;
  if (fault.deviceid >= kMaxDevices) return;
  MutexLock lock(mutex_);
  by_device_[fault.deviceid].Add(fault.event_id);
}

FaultInbox::Codes FaultInbox::Take(std::int32_t logic_id) {
  if (logic_id < 0 || logic_id >= kMaxDevices) return {};
  MutexLock lock(mutex_);
  return std::exchange(by_device_[static_cast<std::size_t>(logic_id)], {});
}

void FaultInbox::Clear() {
  MutexLock lock(mutex_);
  by_device_.fill({});
}

FaultInbox* SubscribeToFaults(const void* library, const Functions& functions) {
  FaultInbox& inbox = TheInbox();
  inbox.Clear();  // what came while no driver was there to tell it is old
  const int code = functions.subscribe_fault_event(kAllDevices, EventFilter{}, &OnEvent);
  if (code == kOk) TheSubscriptions().Add(library);
  return TheSubscriptions().Contains(library) ? &inbox : nullptr;
}

}  // namespace ascend::dcmi

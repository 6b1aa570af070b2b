// Who wants to be told of faults. A thread of the library compares the data file with what it was:
// a code that is new among the key faults of a chip is an occurrence, one that is gone a recovery,
// and a line "event" that is new is what it says. What is there at the time of the subscription, or
// of a later dcmi_init, is not sent. A process subscribes once: the second time answers -8005.
// Chips with the key fault_events 0 have none.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <stop_token>
#include <thread>

#include "call.h"
#include "fault_event.h"
#include "session.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;
using fake_dcmi::Chip;
using fake_dcmi::EventFilter;
using fake_dcmi::Machine;

constexpr auto kPoll = std::chrono::milliseconds(5);
constexpr unsigned long long kOfEventId = 1;
constexpr unsigned long long kFromSeverity = 2;

struct Subscription {
  std::optional<int> physical_id;  // nothing: all chips
  EventFilter filter = {};
  FaultEventCallback handler = nullptr;
};

// The elements of `a` that are not in `b`, repeats included.
template <class T>
std::vector<T> Without(std::vector<T> a, std::vector<T> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::vector<T> rest;
  std::ranges::set_difference(a, b, std::back_inserter(rest));
  return rest;
}

bool Wanted(const EventFilter& filter, const fake_dcmi::DmsFaultEvent& fault) {
  if ((filter.filter_flag & kOfEventId) != 0 && filter.event_id != fault.event_id) return false;
  return (filter.filter_flag & kFromSeverity) == 0 || fault.severity >= filter.severity;
}

void Send(const Subscription& to, const Chip& chip, unsigned int code, int assertion) {
  if (to.physical_id && to.physical_id != chip.physical_id) return;
  fake_dcmi::Event event = fake_dcmi::MakeEvent(chip, code, assertion);
  if (Wanted(to.filter, event.fault)) to.handler(&event);
}

void SendChanges(const Subscription& to, const Machine& before, const Machine& now) {
  for (const Chip& chip : now.chips) {
    const Chip* old = before.WithPhysicalId(chip.physical_id);
    if (old == nullptr) continue;
    const auto faults = fake_dcmi::FaultsOf(chip);
    const auto old_faults = fake_dcmi::FaultsOf(*old);
    for (const auto code : Without(faults, old_faults)) {
      Send(to, chip, code, fake_dcmi::kOccurrence);
    }
    for (const auto code : Without(old_faults, faults)) {
      Send(to, chip, code, fake_dcmi::kRecovery);
    }
  }
  for (const auto& event : Without(now.events, before.events)) {
    const Chip* chip = now.WithPhysicalId(event.physical_id);
    if (chip != nullptr) Send(to, *chip, event.code, event.assertion);
  }
}

void Watch(const std::stop_token& stop, const Subscription& to, fake_dcmi::Snapshot last) {
  std::shared_ptr<const Machine> before = last.now;
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kPoll);
    const fake_dcmi::Snapshot snapshot = fake_dcmi::TakeSnapshot();
    if (snapshot.session != last.session) {
      if (snapshot.at_start == nullptr) continue;
      before = snapshot.at_start;
      last = snapshot;
    }
    if (snapshot.now == before || !snapshot.now->problem.empty()) continue;
    SendChanges(to, *before, *snapshot.now);
    before = snapshot.now;
  }
}

// One per process, as the vendor's. Its end, when the library is unloaded, waits for the thread.
class Watcher {
 public:
  int Start(const Subscription& to) {
    const std::lock_guard lock(mutex_);
    if (thread_.joinable()) return fake_dcmi::kInnerError;
    thread_ = std::jthread([to, now = fake_dcmi::TakeSnapshot()](const std::stop_token& stop) {
      Watch(stop, to, now);
    });
    return fake_dcmi::kOk;
  }

 private:
  std::mutex mutex_;
  std::jthread thread_;
};

int Subscribe(Call call, bool to_all, const EventFilter& filter, FaultEventCallback handler) {
  if (const auto code = call.Verdict()) return *code;
  if (!call.started()) return fake_dcmi::kInnerError;
  if (handler == nullptr || (!to_all && call.chip() == nullptr)) {
    return fake_dcmi::kInvalidParameter;
  }
  const auto sends = [](const Chip& chip) { return chip.Number("fault_events") != 0; };
  if (to_all ? std::ranges::none_of(call.machine().chips, sends) : !sends(*call.chip())) {
    return fake_dcmi::kNotSupported;
  }
  Subscription to;
  if (!to_all) to.physical_id = call.chip()->physical_id;
  to.filter = filter;
  to.handler = handler;
  static Watcher watcher;
  return watcher.Start(to);
}

}  // namespace

int dcmi_subscribe_fault_event(int card_id, int device_id, fake_dcmi::EventFilter filter,
                               FaultEventCallback handler) {
  return Subscribe(Call(__func__, card_id, device_id), card_id == -1 && device_id == -1, filter,
                   handler);
}

int dcmiv2_subscribe_fault_event(int dev_id, fake_dcmi::EventFilter filter,
                                 FaultEventCallback handler) {
  return Subscribe(Call(__func__, fake_dcmi::Dev(dev_id)), dev_id == -1, filter, handler);
}

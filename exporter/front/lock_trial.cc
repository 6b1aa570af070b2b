#include "exporter/front/lock_trial.h"

#include <algorithm>
#include <tuple>

#include "exporter/front/doubling.h"
#include "fmt/format.h"

namespace ascend {
namespace {

// A worker that has something to do goes from call to call faster than this.
constexpr std::chrono::milliseconds kStraightOn{10};
// How long a host must do well until the others are called again; and while there are no others,
// until another lock is another story: the rarest calls come once a minute.
constexpr std::chrono::seconds kProof{10};
constexpr std::chrono::minutes kProofOfOne{1};
constexpr std::chrono::minutes kShortestHold{1};
constexpr int kMostAlone = 2;
constexpr std::chrono::minutes kFirstGivenUp{10};
constexpr std::chrono::hours kMostGivenUp{1};

// Locks are not fair: whoever lets go of one and asks for it again gets it before those that have
// waited. So the last one that returned is the holder if it went straight on, else the first one.
const DeviceCalls* LikelyHolder(const std::vector<const DeviceCalls*>& waiting,
                                std::optional<Mono> last_return) {
  const auto order = [&](const DeviceCalls* device) {
    const bool straight_on = device->begun && device->last_return &&
                             device->last_return == last_return && device->begun >= last_return &&
                             *device->begun - *device->last_return <= kStraightOn;
    return std::tuple(!straight_on, device->begun.value_or(*device->deadline), device->device);
  };
  return *std::min_element(
      waiting.begin(), waiting.end(),
      [&](const DeviceCalls* one, const DeviceCalls* other) { return order(one) < order(other); });
}

}  // namespace

std::optional<Lock> FindLock(std::span<const DeviceCalls> devices, nanoseconds patience, Mono now,
                             Mono& check) {
  std::optional<Mono> last_return;
  for (const DeviceCalls& device : devices) last_return = std::max(last_return, device.last_return);
  std::vector<const DeviceCalls*> waiting;
  Mono first = Mono::max();
  std::optional<Mono> may_return;
  for (const DeviceCalls& device : devices) {
    // A call that is stuck while another returns holds no lock that the other needs. Nor does a
    // device that is not in a call: a host that was stopped is silent about all.
    if (!device.deadline || device.deadline <= last_return || device.silent) continue;
    if (*device.deadline > now) {
      may_return = std::max(may_return, device.deadline);
      continue;
    }
    waiting.push_back(&device);
    first = std::min(first, *device.deadline);
  }
  if (may_return) check = std::min(check, *may_return);
  if (waiting.empty() || may_return) return std::nullopt;
  if (now - first >= patience) {
    return Lock{LikelyHolder(waiting, last_return)->device, static_cast<int>(waiting.size())};
  }
  check = std::min(check, first + patience);
  return std::nullopt;
}

std::vector<HoldDevice> LockTrial::Suspect(const Lock& lock, nanoseconds took,
                                           DevicePatience& patience, Mono now) {
  // No hold may be counted on for longer.
  if (open_) slowest_ = std::max(slowest_, std::min<nanoseconds>(took, kShortestHold));
  well_since_.reset();
  std::vector<HoldDevice> holds;
  if (lock.waiting == 1) {
    if (alone_ == kMostAlone) return GiveUp(patience, now);
    ++alone_;
    for (const std::int32_t device : suspects_) holds.push_back(patience.Free(device, now));
    suspects_.clear();
  } else {
    for (const std::int32_t device : suspects_) {
      holds.push_back(patience.HoldOn(device, now + kShortestHold));
    }
    suspects_.push_back(lock.device);
  }
  open_ = true;
  holds.push_back(patience.Hold(lock.device, now));
  until_ = holds.back().until;
  return holds;
}

std::vector<HoldDevice> LockTrial::GiveUp(DevicePatience& patience, Mono now) {
  if (now - given_up_until_ >= kMostGivenUp) given_up_for_ = {};
  given_up_for_ = Doubled(given_up_for_, kFirstGivenUp, kMostGivenUp);
  given_up_until_ = now + given_up_for_;
  std::vector<HoldDevice> freed;
  for (const HoldDevice& held : patience.HeldDevices(now)) {
    freed.push_back(patience.Free(held.device, now));
  }
  Close();
  return freed;
}

// A lock that comes late in a host's life must have had the time to come again.
nanoseconds LockTrial::Proof() const {
  if (suspects_.size() <= 1) return kProofOfOne;
  return std::max<nanoseconds>(kProof, 2 * slowest_);
}

std::vector<HoldDevice> LockTrial::Watch(bool well, DevicePatience& patience, Mono now,
                                         Mono& check) {
  if (!open_) return {};
  if (!well) well_since_.reset();
  if (well && !well_since_) well_since_ = now;
  const Mono end = well ? std::min(until_, *well_since_ + Proof()) : until_;
  if (now < end) {
    check = std::min(check, end);
    return {};
  }
  if (!suspects_.empty()) suspects_.pop_back();
  std::vector<HoldDevice> freed;
  for (const std::int32_t device : suspects_) freed.push_back(patience.Free(device, now));
  Close();
  return freed;
}

void LockTrial::Close() {
  open_ = false;
  suspects_.clear();
  alone_ = 0;
  slowest_ = {};
  well_since_.reset();
}

std::string LockTrial::Describe(Mono now) const {
  std::string text =
      fmt::format(" given up {} forgotten {} last {}", In(given_up_until_, now),
                  In(given_up_until_ + kMostGivenUp, now),
                  now - given_up_until_ >= kMostGivenUp ? "0" : In(now + given_up_for_, now));
  if (open_) {
    text += fmt::format(" trial alone {} slowest {} until {} suspects", alone_,
                        In(now + slowest_, now), In(until_, now));
    for (const std::int32_t device : suspects_) text += fmt::format(" {}", device);
    if (well_since_) text += " well for " + In(*well_since_ + Proof(), now);
  }
  return text + ';';
}

}  // namespace ascend

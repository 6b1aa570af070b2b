#include "exporter/engine/publisher.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace ascend {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
// All devices are sampled at the same moments: wait for those that answer a little later.
constexpr std::int64_t kGather = 10'000'000;
constexpr std::int64_t kLeastBetween = 100'000'000;

}  // namespace

Publisher::Publisher(Parts parts, PublishingOptions options)
    : parts_(std::move(parts)),
      catalog_(*parts_.catalog),
      shown_catalog_(parts_.catalog),
      options_(std::move(options)),
      plan_(MakePlan(options_.sampling, {})),
      call_metrics_(catalog_, *parts_.own),
      card_values_(catalog_),
      record_(std::make_unique<std::array<std::byte, kMaxBlockBytes>>()) {}

void Publisher::Configure(std::shared_ptr<const Catalog> catalog, PublishingOptions options) {
  MutexLock lock(mutex_);
  shown_catalog_ = std::move(catalog);
  options_ = std::move(options);
  plan_ = MakePlan(options_.sampling, topology_.limits);
  for (DeviceView& device : devices_) device.UseCatalog(*shown_catalog_);
  call_metrics_.Show(*shown_catalog_);
  layout_ = nullptr;
  Hurry(parts_.clock->Now().time_since_epoch().count());
}

void Publisher::Use(std::shared_ptr<Berth> berth) {
  MutexLock lock(mutex_);
  if (beside_ && berth == beside_->berth) {
    main_ = std::exchange(beside_, std::nullopt);
  } else {
    main_.reset();
    if (berth != nullptr) main_.emplace(Source{.berth = std::move(berth)});
  }
  if (main_ && main_->topology) {
    topology_ = *main_->topology;
    Rebind();
  } else {  // until it tells of its devices, nobody samples those that are known
    for (TopologyDevice& device : topology_.devices) {
      device.waiting = device.waiting || device.channel != nullptr;
      device.channel = nullptr;
    }
    Rebind();
  }
  Hurry(parts_.clock->Now().time_since_epoch().count());
}

void Publisher::Accompany(std::shared_ptr<Berth> berth) {
  MutexLock lock(mutex_);
  beside_.reset();
  if (berth != nullptr) beside_.emplace(Source{.berth = std::move(berth)});
  AccompanyDevices();
}

bool Publisher::SetAbsence(std::optional<DriverState> why) {
  MutexLock lock(mutex_);
  if (absence_ == why) return false;
  absence_ = why;
  if (why == DriverState::kReleased) {
    for (DeviceView& device : devices_) device.Release();
  }
  Hurry(parts_.clock->Now().time_since_epoch().count());
  return true;
}

Mono Publisher::Step() {
  MutexLock lock(mutex_);
  return StepLocked();
}

void Publisher::Refresh() {
  if (!Late(parts_.clock->Now().time_since_epoch().count())) return;
  MutexLock lock(mutex_);
  StepLocked();
}

// Later than the publisher's thread could be by mere chance: it, or the whole process, was held up.
bool Publisher::Late(std::int64_t now) const {
  constexpr std::int64_t kGrace = 50'000'000;
  return now - kGrace > next_step_.load(std::memory_order_relaxed);
}

bool Publisher::Knows(std::int32_t device) const {
  return std::ranges::any_of(devices_, [&](const DeviceView& known) {
    return known.page_device().found.device == device;
  });
}

bool Publisher::Sampled(std::int32_t device, bool beside) const {
  const auto view = std::ranges::find_if(devices_, [&](const DeviceView& known) {
    return known.page_device().found.device == device;
  });
  if (view == devices_.end()) return false;
  return view->sampled_by((beside ? view->beside() : view->channel()).get());
}

Mono Publisher::StepLocked() {
  std::atomic<std::uint32_t>& armed = parts_.board->bell.armed;
  armed.store(0);
  const std::int64_t now = parts_.clock->Now().time_since_epoch().count();
  const bool late = Late(now);
  if (Drain(now) && dirty_since_ == 0) dirty_since_ = now;
  Watch(now);
  WatchLook(now);
  std::vector<DeviceState> states = States(now);
  if (states != states_) Hurry(now);
  // What was shown before a long pause is not shown again.
  if (late || now >= NextPublish() || last_published_ == 0) Publish(now, states);
  std::int64_t next = NextPublish();
  if (LookDeadline() > now) next = std::min(next, LookDeadline());
  for (const DeviceView& device : devices_) {
    next = std::min(next, device.NextCheck(now, plan_));
  }
  if (dirty_since_ == 0) {  // sleep until somebody knocks; see Knock for what comes just now
    armed.store(1);
    if (Drain(now)) {
      armed.store(0);
      dirty_since_ = now;
      next = std::min(next, NextPublish());
    }
  }
  next_step_.store(next, std::memory_order_relaxed);
  return next == kNever ? Mono::max() : Mono(nanoseconds(next));
}

std::int64_t Publisher::NextPublish() const {
  const std::int64_t usual =
      dirty_since_ == 0 ? kNever
                        : std::max(dirty_since_ + kGather, last_published_ + kLeastBetween);
  return urgent_since_ == 0 ? usual : std::min(usual, urgent_since_ + kGather);
}

void Publisher::Hurry(std::int64_t now) {
  if (urgent_since_ == 0) urgent_since_ = now;
}

// True if there was anything.
bool Publisher::Drain(std::int64_t now) {
  bool news = false;
  if (TakeTopology(main_)) {
    topology_ = *main_->topology;
    plan_ = MakePlan(options_.sampling, topology_.limits);
    discovered_ = true;
    Rebind();
    Hurry(now);
    news = true;
  }
  if (TakeTopology(beside_)) {
    AccompanyDevices();
    news = true;
  }
  for (DeviceView& device : devices_) {
    news = DrainRing(device, device.channel().get(), now) || news;
    news = DrainRing(device, device.beside().get(), now) || news;
    if (device.TakeSeriesChanged()) layout_ = nullptr;
  }
  return news;
}

bool Publisher::DrainRing(DeviceView& device, DeviceChannel* channel, std::int64_t now) {
  if (channel == nullptr) return false;
  bool news = false;
  std::size_t bytes = 0;
  // No more than there can be: a hostile host could go on for ever, or tell of the same bytes again
  // and again.
  for (std::size_t i = 0; i < RecordRing::kRecords && bytes < RecordRing::kBytes; ++i) {
    const std::optional<std::size_t> size = channel->ring.Pop(*record_);
    if (!size) break;
    bytes += *size;
    if (!ReadBlock(std::span(*record_).first(*size), block_)) continue;
    call_metrics_.Count(block_, device);
    // A call may have begun after this step did.
    const std::int64_t arrived = std::max(now, parts_.clock->Now().time_since_epoch().count());
    const double wall = static_cast<double>(absl::ToUnixNanos(parts_.clock->Wall())) / 1e9;
    device.Apply(block_, {channel, arrived, wall, &plan_});
    news = true;
  }
  return news;
}

bool Publisher::Held(const DeviceView& device, std::int64_t now) const {
  const Holds::Device* const held = parts_.board->holds.Find(device.page_device().found.device);
  return held != nullptr && held->whole.load() > now;
}

void Publisher::Watch(std::int64_t now) {
  int stuck = 0;
  for (DeviceView& device : devices_) {
    if (device.Expire(now, plan_) && dirty_since_ == 0) dirty_since_ = now;
    device.Watch(now, plan_, Held(device, now));
    const std::uint64_t call = device.StuckCall(now);
    call_metrics_.CountTimeout(call, device);
    stuck += call != 0 ? 1 : 0;
  }
  parts_.own->stuck_calls.Set(stuck);
}

std::int64_t Publisher::LookDeadline() const {
  return main_ ? main_->berth->look_deadline_ns.load() : 0;
}

void Publisher::WatchLook(std::int64_t now) {
  const std::int64_t deadline = LookDeadline();
  const bool hangs = deadline > 0 && now >= deadline;
  if (hangs == look_hangs_) return;
  look_hangs_ = hangs;
  Hurry(now);
  if (hangs) {
    spdlog::error("the search for devices hangs in the driver");
  } else {
    spdlog::info("the search for devices has returned");
  }
}

std::vector<DeviceState> Publisher::States(std::int64_t now) const {
  std::vector<DeviceState> states;
  for (const DeviceView& device : devices_) states.push_back(device.State(now, plan_));
  return states;
}

}  // namespace ascend

#include "exporter/engine/publisher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "collectors/health.h"

namespace ascend {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
// All devices are sampled at the same moments: wait for those that answer a little later.
constexpr std::int64_t kGather = 10'000'000;
constexpr std::int64_t kLeastBetween = 100'000'000;

constexpr std::size_t kMostRemembered = 1024;  // devices, of which most are not there any more
// The tools that a host may tell of.
constexpr std::string_view kTools[] = {"npu-smi", "hccn_tool"};

constexpr std::array<std::string_view, kDeviceStates> kStateWords = {
    "healthy", "unhealthy", "hung in a driver call", "lost",
    "without fresh values, or of unknown health"};

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

bool Publisher::TakeTopology(std::optional<Source>& source) {
  if (!source) return false;
  std::optional<Topology> news = ReadTopology(source->berth);
  if (!news) return false;
  source->topology = std::move(news);
  for (const TopologyDevice& device : source->topology->devices) {
    source->listed.insert(device.found.device);
  }
  CountNews(*source);
  return true;
}

void Publisher::CountNews(Source& source) {
  const auto grow = [](auto& counter, std::uint64_t now, std::uint64_t& before) {
    if (now > before) counter.Increment(static_cast<double>(now - before));
    before = std::max(before, now);
  };
  grow(parts_.own->duplicate_devices, source.topology->duplicate_devices,
       source.counted_duplicates);
  for (const auto& [tool, lines] : source.topology->unknown_lines) {
    if (std::ranges::find(kTools, tool) == std::end(kTools)) continue;
    grow(parts_.own->unknown_lines.Add({{"tool", tool}}), lines, source.counted_lines[tool]);
  }
}

void Publisher::Rebind() {
  std::vector<DeviceView> devices;
  for (const TopologyDevice& device : AllDevices()) {
    const auto known = std::ranges::find_if(devices_, [&](const DeviceView& view) {
      return view.page_device().found.device == device.found.device;
    });
    if (known == devices_.end()) {
      devices.emplace_back(catalog_, device, options_.sampling.window);
      devices.back().UseCatalog(*shown_catalog_);
    } else {
      known->Rebind(device);
      devices.push_back(std::move(*known));
    }
  }
  devices_ = std::move(devices);
  RememberMost();
  layout_ = nullptr;
  AccompanyDevices();
  ShowRefused();
}

// The devices to show, by id. One that was lost when this host began is not known to it: it stays
// as long as if it was.
std::vector<TopologyDevice> Publisher::AllDevices() {
  const std::int64_t now = parts_.clock->Now().time_since_epoch().count();
  std::vector<TopologyDevice> all = topology_.devices;
  std::map<std::int32_t, std::int64_t> carried;
  for (const DeviceView& view : devices_) {
    const FoundDevice& found = view.page_device().found;
    const bool known = std::ranges::any_of(topology_.devices, [&](const TopologyDevice& device) {
      return device.found.device == found.device;
    });
    if (known || !main_ || main_->listed.contains(found.device)) continue;
    const auto since = carried_.find(found.device);
    const std::int64_t lost = since == carried_.end() ? now : since->second;
    if (now - lost >= options_.lost_retention.count()) continue;
    carried[found.device] = lost;
    // A host that could not look for devices says nothing of them.
    const bool unsure =
        topology_.state != DriverState::kOk && topology_.state != DriverState::kNoDevices;
    all.push_back({.found = found, .waiting = unsure});
  }
  carried_ = std::move(carried);
  std::ranges::sort(all, {}, [](const TopologyDevice& device) { return device.found.device; });
  return all;
}

void Publisher::RememberMost() {
  const auto there = std::ranges::count_if(topology_.devices, [](const TopologyDevice& device) {
    return device.channel != nullptr || device.waiting;
  });
  std::atomic<std::int32_t>& remembered = parts_.board->front.most_devices;
  most_devices_ = std::max({most_devices_, static_cast<int>(there),
                            topology_.most_devices.value_or(0), int{remembered.load()}});
  remembered.store(most_devices_);
}

void Publisher::AccompanyDevices() {
  for (DeviceView& view : devices_) {
    const TopologyDevice* other = nullptr;
    if (beside_ && beside_->topology) {
      const auto same = std::ranges::find(beside_->topology->devices, view.page_device().found,
                                          &TopologyDevice::found);
      if (same != beside_->topology->devices.end()) other = &*same;
    }
    view.Accompany(other);
  }
}

void Publisher::ShowRefused() {
  for (prometheus::Gauge* gauge : refused_) parts_.own->driver_refused.Remove(gauge);
  refused_.clear();
  for (const auto& [backend, state] : topology_.refused) {
    const auto name = kDriverStateNames[static_cast<std::size_t>(state)];
    refused_.push_back(
        &parts_.own->driver_refused.Add({{"backend", backend}, {"state", std::string(name)}}));
    refused_.back()->Set(1);
  }
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

void Publisher::Publish(std::int64_t now, const std::vector<DeviceState>& states) {
  if (layout_ == nullptr) {
    std::vector<PageDevice> page_devices;
    for (const DeviceView& device : devices_) page_devices.push_back(device.page_device());
    layout_ = MakeLayout(*shown_catalog_, topology_.driver, page_devices);
  }
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->layout = layout_;
  snapshot->discovered = discovered_;
  snapshot->values.resize(layout_->value_count);
  std::vector<std::int32_t> cards;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    FillDevice(i, now, *snapshot);
    cards.push_back(devices_[i].page_device().found.address.card);
  }
  card_values_.Merge(cards, snapshot->values);
  for (const auto& [shown, twin] : layout_->twins) {
    if (!snapshot->values[shown]) snapshot->values[shown] = snapshot->values[twin];
  }
  FillNode(states, *snapshot);
  call_metrics_.UpdateSuccess(devices_);
  parts_.store->Store(std::move(snapshot));

  const bool trouble = SayChanges(states, Mono(nanoseconds(now)));
  states_ = states;
  urgent_since_ = 0;
  dirty_since_ = 0;
  last_published_ = now;
  if (trouble) parts_.on_trouble();
}

// One line for all devices that came into the same state. True if one is newly in a trouble that
// another look for devices could explain.
bool Publisher::SayChanges(const std::vector<DeviceState>& states, Mono now) {
  // A host that is not to be trusted could name others for ever.
  if (said_.size() > kMostRemembered) said_.clear();
  std::map<DeviceState, std::vector<std::string>> changed;
  bool trouble = false;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const DeviceState state = states[i];
    const bool is_news = i >= states_.size() || states_[i] != state;
    trouble = trouble || (is_news && (state == DeviceState::kHung || state == DeviceState::kLost));
    const int id = devices_[i].page_device().found.device;
    Said& said = said_[id];
    if (said.state ? *said.state == state : state == DeviceState::kUnknown) continue;
    if (!said.budget.Take(now)) continue;
    said.state = state;
    changed[state].push_back(state == DeviceState::kHung
                                 ? fmt::format("{} ({})", id, devices_[i].LastCollector())
                                 : std::to_string(id));
  }
  for (const auto& [state, ids] : changed) {
    const std::optional<std::size_t> left_out = log_budget_.Take(now);
    if (!left_out) continue;
    if (*left_out > 0) spdlog::warn("{} lines about devices were left out", *left_out);
    const bool good = state == DeviceState::kHealthy;
    spdlog::log(good ? spdlog::level::info : spdlog::level::warn, "{} {}: {}",
                ids.size() == 1 ? "device" : "devices", fmt::join(ids, ", "),
                kStateWords[static_cast<std::size_t>(state)]);
  }
  return trouble;
}

void Publisher::FillDevice(std::size_t index, std::int64_t now, Snapshot& snapshot) {
  const DeviceView& device = devices_[index];
  const auto first =
      snapshot.values.begin() + static_cast<std::ptrdiff_t>(DeviceValue(catalog_, index, 0));
  std::ranges::copy(device.values(), first);
  const auto slot = [&](DeviceRow row) -> std::optional<double>& {
    return snapshot.values[DeviceValue(catalog_, index, catalog_.SlotOf(row))];
  };
  if (device.page_device().identity) slot(kInfoRow) = 1;
  slot(kUpRow) = device.Up(now, plan_) ? 1 : 0;
  slot(kLastSampleRow) = device.last_answer_wall();
  std::ranges::copy(
      device.open_values(),
      snapshot.values.begin() + static_cast<std::ptrdiff_t>(layout_->first_open[index]));
}

void Publisher::FillNode(const std::vector<DeviceState>& states, Snapshot& snapshot) {
  const auto slot = [&](std::size_t row, std::size_t state = 0) -> std::optional<double>& {
    const std::size_t first = catalog_.SlotOf(static_cast<NodeRow>(row));
    return snapshot.values[NodeValue(catalog_, devices_.size(), first + state)];
  };
  for (std::size_t i = 0; i < kDeviceStates; ++i) {
    slot(kDevicesRow + i) =
        static_cast<double>(std::ranges::count(states, static_cast<DeviceState>(i)));
  }
  if (options_.expected_devices || most_devices_ > 0) {
    slot(kDevicesExpectedRow) = options_.expected_devices.value_or(most_devices_);
  }
  if (topology_.device_nodes) slot(kDeviceNodesRow) = *topology_.device_nodes;
  if (!topology_.driver.backend.empty()) slot(kDriverInfoRow) = 1;
  if (topology_.driver_health) {
    for (std::size_t i = 0; i < kHealthNames.size(); ++i) {
      slot(kDriverHealthRow, i) = static_cast<std::size_t>(*topology_.driver_health) == i ? 1 : 0;
    }
  }
  if (!discovered_ && !look_hangs_ && !absence_) return;
  const DriverState state = State();
  slot(kDriverUpRow) = state == DriverState::kOk ? 1 : 0;
  for (std::size_t i = 0; i < kDriverStateNames.size(); ++i) {
    slot(kDriverStateRow, i) = static_cast<std::size_t>(state) == i ? 1 : 0;
  }
}

DriverState Publisher::State() const {
  if (absence_) return *absence_;
  return look_hangs_ ? DriverState::kHung : topology_.state;
}

}  // namespace ascend

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

constexpr std::array<std::string_view, kDeviceStates> kStateWords = {
    "healthy", "unhealthy", "hung in a driver call", "lost",
    "without fresh values, or of unknown health"};

}  // namespace

Publisher::Publisher(Parts parts)
    : parts_(std::move(parts)),
      catalog_(*parts_.catalog),
      call_metrics_(catalog_, *parts_.own),
      card_values_(catalog_) {}

void Publisher::SetTopology(Topology topology) {
  MutexLock lock(mutex_);
  inbox_ = std::move(topology);
}

Mono Publisher::Step() {
  const std::int64_t now = parts_.clock->Now().time_since_epoch().count();
  TakeTopology(now);
  Drain(now);
  Watch(now);
  WatchLook(now);
  std::vector<DeviceState> states = States(now);
  if (states != states_) Hurry(now);
  if (now >= NextPublish() || last_published_ == 0) Publish(now, states);
  std::int64_t next = NextPublish();
  const std::int64_t look_deadline = parts_.look_deadline_ns->load();
  if (look_deadline > now) next = std::min(next, look_deadline);
  for (const DeviceView& device : devices_) {
    next = std::min(next, device.NextCheck(now, topology_.plan));
  }
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

void Publisher::TakeTopology(std::int64_t now) {
  std::optional<Topology> news;
  {
    MutexLock lock(mutex_);
    news.swap(inbox_);
  }
  if (!news) return;
  topology_ = std::move(*news);
  discovered_ = true;
  Hurry(now);
  Rebind();
  ShowRefused();
}

void Publisher::Rebind() {
  std::vector<DeviceView> devices;
  for (const TopologyDevice& device : topology_.devices) {
    const auto known = std::ranges::find_if(devices_, [&](const DeviceView& view) {
      return view.page_device().found.device == device.found.device;
    });
    if (known == devices_.end()) {
      devices.emplace_back(catalog_, device);
    } else {
      known->Rebind(device);
      devices.push_back(std::move(*known));
    }
  }
  devices_ = std::move(devices);
  most_devices_ = std::max(most_devices_, devices_.size());
  layout_ = nullptr;
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

void Publisher::Drain(std::int64_t now) {
  for (DeviceView& device : devices_) {
    if (device.channel() == nullptr) continue;
    BlockRing& ring = device.channel()->ring;
    while (const GroupBlock* block = ring.Front()) {
      call_metrics_.Count(*block, device);
      device.Apply(*block);
      ring.Pop();
      if (dirty_since_ == 0) dirty_since_ = now;
    }
    if (device.TakeSeriesChanged()) layout_ = nullptr;
  }
}

void Publisher::Watch(std::int64_t now) {
  int stuck = 0;
  for (DeviceView& device : devices_) {
    if (device.Expire(now, topology_.plan) && dirty_since_ == 0) dirty_since_ = now;
    device.Watch(now, topology_.plan);
    const std::uint64_t call = device.StuckCall(now);
    call_metrics_.CountTimeout(call, device);
    stuck += call != 0 ? 1 : 0;
  }
  parts_.own->stuck_calls.Set(stuck);
}

void Publisher::WatchLook(std::int64_t now) {
  const std::int64_t deadline = parts_.look_deadline_ns->load();
  const bool hangs = deadline != 0 && now >= deadline;
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
  for (const DeviceView& device : devices_) states.push_back(device.State(now, topology_.plan));
  return states;
}

void Publisher::Publish(std::int64_t now, const std::vector<DeviceState>& states) {
  if (layout_ == nullptr) {
    std::vector<PageDevice> page_devices;
    for (const DeviceView& device : devices_) page_devices.push_back(device.page_device());
    layout_ = MakeLayout(catalog_, topology_.driver, page_devices);
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
  slot(kUpRow) = device.Up(now, topology_.plan) ? 1 : 0;
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
  if (topology_.expected_devices || most_devices_ > 0) {
    slot(kDevicesExpectedRow) =
        topology_.expected_devices.value_or(static_cast<int>(most_devices_));
  }
  if (topology_.device_nodes) slot(kDeviceNodesRow) = *topology_.device_nodes;
  if (!topology_.driver.backend.empty()) slot(kDriverInfoRow) = 1;
  if (topology_.driver_health) {
    for (std::size_t i = 0; i < kHealthNames.size(); ++i) {
      slot(kDriverHealthRow, i) = static_cast<std::size_t>(*topology_.driver_health) == i ? 1 : 0;
    }
  }
  if (!discovered_ && !look_hangs_) return;
  const DriverState state = look_hangs_ ? DriverState::kHung : topology_.state;
  slot(kDriverUpRow) = state == DriverState::kOk ? 1 : 0;
  for (std::size_t i = 0; i < kDriverStateNames.size(); ++i) {
    slot(kDriverStateRow, i) = static_cast<std::size_t>(state) == i ? 1 : 0;
  }
}

}  // namespace ascend

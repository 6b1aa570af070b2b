// What a snapshot shows, and what the log says of the devices on it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>

#include "collectors/health.h"
#include "exporter/engine/publisher.h"

namespace ascend {
namespace {

constexpr std::size_t kMostRemembered = 1024;  // devices, of which most are not there any more

constexpr std::array<std::string_view, kDeviceStates> kStateWords = {
    "healthy", "unhealthy", "hung in a driver call", "lost",
    "without fresh values, or of unknown health"};

}  // namespace

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

// Which devices there are, by what the hosts tell.
#include <algorithm>
#include <iterator>
#include <map>

#include "exporter/engine/publisher.h"

namespace ascend {
namespace {

// The tools that a host may tell of.
constexpr std::string_view kTools[] = {"npu-smi", "hccn_tool"};

}  // namespace

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
    if (known || (main_ && main_->listed.contains(found.device))) continue;
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

}  // namespace ascend

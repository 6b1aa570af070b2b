#include "exporter/border/topology_record.h"

#include <algorithm>
#include <cstring>

#include "hal/fixed_list.h"
#include "hal/fixed_text.h"

namespace ascend {
namespace {

constexpr std::int32_t kNone = -1;
constexpr std::size_t kMaxTools = 8;

// As it crosses the border: bytes only. kNone stands for a number that is absent.
struct DeviceEntry {
  std::int32_t card, chip, device, logic_id, channel;
  std::uint32_t worker, waiting;
};
struct RefusedEntry {
  FixedText<15> backend;
  std::uint8_t state = 0;
};
struct ToolEntry {
  FixedText<31> tool;
  std::uint64_t lines = 0;
};
struct Record {
  FixedText<15> backend;
  FixedText<63> library_version, driver_version;
  FixedText<15> device_id_source;
  std::uint8_t state = 0;
  std::int32_t most_devices = kNone, device_nodes = kNone, driver_health = kNone;
  std::int64_t min_period_ns = 0, min_deadline_ns = 0;
  std::uint64_t duplicate_devices = 0;
  std::uint32_t refused_used = 0, tools_used = 0, devices_used = 0;
  std::array<RefusedEntry, kMaxOpenings> refused;
  std::array<ToolEntry, kMaxTools> tools;
  std::array<DeviceEntry, kMaxDevices> devices;
};
static_assert(std::is_trivially_copyable_v<Record>);

constexpr std::int64_t kMostLimit = 3'600'000'000'000;  // no driver asks for more than an hour

std::int32_t ChannelIndex(const Berth& berth, const DeviceChannel* channel) {
  return channel == nullptr ? kNone : static_cast<std::int32_t>(channel - berth.channels.data());
}

std::optional<std::int32_t> Present(std::int32_t value) {
  return value == kNone ? std::nullopt : std::optional(value);
}

DriverState ToState(std::uint8_t value) {
  return value < kDriverStateNames.size() ? static_cast<DriverState>(value)
                                          : DriverState::kInitFailed;
}

void WriteDevices(const Topology& topology, const Berth& berth, Record& record) {
  for (const TopologyDevice& device : topology.devices) {
    if (record.devices_used == kMaxDevices) return;
    const FoundDevice& found = device.found;
    record.devices[record.devices_used++] = {found.address.card,
                                             found.address.chip,
                                             found.device,
                                             found.logic_id.value_or(kNone),
                                             ChannelIndex(berth, device.channel.get()),
                                             device.worker,
                                             device.waiting ? 1U : 0U};
  }
}

std::vector<TopologyDevice> ReadDevices(const Record& record, const std::shared_ptr<Berth>& berth) {
  std::vector<TopologyDevice> devices;
  for (const DeviceEntry& entry :
       std::span(record.devices).first(std::min<std::size_t>(record.devices_used, kMaxDevices))) {
    if (entry.device < 0 || entry.device == INT32_MAX) continue;
    TopologyDevice& device = devices.emplace_back();
    device.found = {{entry.card, entry.chip}, entry.device, Present(entry.logic_id)};
    device.worker = entry.worker;
    device.waiting = entry.waiting != 0;
    if (entry.channel >= 0 && static_cast<std::size_t>(entry.channel) < kMaxChannels) {
      device.channel = {berth, &berth->channels[static_cast<std::size_t>(entry.channel)]};
    }
  }
  std::ranges::sort(devices, {}, [](const TopologyDevice& d) { return d.found.device; });
  const auto same_id = [](const TopologyDevice& a, const TopologyDevice& b) {
    return a.found.device == b.found.device;
  };
  devices.erase(std::unique(devices.begin(), devices.end(), same_id), devices.end());
  return devices;
}

Topology FromRecord(const Record& record, const std::shared_ptr<Berth>& berth) {
  Topology topology;
  topology.driver = {record.backend.str(), record.library_version.str(),
                     record.driver_version.str(), record.device_id_source.str()};
  topology.state = ToState(record.state);
  topology.limits = {nanoseconds(std::clamp<std::int64_t>(record.min_period_ns, 0, kMostLimit)),
                     nanoseconds(std::clamp<std::int64_t>(record.min_deadline_ns, 0, kMostLimit))};
  topology.most_devices = Present(std::clamp<std::int32_t>(record.most_devices, kNone, 1024));
  topology.device_nodes = Present(std::clamp<std::int32_t>(record.device_nodes, kNone, 1 << 20));
  if (record.driver_health >= 0 &&
      record.driver_health <= static_cast<std::int32_t>(Health::kUnknown)) {
    topology.driver_health = static_cast<Health>(record.driver_health);
  }
  topology.duplicate_devices = record.duplicate_devices;
  for (std::size_t i = 0; i < std::min<std::size_t>(record.refused_used, kMaxOpenings); ++i) {
    const RefusedEntry& entry = record.refused[i];
    topology.refused.emplace_back(entry.backend.str(), ToState(entry.state));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(record.tools_used, kMaxTools); ++i) {
    topology.unknown_lines.emplace_back(record.tools[i].tool.str(), record.tools[i].lines);
  }
  topology.devices = ReadDevices(record, berth);
  return topology;
}

}  // namespace

bool PushTopology(const Topology& topology, Berth& berth) {
  Record record;
  record.backend = topology.driver.backend;
  record.library_version = topology.driver.library_version;
  record.driver_version = topology.driver.driver_version;
  record.device_id_source = topology.driver.device_id_source;
  record.state = static_cast<std::uint8_t>(topology.state);
  record.most_devices = topology.most_devices.value_or(kNone);
  record.device_nodes = topology.device_nodes.value_or(kNone);
  if (topology.driver_health) {
    record.driver_health = static_cast<std::int32_t>(*topology.driver_health);
  }
  record.min_period_ns = topology.limits.min_period.count();
  record.min_deadline_ns = topology.limits.min_deadline.count();
  record.duplicate_devices = topology.duplicate_devices;
  for (const auto& [backend, state] : topology.refused) {
    if (record.refused_used == kMaxOpenings) break;
    record.refused[record.refused_used++] = {backend, static_cast<std::uint8_t>(state)};
  }
  for (const auto& [tool, lines] : topology.unknown_lines) {
    if (record.tools_used == kMaxTools) break;
    record.tools[record.tools_used++] = {tool, lines};
  }
  WriteDevices(topology, berth, record);
  return berth.topology.Push({std::as_bytes(std::span(&record, 1))});
}

std::optional<Topology> ReadTopology(const std::shared_ptr<Berth>& berth) {
  std::optional<Topology> newest;
  Record record;
  const auto bytes = std::as_writable_bytes(std::span(&record, 1));
  // No more than there can be: a hostile host could go on for ever.
  for (std::size_t i = 0; i < RecordRing::kRecords; ++i) {
    const std::optional<std::size_t> size = berth->topology.Pop(bytes);
    if (!size) break;
    if (*size == sizeof(Record)) newest = FromRecord(record, berth);
  }
  return newest;
}

}  // namespace ascend

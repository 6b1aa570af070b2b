// What a search for devices found, as a driver host tells the front.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exporter/border/berth.h"
#include "hal/driver_state.h"
#include "hal/npu_driver.h"
#include "hal/readings.h"

namespace ascend {

struct TopologyDevice {
  FoundDevice found;
  std::shared_ptr<DeviceChannel> channel{};  // null: nobody samples the device
  std::uint32_t worker = 0;  // who samples it; a channel may hold blocks of an earlier one
  // It is there, but an old call is still inside the driver: it is not lost, and not to be called
  // yet.
  bool waiting = false;
};

struct Topology {
  DriverInfo driver;  // empty backend: no driver
  DriverState state = DriverState::kInitFailed;
  DriverLimits limits;
  std::vector<TopologyDevice> devices;  // by device id, each id once
  std::optional<int> most_devices;      // ever seen on this host
  std::optional<int> device_nodes;
  std::optional<Health> driver_health;
  // Drivers that were tried before the one in use and why they could not be: backend, state.
  std::vector<std::pair<std::string, DriverState>> refused;
  // Since the host started.
  std::uint64_t duplicate_devices = 0;
  std::vector<std::pair<std::string, std::uint64_t>> unknown_lines;  // by tool
};

// The channels are those of `berth`. False: the ring is full.
bool PushTopology(const Topology& topology, Berth& berth);

// The newest one that waits in the berth, which may come from a hostile sender: enumerations are in
// range, no id occurs twice, and each channel is one of the berth's. Nothing if there is none.
std::optional<Topology> ReadTopology(const std::shared_ptr<Berth>& berth);

}  // namespace ascend

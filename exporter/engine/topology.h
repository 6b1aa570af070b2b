// What discovery tells the publisher.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exporter/engine/group_block.h"
#include "exporter/engine/sampling_plan.h"
#include "hal/driver_state.h"
#include "hal/readings.h"

namespace ascend {

struct TopologyDevice {
  FoundDevice found;
  std::shared_ptr<DeviceChannel> channel;  // null: nobody samples the device
  // It is there, but an old call is still inside the driver: it is not lost, and not to be called
  // yet.
  bool waiting = false;
};

struct Topology {
  DriverInfo driver;  // empty backend: no driver
  DriverState state = DriverState::kInitFailed;
  SamplingPlan plan;
  std::vector<TopologyDevice> devices;  // by device id, each id once
  std::optional<int> expected_devices;
  std::optional<int> device_nodes;
  std::optional<Health> driver_health;
  // Drivers that were tried before the one in use and why they could not be: backend, state.
  std::vector<std::pair<std::string, DriverState>> refused;
};

}  // namespace ascend

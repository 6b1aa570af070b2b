#include <algorithm>

#include "hal/sim/builtin_chip.h"

namespace ascend::sim {
namespace {

constexpr BytesPerSecond kPortSpeed{25e9};  // 200 Gbit/s
constexpr std::uint32_t kOpticalLanes = 4;
constexpr std::uint32_t kUdies = 2;
constexpr std::uint32_t kPortsOfUdie = 8;
constexpr std::uint32_t kEthernetPort = 0;  // of each die: carries Ethernet too

void AddPort(Network& network, std::uint32_t index, std::size_t counters) {
  NetworkPort port;
  port.index = index;
  port.up = port.address_configured = Count{1};
  port.speed = kPortSpeed;
  port.up_changes = Count{1};
  // Only ports of a 950 tell how often they went down.
  if (index != 0) port.down_changes = Count{0};
  network.link.ports.Add(port);
  network.bandwidth.ports.Add({index, BytesPerSecond{0}, BytesPerSecond{0}});
  PortCounters values;
  values.index = index;
  std::fill_n(values.values.begin(), counters, Count{0});
  network.counters.ports.Add(values);
}

// The last port added tells of pauses and bad frames among its UB counters.
void DropUbCounters(Network& network) {
  using enum NetworkCounter;
  for (const NetworkCounter counter :
       {kMacTxPause, kMacRxPause, kMacTxPfc, kMacRxPfc, kMacTxBadPackets, kMacTxBadBytes,
        kMacRxBadPackets, kMacRxBadBytes}) {
    network.counters.ports.items().back()[counter].reset();
  }
}

void AddModule(OpticalReading& reading, std::uint32_t index) {
  OpticalModule module;
  module.index = index;
  module.present = Count{1};
  module.temperature = Celsius{46};
  module.voltage = Volts{3.2629};
  module.transmit_loss_of_signal = module.receive_loss_of_signal = Count{0};
  module.transmit_power_low_threshold = Watts{0.2818e-3};
  module.receive_power_low_threshold = Watts{0.1445e-3};
  reading.modules.Add(module);
  for (std::uint32_t lane = 0; lane < kOpticalLanes; ++lane) {
    reading.lanes.Add(
        {kMaxOpticalLanes * index + lane, Watts{1.4035e-3 + lane * 2e-5}, Watts{1.0189e-3}});
  }
}

// One port, known to the tool, so with all of its counters.
void AddRoce(Chip& chip) {
  auto network = std::make_shared<Network>();
  auto optical = std::make_shared<OpticalReading>();
  network->health.state = NetworkHealth::kOk;
  AddPort(*network, 0, kNetworkCounters);
  AddModule(*optical, 0);
  chip.network = network;
  chip.optical = optical;
}

void AddUb(Chip& chip) {
  auto network = std::make_shared<Network>();
  auto optical = std::make_shared<OpticalReading>();
  auto ub = std::make_shared<UbReading>();
  network->health.state = NetworkHealth::kOk;
  for (std::uint32_t udie = 0; udie < kUdies; ++udie) {
    for (std::uint32_t number = 0; number < kPortsOfUdie; ++number) {
      const bool ethernet = number == kEthernetPort;
      UbPort port;
      port.index = PortIndex(udie, number);
      port.up = Count{1};
      std::fill_n(port.values.begin(), ethernet ? kUbCounters : kUbPortCounters, Count{0});
      ub->ports.Add(port);
      if (!ethernet) continue;
      AddPort(*network, port.index, kNetworkStructCounters);
      DropUbCounters(*network);
      AddModule(*optical, port.index);
    }
  }
  chip.network = network;
  chip.optical = optical;
  chip.ub = ub;
}

}  // namespace

void AddNetwork(Chip& chip) {
  switch (chip.identity.family) {
    case ChipFamily::k910B:
    case ChipFamily::k910_93:
      AddRoce(chip);
      break;
    case ChipFamily::k950:
      AddUb(chip);
      break;
    default:
      break;
  }
}

}  // namespace ascend::sim

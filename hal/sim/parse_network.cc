// The network, the optical modules and the UB ports of a chip.
#include <array>

#include "hal/sim/counter_names.h"
#include "hal/sim/parse_chip.h"
#include "hal/sim/yaml_quantities.h"

namespace ascend::sim {
namespace {

constexpr std::array<std::string_view, 3> kNetworkHealthNames = {"ok", "faulty", "unknown"};
constexpr Bounds kMegabits{0, 1e8};
constexpr double kBytesPerMegabit = 1e6 / 8;
constexpr Bounds kMegabytes{0, 1e7};
constexpr double kBytesPerMegabyte = 1e6;
constexpr Bounds kMilliwatts{0, 1e6};
constexpr double kMilliwattsPerWatt = 1000;
// The tool's word for the counter that the library calls roce_err_qp_status_num.
constexpr std::string_view kQpStatusOfTool = "roce_qp_status_err_num";

PortCounters ParseNetworkCounters(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "counters", problems);
  PortCounters counters;
  for (std::size_t i = 0; i < kNetworkCounters; ++i) {
    counters.values[i] = ReadCount(fields, kNetworkCounterNames[i]);
  }
  if (const auto count = ReadCount(fields, kQpStatusOfTool)) {
    counters[NetworkCounter::kRoceQpStatusErrors] = count;
  }
  fields.RefuseOthers();
  return counters;
}

void ParsePort(const YamlValue& value, Network& network, YamlProblems& problems) {
  YamlFields fields(value, "ports", problems);
  NetworkPort port;
  port.index = ReadPortIndex(fields);
  port.up = ReadFlag(fields, "up");
  port.address_configured = ReadFlag(fields, "address_configured");
  port.speed = Read<BytesPerSecond>(fields, "speed_mbps", kMegabits, kBytesPerMegabit);
  port.up_changes = ReadCount(fields, "up_changes");
  port.down_changes = ReadCount(fields, "down_changes");
  const auto bandwidth = [&fields](std::string_view key) {
    return Read<BytesPerSecond>(fields, key, kMegabytes, kBytesPerMegabyte);
  };
  const PortBandwidth rates{port.index, bandwidth("transmit_mbytes_per_second"),
                            bandwidth("receive_mbytes_per_second")};
  if (const YamlValue* counters = fields.Any("counters")) {
    PortCounters parsed = ParseNetworkCounters(*counters, problems);
    parsed.index = port.index;
    AddOnce(network.counters.ports, parsed, fields, "counters");
  }
  fields.RefuseOthers();
  AddOnce(network.link.ports, port, fields, "port");
  if (rates.transmit || rates.receive) network.bandwidth.ports.Add(rates);
}

Network ParseNetworkSection(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "network", problems);
  Network network;
  if (const auto health = fields.Choice("health", kNetworkHealthNames)) {
    network.health.state = static_cast<NetworkHealth>(*health);
  }
  for (const YamlValue& item : ReadItems(fields, "ports")) ParsePort(item, network, problems);
  fields.RefuseOthers();
  return network;
}

void ParseLanes(YamlFields& module, std::uint32_t port, OpticalReading& reading) {
  const auto items = ReadItems(module, "lanes");
  if (items.size() > kMaxOpticalLanes) {
    module.Refuse("lanes",
                  fmt::format("{} lanes, want at most {}", items.size(), kMaxOpticalLanes));
  }
  std::uint32_t index = kMaxOpticalLanes * port;
  for (const YamlValue& item : items) {
    YamlFields fields(item, "lanes", module.problems());
    const OpticalLane lane{
        index++, ReadParts<Watts>(fields, "transmit_milliwatts", kMilliwatts, kMilliwattsPerWatt),
        ReadParts<Watts>(fields, "receive_milliwatts", kMilliwatts, kMilliwattsPerWatt)};
    fields.RefuseOthers();
    AddOnce(reading.lanes, lane, module, "lanes");
  }
}

void ParseModule(const YamlValue& value, OpticalReading& reading, YamlProblems& problems) {
  YamlFields fields(value, "optical", problems);
  OpticalModule module;
  module.index = ReadPortIndex(fields);
  module.present = ReadFlag(fields, "present");
  module.temperature = Read<Celsius>(fields, "temperature_celsius", kCelsius);
  module.voltage = Read<Volts>(fields, "voltage_volts", kVolts);
  module.transmit_loss_of_signal = ReadFlag(fields, "transmit_loss_of_signal");
  module.receive_loss_of_signal = ReadFlag(fields, "receive_loss_of_signal");
  const auto threshold = [&fields](std::string_view key) {
    return ReadParts<Watts>(fields, key, kMilliwatts, kMilliwattsPerWatt);
  };
  module.transmit_power_low_threshold = threshold("transmit_power_low_milliwatts");
  module.receive_power_low_threshold = threshold("receive_power_low_milliwatts");
  AddOnce(reading.modules, module, fields, "port");
  ParseLanes(fields, module.index, reading);
  fields.RefuseOthers();
}

void ParseUbPort(const YamlValue& value, UbReading& reading, YamlProblems& problems) {
  YamlFields fields(value, "ub", problems);
  UbPort port;
  port.index = ReadPortIndex(fields);
  fields.RefuseAbsent("udie");
  fields.RefuseAbsent("port");
  port.up = ReadFlag(fields, "up");
  if (const YamlValue* value_of = fields.Any("counters")) {
    YamlFields counters(*value_of, "counters", problems);
    for (std::size_t i = 0; i < kUbCounters; ++i) {
      port.values[i] = ReadCount(counters, kUbCounterNames[i]);
    }
    counters.RefuseOthers();
  }
  fields.RefuseOthers();
  AddOnce(reading.ports, port, fields, "port");
}

}  // namespace

void ParseNetwork(YamlFields& fields, Chip& chip) {
  YamlProblems& problems = fields.problems();
  if (const YamlValue* value = fields.Any("network")) {
    chip.network = std::make_shared<Network>(ParseNetworkSection(*value, problems));
  }
  if (const YamlValue* list = fields.List("optical")) {
    auto reading = std::make_shared<OpticalReading>();
    for (const YamlValue& item : list->items) ParseModule(item, *reading, problems);
    chip.optical = reading;
  }
  if (const YamlValue* list = fields.List("ub")) {
    auto reading = std::make_shared<UbReading>();
    for (const YamlValue& item : list->items) ParseUbPort(item, *reading, problems);
    chip.ub = reading;
  }
}

}  // namespace ascend::sim

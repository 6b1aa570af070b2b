// A chip as a machine description has it (docs/scenarios.md): what it is and what it reports at
// rest.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "hal/link_readings.h"
#include "hal/network_readings.h"
#include "hal/readings.h"

namespace ascend::sim {

// A part of a chip that is large, or that only few have; null where the chip lacks it. Chips that
// do not differ in it share one.
template <typename T>
using Section = std::shared_ptr<const T>;

// The lists are empty where no port has such values.
struct Network {
  NetworkHealthReading health;
  NetworkLinkReading link;
  NetworkCountersReading counters;
  NetworkBandwidthReading bandwidth;
};

using FaultDetails = std::map<std::uint32_t, FaultDetail>;

// An absent field or section is one that the chip does not support.
struct Chip {
  FoundDevice found;
  DeviceIdentity identity;
  std::optional<Health> health;
  std::vector<std::uint32_t> faults;
  Section<FaultDetails> fault_details;
  std::optional<Celsius> temperature;
  std::optional<Watts> power;
  std::optional<Watts> card_power;
  std::optional<Watts> power_limit;
  std::optional<UtilizationReading> utilization;
  std::optional<HbmReading> hbm;
  std::optional<DdrReading> ddr;
  std::optional<EccReading> ecc;
  std::optional<std::vector<ProcessReading>> processes;
  std::optional<Count> compatible;
  Section<VnpuReading> vnpus;

  std::optional<Volts> voltage;
  std::optional<ClockReading> clocks;
  std::optional<SensorReading> sensors;
  std::optional<ThrottleReading> throttle;
  Section<CoreUtilizationReading> cores;
  std::optional<MediaReading> media;
  Section<FanReading> fans;

  Section<TopologyReading> topology;
  std::optional<CpuAffinityReading> cpu_affinity;
  Section<HccsReading> hccs;
  Section<HccsBandwidthReading> hccs_bandwidth;
  std::optional<SioReading> sio;
  std::optional<PcieReading> pcie;
  std::optional<PcieBandwidthReading> pcie_bandwidth;
  std::optional<SuperPodReading> super_pod;

  Section<Network> network;
  Section<OpticalReading> optical;
  Section<UbReading> ub;
};

constexpr Bytes MiB(double count) { return Bytes{count * 1048576.0}; }
constexpr Ratio Percent(double percent) { return Ratio{percent / 100.0}; }

struct ThrottleReason {
  std::string_view name;
  std::optional<Count> ThrottleReading::*active;
};
inline constexpr std::array<ThrottleReason, 7> kThrottleReasons = {
    {{"thermal", &ThrottleReading::thermal},
     {"edp_software", &ThrottleReading::edp_software},
     {"edp_hardware", &ThrottleReading::edp_hardware},
     {"power_brake", &ThrottleReading::power_brake},
     {"power_cap", &ThrottleReading::power_cap},
     {"svfd", &ThrottleReading::svfd},
     {"load_aware", &ThrottleReading::load_aware}}};

struct Sensor {
  std::string_view name;
  std::optional<Celsius> SensorReading::*celsius;
};
inline constexpr std::array<Sensor, 11> kSensorKinds = {{{"cluster", &SensorReading::cluster},
                                                         {"peripheral", &SensorReading::peripheral},
                                                         {"aicore", &SensorReading::aicore},
                                                         {"ntc1", &SensorReading::ntc1},
                                                         {"ntc2", &SensorReading::ntc2},
                                                         {"ntc3", &SensorReading::ntc3},
                                                         {"ntc4", &SensorReading::ntc4},
                                                         {"soc", &SensorReading::soc},
                                                         {"fp_max", &SensorReading::fp_max},
                                                         {"n_die", &SensorReading::n_die},
                                                         {"hbm", &SensorReading::hbm}}};

struct PcieErrorKind {
  std::string_view name;
  std::optional<Count> PcieErrors::*count;
  bool of_kernel = false;  // kept by the kernel, so a reset of the chip does not touch it
};
inline constexpr std::array<PcieErrorKind, 12> kPcieErrorKinds = {
    {{"symbol_unlock", &PcieErrors::symbol_unlock},
     {"pcs_receive", &PcieErrors::pcs_receive},
     {"phy_lane", &PcieErrors::phy_lane},
     {"data_link_lcrc", &PcieErrors::data_link_lcrc},
     {"data_link_dcrc", &PcieErrors::data_link_dcrc},
     {"transmit", &PcieErrors::transmit},
     {"receive", &PcieErrors::receive},
     {"ecrc", &PcieErrors::ecrc},
     {"retry", &PcieErrors::retry},
     {"correctable", &PcieErrors::correctable, true},
     {"nonfatal", &PcieErrors::nonfatal, true},
     {"fatal", &PcieErrors::fatal, true}}};

struct PcieTraffic {
  std::string_view name;
  std::optional<BytesPerSecond> PcieBandwidthReading::*bandwidth;
};
inline constexpr std::array<PcieTraffic, 6> kPcieTraffic = {
    {{"transmit_posted", &PcieBandwidthReading::transmit_posted},
     {"transmit_nonposted", &PcieBandwidthReading::transmit_nonposted},
     {"transmit_completion", &PcieBandwidthReading::transmit_completion},
     {"receive_posted", &PcieBandwidthReading::receive_posted},
     {"receive_nonposted", &PcieBandwidthReading::receive_nonposted},
     {"receive_completion", &PcieBandwidthReading::receive_completion}}};

}  // namespace ascend::sim

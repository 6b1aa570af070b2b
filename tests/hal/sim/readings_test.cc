// Every key of a chip beyond the first ones, as the reading that it becomes.
#include <array>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/sim/counter_names.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

using testing::ElementsAre;

constexpr DeviceAddress kChip{0, 0};
constexpr nanoseconds kNoWindow{0};

// A chip with these keys, which reports exactly its description.
std::shared_ptr<NpuDriver> OpenedChip(const std::string& keys, Clock& clock) {
  return OpenedText("load: steady\nmachine:\n  chips:\n    - device: 0\n      npu_id: 0\n" + keys,
                    clock);
}

class ReadingsTest : public testing::Test {
 protected:
  std::shared_ptr<NpuDriver> Open(const std::string& keys) {
    auto driver = OpenedChip(keys, clock_);
    clock_.Advance(std::chrono::minutes(7));
    return driver;
  }

 private:
  VirtualClock clock_;
};

TEST_F(ReadingsTest, VoltageAndPowerLimit) {
  const auto driver = Open("      voltage_volts: 0.8\n      power_limit_watts: 400\n");
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadVoltage(kChip)->chip, Volts{0.8});
  EXPECT_EQ(driver->ReadPowerLimit(kChip)->limit, Watts{400});
}

TEST_F(ReadingsTest, ClocksAreHertz) {
  const auto driver = Open(
      "      clocks: {aicore_mhz: 1650, aicore_max_mhz: 1800, vectorcore_mhz: 1640, "
      "ctrlcpu_mhz: 2000, hbm_mhz: 1600, ddr_mhz: 3200}\n");
  ASSERT_TRUE(driver);
  const auto clocks = driver->ReadClocks(kChip);
  EXPECT_EQ(clocks->aicore, Hertz{1.65e9});
  EXPECT_EQ(clocks->aicore_max, Hertz{1.8e9});
  EXPECT_EQ(clocks->vectorcore, Hertz{1.64e9});
  EXPECT_EQ(clocks->ctrlcpu, Hertz{2e9});
  EXPECT_EQ(clocks->hbm, Hertz{1.6e9});
  EXPECT_EQ(clocks->ddr, Hertz{3.2e9});
}

TEST_F(ReadingsTest, Sensors) {
  const auto driver = Open(
      "      sensors: {cluster: 41, peripheral: 40, aicore: 43, ntc1: 38, ntc2: 37.5, ntc3: 39, "
      "ntc4: -4, soc: 45, fp_max: 44, n_die: 42, hbm: 46}\n");
  ASSERT_TRUE(driver);
  const auto sensors = driver->ReadSensors(kChip);
  EXPECT_EQ(sensors->cluster, Celsius{41});
  EXPECT_EQ(sensors->peripheral, Celsius{40});
  EXPECT_EQ(sensors->aicore, Celsius{43});
  EXPECT_EQ(sensors->ntc1, Celsius{38});
  EXPECT_EQ(sensors->ntc2, Celsius{37.5});
  EXPECT_EQ(sensors->ntc3, Celsius{39});
  EXPECT_EQ(sensors->ntc4, Celsius{-4});
  EXPECT_EQ(sensors->soc, Celsius{45});
  EXPECT_EQ(sensors->fp_max, Celsius{44});
  EXPECT_EQ(sensors->n_die, Celsius{42});
  EXPECT_EQ(sensors->hbm, Celsius{46});
}

TEST_F(ReadingsTest, ThrottleReasonsThatAreNotActiveAreZero) {
  const auto driver = Open("      throttle: [thermal, load_aware]\n");
  ASSERT_TRUE(driver);
  const auto throttle = driver->ReadThrottle(kChip);
  EXPECT_EQ(throttle->thermal, Count{1});
  EXPECT_EQ(throttle->load_aware, Count{1});
  EXPECT_EQ(throttle->edp_software, Count{0});
  EXPECT_EQ(throttle->edp_hardware, Count{0});
  EXPECT_EQ(throttle->power_brake, Count{0});
  EXPECT_EQ(throttle->power_cap, Count{0});
  EXPECT_EQ(throttle->svfd, Count{0});
}

TEST_F(ReadingsTest, DamagedCoresHaveNoValueAndInvalidOnesAreNotThere) {
  const auto driver = Open("      cores: {aicore: [87, damaged, invalid, 80], vector: [20]}\n");
  ASSERT_TRUE(driver);
  const auto cores = driver->ReadCoreUtilization(kChip);
  EXPECT_THAT(
      VectorOf(cores->aicores),
      ElementsAre(CoreLoad{0, Ratio{0.87}}, CoreLoad{1, std::nullopt}, CoreLoad{3, Ratio{0.8}}));
  EXPECT_THAT(VectorOf(cores->vector_cores), ElementsAre(CoreLoad{0, Ratio{0.2}}));
}

TEST_F(ReadingsTest, MediaEngines) {
  const auto driver = Open("      media: {vdec: 10, vpc: 0, venc: 1, jpege: 2, jpegd: 3}\n");
  ASSERT_TRUE(driver);
  const auto media = driver->ReadMedia(kChip);
  EXPECT_EQ(media->vdec, Ratio{0.1});
  EXPECT_EQ(media->vpc, Ratio{0});
  EXPECT_EQ(media->venc, Ratio{0.01});
  EXPECT_EQ(media->jpege, Ratio{0.02});
  EXPECT_EQ(media->jpegd, Ratio{0.03});
}

TEST_F(ReadingsTest, FansAreNumberedFromOne) {
  const auto driver = Open("      fans: [4200, 0]\n");
  ASSERT_TRUE(driver);
  EXPECT_THAT(VectorOf(driver->ReadFans(kChip)->fans),
              ElementsAre(Fan{1, Rpm{4200}}, Fan{2, Rpm{0}}));
}

TEST_F(ReadingsTest, CompatibilityAndPendingPages) {
  const auto driver =
      Open("      compatible: false\n      ecc: {hbm: {pending_isolated_pages: 1}}\n");
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadCompatibility(kChip)->fits, Count{0});
  EXPECT_EQ(driver->ReadEcc(kChip)->hbm.pending_isolated_pages, Count{1});
}

TEST_F(ReadingsTest, Vnpus) {
  const auto driver = Open(
      "      vnpus: [{id: 100, template: vir02, utilization: 20, memory_total_mib: 8192, "
      "memory_used_mib: 1024, aicores: 2.5}, {id: 101}]\n");
  ASSERT_TRUE(driver);
  Vnpu first;
  first.index = 100;
  first.template_name = "vir02";
  first.utilization = Ratio{0.2};
  first.memory_total = Bytes{8192.0 * 1048576};
  first.memory_used = Bytes{1024.0 * 1048576};
  first.aicores = Count{2.5};
  Vnpu second;
  second.index = 101;
  EXPECT_THAT(VectorOf(driver->ReadVnpus(kChip)->vnpus), ElementsAre(first, second));
}

TEST_F(ReadingsTest, TopologyAndCpuAffinity) {
  const auto driver = Open(
      "      topology: {1: hccs, 2: sio, 3: hccs_switch, 4: ub, 5: sys, 6: pix, 7: pxb, 8: phb}\n"
      "      cpu_affinity: \"0-23,48-71\"\n");
  ASSERT_TRUE(driver);
  EXPECT_THAT(VectorOf(driver->ReadTopology(kChip)->links),
              ElementsAre(TopologyLink{1, LinkPath::kHccs}, TopologyLink{2, LinkPath::kSio},
                          TopologyLink{3, LinkPath::kHccsSwitch}, TopologyLink{4, LinkPath::kUb},
                          TopologyLink{5, LinkPath::kSys}, TopologyLink{6, LinkPath::kPix},
                          TopologyLink{7, LinkPath::kPxb}, TopologyLink{8, LinkPath::kPhb}));
  EXPECT_EQ(driver->ReadCpuAffinity(kChip)->cpus.view(), "0-23,48-71");
}

TEST_F(ReadingsTest, HccsFlitsAreTwentyBytes) {
  const auto driver = Open(R"(
      hccs:
        up: true
        links:
          - {link: 1, lanes: 4, lanes_expected: 4, transmit_flits: 12, receive_flits: 13, crc_errors: 5,
             retries: 6, transmit_gigabytes_per_second: 1.5, receive_gigabytes_per_second: 1.25}
          - {link: 7}
)");
  ASSERT_TRUE(driver);
  const auto hccs = driver->ReadHccs(kChip);
  EXPECT_EQ(hccs->up, Count{1});
  EXPECT_EQ(hccs->counter_range, 0);
  const HccsLink first{.index = 1,
                       .lanes = Count{4},
                       .lanes_expected = Count{4},
                       .transmitted = Bytes{240},
                       .received = Bytes{260},
                       .crc_errors = Count{5},
                       .retries = Count{6}};
  HccsLink second;
  second.index = 7;
  EXPECT_THAT(VectorOf(hccs->links), ElementsAre(first, second));
  EXPECT_THAT(VectorOf(driver->ReadHccsBandwidth(kChip, kNoWindow)->links),
              ElementsAre(HccsLinkBandwidth{1, BytesPerSecond{1.5 * 1073741824},
                                            BytesPerSecond{1.25 * 1073741824}}));
}

TEST_F(ReadingsTest, HccsCountersOf32BitsSayWhenTheyWrap) {
  const auto driver = Open("      hccs: {counter_bits: 32, links: [{link: 1}]}\n");
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadHccs(kChip)->counter_range, 4294967296.0);
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadHccsBandwidth(kChip, kNoWindow).status()));
}

TEST_F(ReadingsTest, SioAndSuperPod) {
  const auto driver = Open(
      "      sio: {transmit_errors: 3, receive_errors: 65535}\n"
      "      super_pod: {super_pod_id: 3, server_id: 1, sdid: 4294967295, scale: 384}\n");
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadSio(kChip)->transmit_errors, Count{3});
  EXPECT_EQ(driver->ReadSio(kChip)->receive_errors, Count{65535});
  const auto pod = driver->ReadSuperPod(kChip);
  EXPECT_EQ(pod->super_pod_id, 3U);
  EXPECT_EQ(pod->server_id, 1U);
  EXPECT_EQ(pod->sdid, 4294967295U);
  EXPECT_EQ(pod->scale, 384U);
}

TEST_F(ReadingsTest, PcieLinkErrorsAndBandwidth) {
  const auto driver = Open(R"(
      pcie:
        speed_gts: 16
        max_speed_gts: 32
        lanes: 8
        max_lanes: 16
        errors: {symbol_unlock: 1, pcs_receive: 2, phy_lane: 3, data_link_lcrc: 4, data_link_dcrc: 5, transmit: 6,
                 receive: 7, ecrc: 8, retry: 9, correctable: 10, nonfatal: 11, fatal: 12}
        bandwidth: {transmit_posted: 12, transmit_nonposted: 1, transmit_completion: 2, receive_posted: 3,
                    receive_nonposted: 4, receive_completion: 5}
)");
  ASSERT_TRUE(driver);
  const auto pcie = driver->ReadPcie(kChip, "");
  EXPECT_EQ(pcie->speed, TransfersPerSecond{16e9});
  EXPECT_EQ(pcie->max_speed, TransfersPerSecond{32e9});
  EXPECT_EQ(pcie->lanes, Count{8});
  EXPECT_EQ(pcie->max_lanes, Count{16});
  const PcieErrors errors{Count{1}, Count{2}, Count{3}, Count{4},  Count{5},  Count{6},
                          Count{7}, Count{8}, Count{9}, Count{10}, Count{11}, Count{12}};
  EXPECT_EQ(pcie->errors, errors);
  const auto bandwidth = driver->ReadPcieBandwidth(kChip, kNoWindow);
  EXPECT_EQ(bandwidth->transmit_posted, BytesPerSecond{12 * 1048576e3});
  EXPECT_EQ(bandwidth->transmit_nonposted, BytesPerSecond{1 * 1048576e3});
  EXPECT_EQ(bandwidth->transmit_completion, BytesPerSecond{2 * 1048576e3});
  EXPECT_EQ(bandwidth->receive_posted, BytesPerSecond{3 * 1048576e3});
  EXPECT_EQ(bandwidth->receive_nonposted, BytesPerSecond{4 * 1048576e3});
  EXPECT_EQ(bandwidth->receive_completion, BytesPerSecond{5 * 1048576e3});
}

TEST_F(ReadingsTest, NetworkPortWithoutANameHasIndexZero) {
  const auto driver = Open(R"(
      network:
        health: faulty
        ports:
          - {up: true, address_configured: false, speed_mbps: 200000, up_changes: 2, down_changes: 1,
             transmit_mbytes_per_second: 0.5, receive_mbytes_per_second: 266.75}
)");
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadNetworkHealth(kChip)->state, NetworkHealth::kFaulty);
  EXPECT_THAT(
      VectorOf(driver->ReadNetworkLink(kChip)->ports),
      ElementsAre(NetworkPort{0, Count{1}, Count{0}, BytesPerSecond{25e9}, Count{2}, Count{1}}));
  EXPECT_THAT(VectorOf(driver->ReadNetworkBandwidth(kChip, kNoWindow)->ports),
              ElementsAre(PortBandwidth{0, BytesPerSecond{0.5e6}, BytesPerSecond{266.75e6}}));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadNetworkCounters(kChip).status()));
}

TEST_F(ReadingsTest, NetworkWithoutAHealthAnswersNone) {
  const auto driver = Open("      network: {ports: []}\n");
  ASSERT_TRUE(driver);
  ASSERT_TRUE(driver->ReadNetworkHealth(kChip).ok());
  EXPECT_FALSE(driver->ReadNetworkHealth(kChip)->state.has_value());
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadNetworkLink(kChip).status()));
}

// A map of all counters, each with its place as its value.
template <std::size_t N>
std::string Numbered(const std::array<std::string_view, N>& names) {
  std::string text = "{";
  for (std::size_t i = 0; i < N; ++i) {
    text += std::string(i == 0 ? "" : ", ") + std::string(names.at(i)) + ": " + std::to_string(i);
  }
  return text + "}";
}

TEST_F(ReadingsTest, EveryNetworkCounterHasItsPlace) {
  const auto driver = Open("      network: {ports: [{udie: 1, port: 4, counters: " +
                           Numbered(sim::kNetworkCounterNames) + "}]}\n");
  ASSERT_TRUE(driver);
  const auto counters = driver->ReadNetworkCounters(kChip);
  ASSERT_EQ(counters->ports.size(), 1U);
  const PortCounters& port = counters->ports[0];
  EXPECT_EQ(port.index, PortIndex(1, 4));
  for (std::size_t i = 0; i < kNetworkCounters; ++i) {
    EXPECT_EQ(port.values.at(i), Count{static_cast<double>(i)});
  }
  EXPECT_EQ(sim::kNetworkCounterNames[static_cast<std::size_t>(NetworkCounter::kMacTxBytes)],
            "mac_tx_total_oct_num");
  EXPECT_EQ(sim::kNetworkCounterNames[static_cast<std::size_t>(NetworkCounter::kNicRxBytes)],
            "nic_rx_all_oct_num");
  EXPECT_EQ(sim::kNetworkCounterNames[static_cast<std::size_t>(NetworkCounter::kRoceOutOfOrder)],
            "roce_out_of_order_num");
}

TEST_F(ReadingsTest, ToolsWordForQpStatusErrorsIsUnderstood) {
  const auto driver = Open("      network: {ports: [{counters: {roce_qp_status_err_num: 5}}]}\n");
  ASSERT_TRUE(driver);
  const auto counters = driver->ReadNetworkCounters(kChip);
  EXPECT_EQ(counters->ports[0][NetworkCounter::kRoceQpStatusErrors], Count{5});
  EXPECT_FALSE(counters->ports[0][NetworkCounter::kMacTxBytes].has_value());
}

TEST_F(ReadingsTest, OpticalModulesAndTheirLanes) {
  const auto driver = Open(R"(
      optical:
        - {present: true, temperature_celsius: 46, voltage_volts: 3.2451, transmit_loss_of_signal: false,
           receive_loss_of_signal: true, transmit_power_low_milliwatts: 0.25, receive_power_low_milliwatts: 0.125,
           lanes: [{transmit_milliwatts: 0.5, receive_milliwatts: 1.5}, {transmit_milliwatts: 2}]}
        - {udie: 1, port: 2, present: false, lanes: [{receive_milliwatts: 0}]}
)");
  ASSERT_TRUE(driver);
  const auto optical = driver->ReadOptical(kChip);
  OpticalModule first;
  first.present = Count{1};
  first.temperature = Celsius{46};
  first.voltage = Volts{3.2451};
  first.transmit_loss_of_signal = Count{0};
  first.receive_loss_of_signal = Count{1};
  first.transmit_power_low_threshold = Watts{0.00025};
  first.receive_power_low_threshold = Watts{0.000125};
  OpticalModule second;
  second.index = PortIndex(1, 2);
  second.present = Count{0};
  EXPECT_THAT(VectorOf(optical->modules), ElementsAre(first, second));
  EXPECT_THAT(VectorOf(optical->lanes),
              ElementsAre(OpticalLane{0, Watts{0.0005}, Watts{0.0015}},
                          OpticalLane{1, Watts{0.002}, std::nullopt},
                          OpticalLane{kMaxOpticalLanes * second.index, std::nullopt, Watts{0}}));
}

TEST_F(ReadingsTest, EveryUbCounterHasItsPlace) {
  const auto driver =
      Open("      ub: [{udie: 0, port: 4, up: true, counters: " + Numbered(sim::kUbCounterNames) +
           "}, {udie: 1, port: 0, up: false}]\n");
  ASSERT_TRUE(driver);
  const auto ub = driver->ReadUb(kChip);
  ASSERT_EQ(ub->ports.size(), 2U);
  EXPECT_EQ(ub->ports[0].index, PortIndex(0, 4));
  EXPECT_EQ(ub->ports[0].up, Count{1});
  for (std::size_t i = 0; i < kUbCounters; ++i) {
    EXPECT_EQ(ub->ports[0].values.at(i), Count{static_cast<double>(i)});
  }
  EXPECT_EQ(ub->ports[1].up, Count{0});
  EXPECT_FALSE(ub->ports[1].values[0].has_value());
  EXPECT_EQ(sim::kUbCounterNames[static_cast<std::size_t>(UbCounter::kTxUbIpv4)],
            "ub_ipv4_pkt_cnt_tx");
  EXPECT_EQ(sim::kUbCounterNames[static_cast<std::size_t>(UbCounter::kMibTxBadBytes)],
            "core_mib_txbadoctets");
}

TEST_F(ReadingsTest, FaultDetailsAreKnownByTheirCode) {
  const auto driver = Open(
      "      fault_details: {\"80E01801\": {severity: major, description: \"HBM multi bit\"}, "
      "\"80e01802\": {}}\n");
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->DetailOf(kChip, 0x80E01801),
            (FaultDetail{FaultSeverity::kMajor, "HBM multi bit"}));
  EXPECT_EQ(driver->DetailOf(kChip, 0x80E01802), FaultDetail());
  EXPECT_EQ(driver->DetailOf(kChip, 1), FaultDetail());
  EXPECT_EQ(driver->DetailOf({5, 0}, 0x80E01801), FaultDetail()) << "no such chip";
}

TEST(MachineKeysTest, DriverHealthIsOfTheDiscoveryAndRulesAreNotLookedAt) {
  VirtualClock clock;
  const auto sick = OpenedText(
      "machine: {driver_health: alarm, rules: [{symbol: x, code: -1}], chips: []}\n", clock);
  ASSERT_TRUE(sick);
  EXPECT_EQ(sick->Discover()->driver_health, Health::kAlarm);
  const auto silent = OpenedText("machine: {chips: []}\n", clock);
  ASSERT_TRUE(silent);
  EXPECT_FALSE(silent->Discover()->driver_health.has_value());
}

TEST_F(ReadingsTest, WhatIsAbsentIsNotSupported) {
  const auto driver = Open("");
  ASSERT_TRUE(driver);
  for (const absl::Status& status : {driver->ReadVoltage(kChip).status(),
                                     driver->ReadPowerLimit(kChip).status(),
                                     driver->ReadClocks(kChip).status(),
                                     driver->ReadSensors(kChip).status(),
                                     driver->ReadThrottle(kChip).status(),
                                     driver->ReadCoreUtilization(kChip).status(),
                                     driver->ReadMedia(kChip).status(),
                                     driver->ReadFans(kChip).status(),
                                     driver->ReadCompatibility(kChip).status(),
                                     driver->ReadVnpus(kChip).status(),
                                     driver->ReadTopology(kChip).status(),
                                     driver->ReadCpuAffinity(kChip).status(),
                                     driver->ReadHccs(kChip).status(),
                                     driver->ReadHccsBandwidth(kChip, kNoWindow).status(),
                                     driver->ReadSio(kChip).status(),
                                     driver->ReadPcie(kChip, "").status(),
                                     driver->ReadPcieBandwidth(kChip, kNoWindow).status(),
                                     driver->ReadSuperPod(kChip).status(),
                                     driver->ReadNetworkHealth(kChip).status(),
                                     driver->ReadNetworkLink(kChip).status(),
                                     driver->ReadNetworkCounters(kChip).status(),
                                     driver->ReadNetworkBandwidth(kChip, kNoWindow).status(),
                                     driver->ReadOptical(kChip).status(),
                                     driver->ReadUb(kChip).status()}) {
    EXPECT_TRUE(absl::IsUnimplemented(status)) << status;
  }
}

}  // namespace
}  // namespace ascend

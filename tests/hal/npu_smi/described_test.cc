// A described machine, as both tools would tell it, gives the readings of the description.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hal/npu_smi/fake_tool.h"

namespace ascend::npu_smi {
namespace {

using ::testing::ElementsAre;

template <typename T>
T Value(const absl::StatusOr<T>& value) {
  EXPECT_TRUE(value.ok()) << value.status().message();
  return value.ok() ? *value : T{};
}

template <class T, std::size_t N>
std::vector<T> Items(const FixedList<T, N>& list) {
  return {list.begin(), list.end()};
}

class DescribedMachineTest : public ::testing::Test {
 protected:
  DescribedMachineTest() : tool("") {}

  std::shared_ptr<NpuDriver> Open(std::string_view description) {
    const std::string file = tool / "machine.yaml";
    WriteFile(file, fmt::format("driver_version: \"24.1\"\nlibrary_version: \"24.1\"\n"
                                "tool_version: \"24.1\"\nchips:\n{}",
                                description));
    tool.Print(RunPython({file}));
    tool.AnswerAs(file);
    return tool.Open();
  }

  FakeTool tool;
};

constexpr std::string_view kA3 = R"(
  - device: 12
    logic_id: 0
    npu_id: 6
    chip_id: 0
    chip_name: "Ascend910"
    board_id: 0xb1
    die_id: "D7C30600-0020A0D4-5E1B2C03-81D46A10-0000000C"
    serial: "2102315FAK10P6000306"
    product: "IT31HMDA"
    firmware_version: "7.5.0.3.220"
    pci_address: "0000:15:00.0"
    temperature_celsius: 35
    power_watts: 181.3
    health: warning
    faults: ["80E01801", "8C084E00"]
    fault_details: {"80E01801": {severity: major, description: "HBM ecc error"}, "8C084E00": {severity: minor, description: "heartbeat lost"}}
    compatible: true
    utilization: {aicore: 5, vector: 6, cube: 7, aicpu: 1, ctrlcpu: 4, overall: 8}
    hbm: {total_mib: 65536, used_mib: 3220, temperature_celsius: 36, utilization: 4, bandwidth_utilization: 3}
    clocks: {aicore_mhz: 1650, aicore_max_mhz: 1800, hbm_mhz: 1600}
    ecc: {hbm: {single_bit: 3, double_bit: 1, lifetime_single_bit: 30, lifetime_double_bit: 10, isolated_pages: 2, pending_isolated_pages: 1}}
    sensors: {soc: 45, n_die: 42, hbm: 40}
    topology: {13: sio}
    cpu_affinity: "0-23"
    hccs: {up: false, links: [{link: 6, lanes: 4, lanes_expected: 4, transmit_flits: 12, receive_flits: 13, crc_errors: 1, retries: 2}, {link: 7, lanes: 2, lanes_expected: 4, transmit_flits: 5000000000, receive_flits: 0}]}
    sio: {transmit_errors: 4, receive_errors: 5}
    pcie: {errors: {transmit: 1, receive: 991, data_link_lcrc: 2, ecrc: 3, retry: 415}}
    super_pod: {super_pod_id: 3, server_id: 1, sdid: 17, scale: 384}
    network: {health: faulty, ports: [{up: true, address_configured: true, speed_mbps: 200000, up_changes: 2, transmit_mbytes_per_second: 1.5, receive_mbytes_per_second: 266.84, counters: {mac_tx_mac_pause_num: 7, roce_out_of_order_num: 1}}]}
    optical: [{present: true, temperature_celsius: 46, voltage_volts: 3.2451, receive_loss_of_signal: true, transmit_power_low_milliwatts: 0.2818, lanes: [{transmit_milliwatts: 0.9095, receive_milliwatts: 1.0189}]}]
  - {device: 13, logic_id: 1, npu_id: 6, chip_id: 1, chip_name: "Ascend910", pci_address: "0000:17:00.0", temperature_celsius: 36, hbm: {total_mib: 65536, used_mib: 3287}, utilization: {aicore: 0}, topology: {12: sio}}
)";
constexpr DeviceAddress kDie{6, 0};

TEST_F(DescribedMachineTest, OfPairsOfDies) {
  const auto driver = Open(kA3);
  const Discovery found = Value(driver->Discover());
  EXPECT_EQ(found.info.device_id_source, "phy_id");
  EXPECT_THAT(found.devices, ElementsAre(FoundDevice{{6, 0}, 12, 0}, FoundDevice{{6, 1}, 13, 1}));
  const DeviceIdentity identity = Value(driver->ReadIdentity(kDie));
  EXPECT_EQ(identity.die_id.view(), "D7C30600-0020A0D4-5E1B2C03-81D46A10-0000000C");
  EXPECT_EQ(identity.serial.view(), "2102315FAK10P6000306");
  EXPECT_EQ(identity.board_id.view(), "0xb1");
  EXPECT_EQ(identity.family, ChipFamily::k910_93);
  EXPECT_EQ(Value(driver->ReadHealth(kDie)).state, Health::kWarning);
  EXPECT_THAT(Items(Value(driver->ReadFaults(kDie)).active), ElementsAre(0x80E01801, 0x8C084E00));
  EXPECT_EQ(driver->DetailOf(kDie, 0x8C084E00).description.view(), "heartbeat lost");
  EXPECT_EQ(Value(driver->ReadCompatibility(kDie)).fits, Count{1});
}

TEST_F(DescribedMachineTest, WithLoadsClocksAndMemory) {
  const auto driver = Open(kA3);
  const UtilizationReading load = Value(driver->ReadUtilization(kDie));
  EXPECT_EQ(load.vector, Ratio{0.06});
  EXPECT_EQ(load.cube, Ratio{0.07});
  EXPECT_EQ(load.overall, Ratio{0.08});
  const ClockReading clocks = Value(driver->ReadClocks(kDie));
  EXPECT_EQ(clocks.aicore_max, Hertz{1800e6});
  EXPECT_EQ(clocks.hbm, Hertz{1600e6});
  const HbmReading hbm = Value(driver->ReadHbm(kDie));
  EXPECT_EQ(hbm.temperature, Celsius{36});
  EXPECT_EQ(hbm.bandwidth_utilization, Ratio{0.03});
  const EccCounts ecc = Value(driver->ReadEcc(kDie)).hbm;
  EXPECT_EQ(ecc.single_bit, Count{3});
  EXPECT_EQ(ecc.lifetime_double_bit, Count{10});
  EXPECT_EQ(ecc.isolated_pages, Count{2});
  EXPECT_EQ(ecc.pending_isolated_pages, Count{1});
  EXPECT_EQ(Value(driver->ReadSensors(kDie)).n_die, Celsius{42});
  EXPECT_EQ(driver->UnknownLines().at(0).second, 0U);
}

TEST_F(DescribedMachineTest, WithLinks) {
  const auto driver = Open(kA3);
  (void)Value(driver->Discover());
  EXPECT_THAT(Items(Value(driver->ReadTopology(kDie)).links),
              ElementsAre(TopologyLink{13, LinkPath::kSio}));
  EXPECT_EQ(Value(driver->ReadCpuAffinity(kDie)).cpus.view(), "0-23");
  const HccsReading hccs = Value(driver->ReadHccs(kDie));
  EXPECT_EQ(hccs.up, Count{0});
  EXPECT_THAT(
      Items(hccs.links),
      ElementsAre(HccsLink{6, Count{4}, Count{4}, Bytes{240}, Bytes{260}, Count{1}, Count{2}},
                  HccsLink{7, Count{2}, Count{4}, Bytes{1e11}, Bytes{0}, Count{0}, Count{0}}));
  EXPECT_EQ(Value(driver->ReadSio(kDie)).receive_errors, Count{5});
  EXPECT_EQ(Value(driver->ReadPcie(kDie, "")).errors.receive, Count{991});
  EXPECT_EQ(Value(driver->ReadSuperPod(kDie)).sdid, 17U);
}

TEST_F(DescribedMachineTest, WithANetwork) {
  const auto driver = Open(kA3);
  EXPECT_EQ(Value(driver->ReadNetworkHealth(kDie)).state, NetworkHealth::kFaulty);
  EXPECT_THAT(Items(Value(driver->ReadNetworkLink(kDie)).ports),
              ElementsAre(NetworkPort{0, Count{1}, Count{1}, BytesPerSecond{25e9}, Count{2},
                                      std::nullopt}));
  const NetworkCountersReading counters = Value(driver->ReadNetworkCounters(kDie));
  EXPECT_EQ(counters.ports[0][NetworkCounter::kRoceOutOfOrder], Count{1});
  const auto bandwidth = Value(driver->ReadNetworkBandwidth(kDie, nanoseconds{0}));
  EXPECT_EQ(bandwidth.ports[0].receive, BytesPerSecond{266.84e6});
  const OpticalReading optical = Value(driver->ReadOptical(kDie));
  EXPECT_EQ(optical.modules[0].voltage, Volts{3.2451});
  EXPECT_EQ(optical.modules[0].receive_loss_of_signal, Count{1});
  EXPECT_EQ(optical.lanes[0], (OpticalLane{0, Watts{0.0009095}, Watts{0.0010189}}));
  EXPECT_EQ(driver->UnknownLines().at(1).second, 0U);
}

TEST_F(DescribedMachineTest, OfA950WithPorts) {
  const auto driver = Open(R"(
  - device: 3
    npu_id: 3
    chip_id: 0
    chip_name: "Ascend950PR"
    die_id: "95000000-0020A0D4-00000000-00000000-00000001"
    temperature_celsius: 41
    power_watts: 142.5
    utilization: {overall: 9}
    hbm: {total_mib: 131072, used_mib: 4113}
    sio: {transmit_errors: 0, receive_errors: 1}
    network: {ports: [{udie: 1, port: 8, up: true, speed_mbps: 400000}]}
    ub: [{udie: 0, port: 4, up: false, counters: {crc_error_sum: 6}}, {udie: 1, port: 8, up: true, counters: {core_mib_rxbadpkts: 7}}]
)");
  constexpr DeviceAddress kChip{3, 0};
  EXPECT_EQ(Value(driver->ReadIdentity(kChip)).die_id.view(),
            "95000000-0020A0D4-00000000-00000000-00000001");
  EXPECT_EQ(Value(driver->ReadSio(kChip)).receive_errors, Count{1});
  EXPECT_EQ(Value(driver->ReadNetworkLink(kChip)).ports[0].index, PortIndex(1, 8));
  const UbReading ub = Value(driver->ReadUb(kChip));
  ASSERT_EQ(ub.ports.size(), 2U);
  EXPECT_EQ(ub.ports[0].up, Count{0});
  EXPECT_EQ(ub.ports[0].values[static_cast<std::size_t>(UbCounter::kCrcErrors)], Count{6});
  EXPECT_EQ(ub.ports[1].values[static_cast<std::size_t>(UbCounter::kMibRxBadPackets)], Count{7});
}

TEST_F(DescribedMachineTest, OfCardsWithTheirOwnPower) {
  const auto driver = Open(R"(
  - {device: 0, logic_id: 0, npu_id: 2944, chip_id: 0, chip_name: "310P3", card_power_watts: 42.9, temperature_celsius: 48, ddr: {total_mib: 44280, used_mib: 2016, bandwidth_utilization: 22}, utilization: {aicore: 12, vector: 3}, media: {vdec: 10, jpegd: 3}, clocks: {ddr_mhz: 4266}}
  - {device: 1, logic_id: 1, npu_id: 2944, chip_id: 1, chip_name: "310P3", card_power_watts: 42.9, temperature_celsius: 47, ddr: {total_mib: 43693, used_mib: 1000}, utilization: {aicore: 0}, media: {vdec: 0}}
)");
  EXPECT_EQ(Value(driver->Discover()).info.device_id_source, "phy_id");
  EXPECT_EQ(Value(driver->ReadCardPower({2944, 1})).card, Watts{42.9});
  EXPECT_EQ(Value(driver->ReadMedia({2944, 0})).jpegd, Ratio{0.03});
  EXPECT_EQ(Value(driver->ReadUtilization({2944, 0})).vector, Ratio{0.03});
  EXPECT_EQ(Value(driver->ReadDdr({2944, 0})).bandwidth_utilization, Ratio{0.22});
  EXPECT_EQ(Value(driver->ReadClocks({2944, 0})).ddr, Hertz{4266e6});
  EXPECT_EQ(driver->ReadSio({2944, 0}).status().code(), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace ascend::npu_smi

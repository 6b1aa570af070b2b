// Every way to write a wrong file has its line, its key and what is allowed.
#include <string>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/driver_state.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct Wrong {
  std::string text;
  std::string error;  // from the line number on
};

std::string Event(const std::string& rest) {
  return "machine: 8x910b\nevents:\n  - {at: 1s, device: 0, " + rest + "}\n";
}

std::string Chip(const std::string& rest) {
  return "machine:\n  chips:\n    - {device: 0, npu_id: 0, " + rest + "}\n";
}

const std::string kChipKeys =
    "device, logic_id, npu_id, chip_id, board_id, chip_name, pci_address, die_id, serial, model, "
    "product, firmware_version, health, faults, fault_details, utilization, hbm, ddr, ecc, "
    "processes, compatible, vnpus, temperature_celsius, power_watts, card_power_watts, "
    "power_limit_watts, voltage_volts, clocks, sensors, throttle, cores, media, fans, topology, "
    "cpu_affinity, hccs, sio, pcie, super_pod, network, optical, ub";

class SchemaTest : public testing::TestWithParam<Wrong> {};

TEST_P(SchemaTest, IsRefusedWithLineAndKey) {
  // Where many keys are allowed, their list is left to one test.
  const std::string error = ErrorOf(GetParam().text);
  EXPECT_EQ(GetParam().error.ends_with('?') ? error.substr(0, error.find("; allowed: ")) : error,
            GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Scenario, SchemaTest,
    testing::Values(
        Wrong{"machine: 8x910b\nsede: 1\n",
              "2: sede: unknown key, did you mean seed?; allowed: machine, seed, load, events"},
        Wrong{"machine: 8x910b\nspeed_of_light: 1\n",
              "2: speed_of_light: unknown key; allowed: machine, seed, load, events"},
        Wrong{"machine: 8x910b\nseed: 1\nseed: 2\n",
              "3: seed: given twice, first on line 2; keep one"},
        Wrong{"seed: 1\n", "1: machine: is missing and must be given"},
        Wrong{"seed: 1\nmachin: 8x910b\n", "2: machin: unknown key, did you mean machine?"},
        Wrong{"machine: 8x910b\nseed: one\n",
              "2: seed: \"one\" is no whole number, want 0 to 9007199254740992"},
        Wrong{"machine: 8x910b\nseed: -1\n",
              "2: seed: -1 is out of range, want 0 to 9007199254740992"},
        Wrong{"machine: 8x910b\nseed: \"1\"\n", "2: seed: is text in quotes, want a whole number"},
        Wrong{"machine: 8x910b\nload: wave\n",
              "2: load: \"wave\" is unknown, want one of steady, idle, waves"},
        Wrong{"machine: 8x910b\nload: [waves]\n",
              "2: load: is a list, want one of steady, idle, waves"},
        Wrong{"machine: 8x910b\nevents: none\n", "2: events: is a single value, want a list"},
        Wrong{"machine: 8x910b\nevents:\n", "2: events: is nothing, want a list"},
        Wrong{"machine: 8x910b\nevents:\n  - lost\n",
              "3: events: is a single value, want a map of keys"},
        Wrong{"machine: [8x910b]\n", "1: machine: is a list, want text"},
        Wrong{"machine: fleet:0\n",
              "1: machine: \"fleet:0\" is no size of a fleet, want fleet:N with N of 1 to 1024"},
        Wrong{"- machine: 8x910b\n", "1: scenario: is a list, want a map of keys"},
        Wrong{"chips: []\n",
              "1: chips: this file describes a machine; a scenario names it as machine: FILE"},
        Wrong{"", "1: holds 0 YAML documents, want one"},
        Wrong{"machine: 8x910b\n---\nmachine: 8x910b\n", "1: holds 2 YAML documents, want one"},
        Wrong{"machine: 8x910b\n[a]: 1\n", "2: a key must be a plain word"}));

INSTANTIATE_TEST_SUITE_P(
    Events, SchemaTest,
    testing::Values(
        Wrong{Event("kind: meteor"),
              "3: kind: \"meteor\" is unknown, want one of temperature, ecc, fault, lost, slow, "
              "hang, error, memory, health, throttle, link_down, fault_blip, counter_reset, "
              "pcie_degraded, optical_loss"},
        Wrong{"machine: 8x910b\nevents:\n  - {at: 1s, device: 0}\n",
              "3: kind: is missing and must be given"},
        Wrong{"machine: 8x910b\nevents:\n  - {at: 1s, kind: lost}\n",
              "3: device: is missing and must be given"},
        Wrong{"machine: 8x910b\nevents:\n  - {device: 0, kind: lost}\n",
              "3: at: is missing and must be given"},
        Wrong{"machine: 8x910b\nevents:\n  - {at: 1s, device: 8, kind: lost}\n",
              "3: device: the machine has no device 8; it has 0, 1, 2, 3, 4, 5, 6, 7"},
        Wrong{"machine: 8x910b\nevents:\n  - {at: 1s, device: 0, kind: lost}\n"
              "  - at: 1s\n    device: 9\n    kind: lost\n",
              "5: device: the machine has no device 9; it has 0, 1, 2, 3, 4, 5, 6, 7"},
        Wrong{"machine: 8x910b\nevents:\n  - {at: 30, device: 0, kind: lost}\n",
              "3: at: \"30\" is no duration, want a number with ms, s, m or h, as 1m30s"},
        Wrong{"machine: 8x910b\nevents:\n  - {at: 0, device: 0, kind: lost}\n",
              "3: at: \"0\" is no duration, want a number with ms, s, m or h, as 1m30s"},
        Wrong{"machine: 8x910b\nevents:\n  - {at: soon, device: 0, kind: lost}\n",
              "3: at: \"soon\" is no duration, want a number with ms, s, m or h, as 1m30s"},
        Wrong{"machine: 8x910b\nevents:\n  - {at: -1s, device: 0, kind: lost}\n",
              "3: at: -1s is out of range, want 0s to 8760h"},
        Wrong{Event("kind: lost, for: inf"), "3: for: inf is out of range, want 0s to 8760h"},
        Wrong{Event("kind: lost, fro: 1s"),
              "3: fro: unknown key, did you mean for?; allowed: at, device, kind, for"},
        Wrong{Event("kind: lost, celsius: 5"),
              "3: celsius: unknown key; allowed: at, device, kind, for"},
        Wrong{Event("kind: temperature"), "3: celsius: is missing and must be given"},
        Wrong{Event("kind: temperature, celsius: hot"),
              "3: celsius: \"hot\" is no number, want -273 to 1000"},
        Wrong{Event("kind: temperature, celsius: 1001"),
              "3: celsius: 1001 is out of range, want -273 to 1000"},
        Wrong{Event("kind: temperature, celsius: .nan"),
              "3: celsius: \".nan\" is no number, want -273 to 1000"},
        Wrong{Event("kind: ecc, memory: hbn, severity: double_bit"),
              "3: memory: \"hbn\" is unknown, want one of hbm, ddr, sram, npu"},
        Wrong{Event("kind: ecc, memory: ddr, severity: double_bit"),
              "3: memory: device 0 does not count double_bit errors of ddr"},
        Wrong{Event("kind: ecc, memory: hbm, severity: bad"),
              "3: severity: \"bad\" is unknown, want one of single_bit, double_bit"},
        Wrong{Event("kind: ecc, memory: hbm, severity: single_bit, count: 0"),
              "3: count: 0 is out of range, want 1 to 9007199254740992"},
        Wrong{Event("kind: ecc, memory: hbm, severity: single_bit, for: 1s"),
              "3: for: unknown key; allowed: at, device, kind, memory, severity, count"},
        Wrong{Event("kind: fault"), "3: code: is missing and must be given"},
        Wrong{Event("kind: fault, code: 80E0180"),
              "3: code: \"80E0180\" is no fault code, want eight hex digits in quotes"},
        Wrong{Event("kind: fault, code: \"80E01801\", repeat: 129"),
              "3: repeat: 129 is out of range, want 1 to 128"}));

INSTANTIATE_TEST_SUITE_P(
    MoreEvents, SchemaTest,
    testing::Values(
        Wrong{Event("kind: slow, call: temperature"), "3: delay: is missing and must be given"},
        Wrong{Event("kind: slow, delay: 1s"), "3: call: is missing and must be given"},
        Wrong{Event("kind: hang, call: powr"),
              "3: call: \"powr\" is unknown, want one of all, discovery, identity, health, faults, "
              "temperature, power, card_power, utilization, hbm, ddr, ecc, processes, voltage, "
              "clocks, "
              "sensors, throttle, power_limit, cores, media, fans, compatibility, vnpus, topology, "
              "cpu_affinity, hccs, hccs_bandwidth, sio, pcie, pcie_bandwidth, super_pod, "
              "network_health, network_link, network_counters, network_bandwidth, optical, ub"},
        Wrong{Event("kind: error, call: hbm"), "3: code: is missing and must be given"},
        Wrong{Event("kind: error, call: hbm, code: 0"),
              "3: code: 0 is success, want a code of the vendor, as -8005"},
        Wrong{Event("kind: error, call: hbm, code: -80.5"),
              "3: code: \"-80.5\" is no whole number, want -2147483648 to 2147483647"},
        Wrong{Event("kind: memory, used_ratio: 95"),
              "3: used_ratio: 95 is out of range, want 0 to 1"},
        Wrong{Event("kind: health, state: sick"),
              "3: state: \"sick\" is unknown, want one of ok, warning, alarm, critical, unknown"},
        Wrong{"machine: {chips: [{device: 3, npu_id: 0}]}\nevents:\n"
              "  - {at: 1s, device: 3, kind: temperature, celsius: 1}\n",
              "3: kind: device 3 does not report a temperature, so it cannot change"},
        Wrong{"machine: {chips: [{device: 3, npu_id: 0}]}\nevents:\n"
              "  - {at: 1s, device: 3, kind: health, state: ok}\n",
              "3: kind: device 3 does not report its health, so it cannot change"},
        Wrong{"machine: {chips: [{device: 3, npu_id: 0, hbm: {total_mib: 1}}]}\nevents:\n"
              "  - {at: 1s, device: 3, kind: memory, used_ratio: 1}\n",
              "3: kind: device 3 does not report used and total memory, so it cannot change"}));

INSTANTIATE_TEST_SUITE_P(
    Machine, SchemaTest,
    testing::Values(
        Wrong{"machine: {}\n", "1: chips: is missing and must be given"},
        Wrong{"machine:\n  driver: 1\n  chips: []\n",
              "2: driver: unknown key; allowed: driver_version, library_version, tool_version, "
              "driver_health, rules, defaults, chips"},
        Wrong{"machine:\n  chips:\n    - {npu_id: 0}\n", "3: device: is missing and must be given"},
        Wrong{"machine:\n  chips:\n    - {device: 0}\n", "3: npu_id: is missing and must be given"},
        Wrong{"machine:\n  chips:\n    - 5\n", "3: chips: is a single value, want a map of keys"},
        Wrong{"machine:\n  chips:\n    - {device: 0, npu_id: 0}\n    - {device: 0, npu_id: 1}\n",
              "4: device: 0 is already the device of the chip on line 3"},
        Wrong{"machine:\n  chips:\n    - {device: 0, npu_id: 0}\n    - {device: 1, npu_id: 0}\n",
              "4: npu_id: chip 0 of NPU 0 is already the chip on line 3"},
        Wrong{"machine:\n  defaults: {power_wats: 5}\n  chips:\n    - {device: 0, npu_id: 0}\n",
              "2: power_wats: unknown key, did you mean power_watts?; allowed: " + kChipKeys},
        Wrong{Chip("device_id: 1"),
              "3: device_id: unknown key, did you mean device?; allowed: " + kChipKeys},
        Wrong{Chip("power_watts: much"), "3: power_watts: \"much\" is no number, want 0 to 100000"},
        Wrong{Chip("temperature_celsius: 2000"),
              "3: temperature_celsius: 2000 is out of range, want -273 to 1000"},
        Wrong{Chip("board_id: 0xzz"),
              "3: board_id: \"0xzz\" is no whole number, want 0 to 4294967295"},
        Wrong{Chip("pci_address: \"c1:00.0\""),
              "3: pci_address: \"c1:00.0\" is no PCI address, want one as 0000:c1:00.0"},
        Wrong{Chip("chip_name: Ascend910B3Ascend910B3Ascend910B3"),
              "3: chip_name: is 33 bytes long, want at most 31"},
        Wrong{Chip("health: fine"),
              "3: health: \"fine\" is unknown, want one of ok, warning, alarm, critical, unknown"},
        Wrong{Chip("faults: [\"80E01801\", xyz]"),
              "3: faults: \"xyz\" is no fault code, want eight hex digits in quotes"},
        Wrong{Chip("utilization: {aicore: 101}"), "3: aicore: 101 is out of range, want 0 to 100"},
        Wrong{Chip("utilization: 5"), "3: utilization: is a single value, want a map of keys"},
        Wrong{Chip("hbm: {size: 5}"),
              "3: size: unknown key; allowed: total_mib, used_mib, temperature_celsius, "
              "utilization, bandwidth_utilization"},
        Wrong{Chip("ddr: {hugepages_total: 1, hugepages_free: 1}"),
              "3: hugepage_kib: is missing and must be given"},
        Wrong{Chip("ddr: {hugepages_total: 1, hugepages_free: 2, hugepage_kib: 4}"),
              "3: hugepages_free: 2 is more than hugepages_total, want 0 to 1"},
        Wrong{Chip("ecc: {hbm: {enabled: 1}}"), "3: enabled: \"1\" is unknown, want true or false"},
        Wrong{Chip("ecc: {dram: {}}"),
              "3: dram: unknown key, did you mean sram?; allowed: hbm, ddr, sram, npu"},
        Wrong{Chip("processes: [{name: a}]"), "3: pid: is missing and must be given"},
        Wrong{Chip("processes: [{pid: 0}]"), "3: pid: 0 is out of range, want 1 to 2147483647"}));

INSTANTIATE_TEST_SUITE_P(
    Heat, SchemaTest,
    testing::Values(
        Wrong{"machine:\n  driver_health: unknown\n  chips: []\n",
              "2: driver_health: \"unknown\" is unknown, want one of ok, warning, alarm, critical"},
        Wrong{Chip("voltage_volts: -1"), "3: voltage_volts: -1 is out of range, want 0 to 1000"},
        Wrong{Chip("clocks: {aicore: 1650}"),
              "3: aicore: unknown key; allowed: aicore_mhz, aicore_max_mhz, vectorcore_mhz, "
              "ctrlcpu_mhz, hbm_mhz, ddr_mhz"},
        Wrong{Chip("sensors: {ntc5: 40}"),
              "3: ntc5: unknown key, did you mean ntc1?; allowed: cluster, peripheral, aicore, "
              "ntc1, ntc2, ntc3, ntc4, soc, fp_max, n_die, hbm"},
        Wrong{Chip("throttle: [hot]"),
              "3: throttle: \"hot\" is unknown, want one of thermal, edp_software, edp_hardware, "
              "power_brake, power_cap, svfd, load_aware"},
        Wrong{Chip("throttle: thermal"), "3: throttle: is a single value, want a list"},
        Wrong{Chip("cores: {aicore: [5, broken]}"),
              "3: aicore: \"broken\" is wrong, want 0 to 100, damaged or invalid"},
        Wrong{Chip("cores: {aicore: [101]}"),
              "3: aicore: \"101\" is wrong, want 0 to 100, damaged or invalid"},
        Wrong{Chip("media: {vdec: 101}"), "3: vdec: 101 is out of range, want 0 to 100"},
        Wrong{Chip("fans: [fast]"), "3: fans: \"fast\" is wrong, want 0 to 1000000"},
        Wrong{Chip("fans: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]"),
              "3: fans: is one too many, want at most 16"},
        Wrong{Chip("compatible: 1"), "3: compatible: \"1\" is unknown, want true or false"},
        Wrong{Chip("vnpus: [{template: vir02}]"), "3: id: is missing and must be given"},
        Wrong{Chip("vnpus: [{id: 99}]"), "3: id: 99 is out of range, want 100 to 1123"},
        Wrong{Chip("vnpus: [{id: 100}, {id: 100}]"),
              "3: id: names what stands in the list already"},
        Wrong{Chip("fault_details: {\"80E0\": {severity: major}}"),
              "3: fault_details: \"80E0\" is no fault code, want eight hex digits in quotes"},
        Wrong{Chip("fault_details: {\"80E01801\": {severity: bad}}"),
              "3: severity: \"bad\" is unknown, want one of warning, minor, major, critical"}));

INSTANTIATE_TEST_SUITE_P(
    Links, SchemaTest,
    testing::Values(
        Wrong{Chip("topology: {a: hccs}"), "3: a: is no physical id, want 0 to 65535"},
        Wrong{Chip("topology: {1: wire}"),
              "3: 1: \"wire\" is unknown, want one of hccs, hccs_switch, sio, ub, pix, pxb, phb, "
              "sys"},
        Wrong{Chip("hccs: {links: [{lanes: 4}]}"), "3: link: is missing and must be given"},
        Wrong{Chip("hccs: {links: [{link: 16}]}"), "3: link: 16 is out of range, want 0 to 15"},
        Wrong{Chip("hccs: {links: [{link: 1}, {link: 1}]}"),
              "3: link: names what stands in the list already"},
        Wrong{Chip("hccs: {counter_bits: 16}"),
              "3: counter_bits: \"16\" is unknown, want one of 64, 32"},
        Wrong{Chip("hccs: {counter_bits: 32, links: [{link: 1, retries: 4294967296}]}"),
              "3: retries: 4294967296 is out of range, want 0 to 4294967295"},
        Wrong{Chip("sio: {transmit_errors: 65536}"),
              "3: transmit_errors: 65536 is out of range, want 0 to 65535"},
        Wrong{Chip("pcie: {speed: 16}"),
              "3: speed: unknown key; allowed: speed_gts, max_speed_gts, lanes, max_lanes, errors, "
              "bandwidth"},
        Wrong{Chip("pcie: {errors: {fatl: 1}}"),
              "3: fatl: unknown key, did you mean fatal?; allowed: symbol_unlock, pcs_receive, "
              "phy_lane, data_link_lcrc, data_link_dcrc, transmit, receive, ecrc, retry, "
              "correctable, nonfatal, fatal"},
        Wrong{Chip("super_pod: {sdid: -1}"), "3: sdid: -1 is out of range, want 0 to 4294967295"},
        Wrong{Chip("network: {health: bad}"),
              "3: health: \"bad\" is unknown, want one of ok, faulty, unknown"},
        Wrong{Chip("network: {ports: [{udie: 1}]}"), "3: port: is missing and must be given"},
        Wrong{Chip("network: {ports: [{up: true}, {up: true}]}"),
              "3: port: names what stands in the list already"},
        Wrong{Chip("network: {ports: [{counters: {mac_tx_total_pkt_nun: 1}}]}"),
              "3: mac_tx_total_pkt_nun: unknown key, did you mean mac_tx_total_pkt_num?"},
        Wrong{Chip("optical: [{lanes: [{milliwatts: 1}]}]"),
              "3: milliwatts: unknown key; allowed: transmit_milliwatts, receive_milliwatts"},
        Wrong{Chip("ub: [{up: true}]"), "3: udie: is missing and must be given"},
        Wrong{Chip("ub: [{udie: 0, port: 256}]"), "3: port: 256 is out of range, want 0 to 255"},
        Wrong{Chip("ub: [{udie: 0, port: 1, counters: {crc_errors_sum: 1}}]"),
              "3: crc_errors_sum: unknown key, did you mean crc_error_sum?"}));

INSTANTIATE_TEST_SUITE_P(
    LinkEvents, SchemaTest,
    testing::Values(
        Wrong{Event("kind: throttle"), "3: reason: is missing and must be given"},
        Wrong{"machine: {chips: [{device: 3, npu_id: 0}]}\nevents:\n"
              "  - {at: 1s, device: 3, kind: throttle, reason: thermal}\n",
              "3: kind: device 3 does not report why it is throttled, so it cannot change"},
        Wrong{Event("kind: link_down, link: wifi"),
              "3: link: \"wifi\" is unknown, want one of hccs, network, ub"},
        Wrong{Event("kind: link_down, link: hccs"), "3: number: is missing and must be given"},
        Wrong{Event("kind: link_down, link: hccs, number: 9"),
              "3: link: device 0 has no such hccs link"},
        Wrong{Event("kind: link_down, link: ub, udie: 0, port: 0"),
              "3: link: device 0 has no such ub link"},
        Wrong{Event("kind: link_down, link: network, number: 1"),
              "3: number: unknown key; allowed: at, device, kind, for, link, udie, port"},
        Wrong{Event("kind: fault_blip"), "3: code: is missing and must be given"},
        Wrong{Event("kind: fault_blip, code: \"80E01801\", for: 1s"),
              "3: for: unknown key; allowed: at, device, kind, code, repeat"},
        Wrong{Event("kind: counter_reset, for: 1s"),
              "3: for: unknown key; allowed: at, device, kind"},
        Wrong{Event("kind: pcie_degraded"), "3: lanes: is missing and must be given"},
        Wrong{Event("kind: pcie_degraded, lanes: 65"),
              "3: lanes: 65 is out of range, want 0 to 64"},
        Wrong{Event("kind: optical_loss"), "3: direction: is missing and must be given"},
        Wrong{Event("kind: optical_loss, direction: receive, udie: 0, port: 1"),
              "3: kind: device 0 does not report such an optical module, so it cannot change"}));

TEST(SchemaFileTest, BrokenYamlHasItsLine) {
  EXPECT_THAT(ErrorOf("machine: 8x910b\nseed: [1\nload: waves\n"),
              testing::ContainsRegex("^[0-9]+: not YAML: "));
}

TEST(SchemaFileTest, GarbageIsRefusedWithoutHarm) {
  EXPECT_NE(ErrorOf(std::string("\0\xff\xfe{[", 5)), "opened");
  EXPECT_NE(ErrorOf("machine: &a [*a]\n"), "opened");
  EXPECT_NE(ErrorOf("machine: " + std::string(100000, '[')), "opened");
  EXPECT_THAT(ErrorOf("machine: {chips: " + std::string(40, '[') + std::string(40, ']') + "}\n"),
              HasSubstr("nested too deep"));
}

TEST(SchemaFileTest, GrowthByAliasesIsBounded) {
  std::string text = "a: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string inner = fmt::format("*a{}", i - 1);
    text += fmt::format("b{}: &a{} [{}", i, i, inner);
    for (int j = 1; j < 10; ++j) text += ", " + inner;
    text += "]\n";
  }
  EXPECT_THAT(ErrorOf(text), HasSubstr("too large"));
}

TEST(SchemaFileTest, MissingMachineFileNamesItsPathAndTheBuiltins) {
  const std::string error = ErrorOf("machine: nowhere.yaml\n");
  EXPECT_THAT(error, StartsWith("1: machine: there is no file "));
  EXPECT_THAT(error, HasSubstr("/nowhere.yaml, and \"nowhere.yaml\" is no built-in machine; "));
  EXPECT_THAT(error, HasSubstr("8x910b"));
}

TEST(SchemaFileTest, ErrorInAMachineFileNamesBothFiles) {
  const TemporaryFile machine("chips:\n  - {device: 0, npu_id: 0, power_watts: -1}\n");
  EXPECT_EQ(ErrorOf(fmt::format("seed: 1\nmachine: {}\n", machine.path())),
            fmt::format("2: machine: {}:2: power_watts: -1 is out of range, want 0 to 100000",
                        machine.path()));
}

TEST(SchemaFileTest, DirectoryIsNoScenario) {
  VirtualClock clock;
  const auto driver = OpenSim({.scenario = SourcePath("tests/machines")}, clock);
  ASSERT_FALSE(driver.ok());
  EXPECT_THAT(std::string(driver.status().message()),
              EndsWith("tests/machines: is a directory, want a YAML file"));
  EXPECT_EQ(StateOf(driver.status()), DriverState::kInitFailed);
}

}  // namespace
}  // namespace ascend

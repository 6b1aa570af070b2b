// What the events of links, counters and clocks do.
#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

constexpr DeviceAddress kChip{0, 0};
constexpr DeviceAddress kOther{1, 0};
constexpr nanoseconds kNoWindow{0};

std::shared_ptr<NpuDriver> OpenedWith(const std::string& events, Clock& clock) {
  return OpenedText(R"(
load: steady
machine:
  defaults:
    clocks: {aicore_mhz: 1000, aicore_max_mhz: 1000, vectorcore_mhz: 2000, ctrlcpu_mhz: 3000}
    throttle: [svfd]
    ecc: {hbm: {single_bit: 5, lifetime_single_bit: 6}}
    hccs:
      up: true
      links:
        - {link: 1, lanes: 4, lanes_expected: 4, transmit_flits: 10, crc_errors: 2, transmit_gigabytes_per_second: 3}
        - {link: 2, lanes: 4, lanes_expected: 4, transmit_flits: 20, crc_errors: 3, transmit_gigabytes_per_second: 4}
    sio: {transmit_errors: 7}
    pcie: {speed_gts: 16, max_speed_gts: 16, lanes: 16, max_lanes: 16, errors: {retry: 8, fatal: 9}}
    network:
      health: ok
      ports:
        - {up: true, speed_mbps: 200000, up_changes: 1, down_changes: 0, receive_mbytes_per_second: 5, counters: {nic_tx_all_pkg_num: 4}}
    optical: [{receive_loss_of_signal: false, transmit_loss_of_signal: false, lanes: [{transmit_milliwatts: 1, receive_milliwatts: 2}]}]
    ub: [{udie: 0, port: 1, up: true, counters: {ub_mem_pkt_cnt_rx: 11}}, {udie: 1, port: 1, up: true}]
  chips:
    - {device: 0, npu_id: 0}
    - {device: 1, npu_id: 1}
events:
)" + events,
                    clock);
}

TEST(ThrottleEventTest, ReasonIsActiveAndCoresAreSlower) {
  VirtualClock clock;
  const auto driver = OpenedWith(
      "  - {at: 1s, for: 1s, device: 0, kind: throttle, reason: power_cap}\n"
      "  - {at: 1s, for: 1s, device: 0, kind: throttle, reason: thermal}\n",
      clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadThrottle(kChip)->power_cap, Count{0});
  EXPECT_EQ(driver->ReadClocks(kChip)->aicore, Hertz{1e9});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadThrottle(kChip)->power_cap, Count{1});
  EXPECT_EQ(driver->ReadThrottle(kChip)->thermal, Count{1}) << "reasons add up";
  EXPECT_EQ(driver->ReadThrottle(kChip)->svfd, Count{1});
  EXPECT_EQ(driver->ReadThrottle(kChip)->edp_hardware, Count{0});
  EXPECT_EQ(driver->ReadClocks(kChip)->aicore, Hertz{0.7e9});
  EXPECT_EQ(driver->ReadClocks(kChip)->vectorcore, Hertz{1.4e9});
  EXPECT_EQ(driver->ReadClocks(kChip)->ctrlcpu, Hertz{3e9});
  EXPECT_EQ(driver->ReadClocks(kChip)->aicore_max, Hertz{1e9}) << "a rated clock stays";
  EXPECT_EQ(driver->ReadClocks(kOther)->aicore, Hertz{1e9});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadThrottle(kChip)->power_cap, Count{0});
  EXPECT_EQ(driver->ReadClocks(kChip)->aicore, Hertz{1e9});
}

TEST(LinkDownEventTest, HccsLinkLosesItsLanesAndTheChipIsNotUp) {
  VirtualClock clock;
  const auto driver = OpenedWith(
      "  - {at: 1s, for: 1s, device: 0, kind: link_down, link: hccs, number: 2}\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadHccs(kChip)->up, Count{1});
  clock.Advance(seconds(1));
  const auto hccs = driver->ReadHccs(kChip);
  EXPECT_EQ(hccs->up, Count{0});
  EXPECT_EQ(hccs->links[0].lanes, Count{4});
  EXPECT_EQ(hccs->links[1].lanes, Count{0});
  EXPECT_EQ(hccs->links[1].lanes_expected, Count{4});
  const auto bandwidth = driver->ReadHccsBandwidth(kChip, kNoWindow);
  EXPECT_EQ(bandwidth->links[0].transmit, BytesPerSecond{3 * 1073741824.0});
  EXPECT_EQ(bandwidth->links[1].transmit, BytesPerSecond{0});
  EXPECT_FALSE(bandwidth->links[1].receive.has_value());
  EXPECT_EQ(driver->ReadHccs(kOther)->up, Count{1});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadHccs(kChip)->up, Count{1});
  EXPECT_EQ(driver->ReadHccs(kChip)->links[1].lanes, Count{4});
}

TEST(LinkDownEventTest, NetworkPortIsDownFaultyAndItsChangesAreCounted) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 1s, for: 1s, device: 0, kind: link_down, link: network}\n", clock);
  ASSERT_TRUE(driver);
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadNetworkHealth(kChip)->state, NetworkHealth::kFaulty);
  const auto down = driver->ReadNetworkLink(kChip);
  EXPECT_EQ(down->ports[0].up, Count{0});
  EXPECT_FALSE(down->ports[0].speed.has_value());
  EXPECT_EQ(down->ports[0].down_changes, Count{1});
  EXPECT_EQ(down->ports[0].up_changes, Count{1});
  EXPECT_EQ(driver->ReadNetworkBandwidth(kChip, kNoWindow)->ports[0].receive, BytesPerSecond{0});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadNetworkHealth(kChip)->state, NetworkHealth::kOk);
  const auto up = driver->ReadNetworkLink(kChip);
  EXPECT_EQ(up->ports[0].up, Count{1});
  EXPECT_EQ(up->ports[0].speed, BytesPerSecond{25e9});
  EXPECT_EQ(up->ports[0].down_changes, Count{1});
  EXPECT_EQ(up->ports[0].up_changes, Count{2});
}

TEST(LinkDownEventTest, UbPortIsDownAlone) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 1s, device: 0, kind: link_down, link: ub, udie: 1, port: 1}\n", clock);
  ASSERT_TRUE(driver);
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadUb(kChip)->ports[0].up, Count{1});
  EXPECT_EQ(driver->ReadUb(kChip)->ports[1].up, Count{0});
}

TEST(LinkDownEventTest, CountersStandStillMeanwhile) {
  VirtualClock clock;
  const auto driver = OpenedText(
      "machine: 8x910b\nevents:\n"
      "  - {at: 10s, for: 20m, device: 0, kind: link_down, link: hccs, number: 3}\n"
      "  - {at: 5m, for: 20m, device: 0, kind: link_down, link: hccs, number: 3}\n"
      "  - {at: 10s, for: 25m, device: 0, kind: link_down, link: network}\n",
      clock);
  ASSERT_TRUE(driver);
  clock.Advance(seconds(10));
  const auto before = *driver->ReadHccs(kChip);
  const auto packets = driver->ReadNetworkCounters(kChip)->ports[0][NetworkCounter::kMacTxPackets];
  clock.Advance(seconds(25 * 60 - 10));
  const auto after = *driver->ReadHccs(kChip);
  EXPECT_EQ(after.links[2].index, 3U);
  EXPECT_EQ(after.links[2].transmitted, before.links[2].transmitted);
  EXPECT_GT(after.links[1].transmitted, before.links[1].transmitted);
  EXPECT_EQ(driver->ReadHccsBandwidth(kChip, seconds(0))->links[2].transmit, BytesPerSecond{0});
  EXPECT_EQ(driver->ReadNetworkCounters(kChip)->ports[0][NetworkCounter::kMacTxPackets], packets);
  clock.Advance(seconds(10 * 60));
  EXPECT_GT(driver->ReadHccs(kChip)->links[2].transmitted, after.links[2].transmitted);
}

TEST(FaultBlipEventTest, IsAnEventOfTheNextLookAndNeverActive) {
  VirtualClock clock;
  const auto driver = OpenedWith(
      "  - {at: 1500ms, device: 0, kind: fault_blip, code: \"80E01801\", repeat: 2}\n", clock);
  ASSERT_TRUE(driver);
  clock.Advance(seconds(1));
  EXPECT_TRUE(driver->ReadFaults(kChip)->events.empty());
  clock.Advance(seconds(1));
  const auto faults = driver->ReadFaults(kChip);
  EXPECT_TRUE(faults->active.empty());
  EXPECT_THAT(VectorOf(faults->events), ElementsAre(0x80E01801U, 0x80E01801U));
  EXPECT_TRUE(driver->ReadFaults(kChip)->events.empty()) << "it was told";
  EXPECT_TRUE(driver->ReadFaults(kOther)->events.empty());
}

TEST(FaultBlipEventTest, LooksAtOtherChipsTakeNothingAway) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 1s, device: 0, kind: fault_blip, code: \"80E01801\"}\n", clock);
  ASSERT_TRUE(driver);
  clock.Advance(seconds(2));
  EXPECT_TRUE(driver->ReadFaults(kOther)->events.empty());
  EXPECT_EQ(driver->ReadFaults(kChip)->events.size(), 1U);
}

TEST(FaultEventTest, FaultThatBeginsIsAnEventOnceAndActiveWhileItLasts) {
  VirtualClock clock;
  const auto driver = OpenedWith(
      "  - {at: 0s, for: 10s, device: 0, kind: fault, code: \"00000001\"}\n"
      "  - {at: 5s, for: 1s, device: 0, kind: fault, code: \"00000002\", repeat: 2}\n",
      clock);
  ASSERT_TRUE(driver);
  EXPECT_THAT(VectorOf(driver->ReadFaults(kChip)->events), ElementsAre(1U));
  EXPECT_TRUE(driver->ReadFaults(kChip)->events.empty());
  clock.Advance(seconds(7));
  const auto faults = driver->ReadFaults(kChip);
  EXPECT_THAT(VectorOf(faults->active), ElementsAre(1U));
  EXPECT_THAT(VectorOf(faults->events), ElementsAre(2U, 2U)) << "it began and ended meanwhile";
}

TEST(CounterResetEventTest, CountersOfTheChipBeginAgainFromZero) {
  VirtualClock clock;
  const auto driver = OpenedWith(
      "  - {at: 1s, device: 0, kind: ecc, memory: hbm, severity: single_bit, count: 10}\n"
      "  - {at: 2s, device: 0, kind: counter_reset}\n"
      "  - {at: 3s, device: 0, kind: ecc, memory: hbm, severity: single_bit, count: 100}\n",
      clock);
  ASSERT_TRUE(driver);
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadEcc(kChip)->hbm.single_bit, Count{15});
  EXPECT_EQ(driver->ReadHccs(kChip)->links[1].transmitted, Bytes{400});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadEcc(kChip)->hbm.single_bit, Count{0});
  EXPECT_EQ(driver->ReadEcc(kChip)->hbm.lifetime_single_bit, Count{16});
  EXPECT_EQ(driver->ReadHccs(kChip)->links[1].transmitted, Bytes{0});
  EXPECT_EQ(driver->ReadHccs(kChip)->links[1].crc_errors, Count{0});
  EXPECT_EQ(driver->ReadSio(kChip)->transmit_errors, Count{0});
  EXPECT_EQ(driver->ReadPcie(kChip, "")->errors.retry, Count{0});
  EXPECT_EQ(driver->ReadPcie(kChip, "")->errors.fatal, Count{9}) << "the kernel's";
  EXPECT_EQ(driver->ReadNetworkLink(kChip)->ports[0].up_changes, Count{0});
  EXPECT_EQ(driver->ReadNetworkCounters(kChip)->ports[0][NetworkCounter::kNicTxPackets], Count{0});
  EXPECT_EQ(driver->ReadUb(kChip)->ports[0].values[static_cast<std::size_t>(UbCounter::kRxUbMem)],
            Count{0});
  EXPECT_EQ(driver->ReadSio(kOther)->transmit_errors, Count{7});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadEcc(kChip)->hbm.single_bit, Count{100});
  EXPECT_EQ(driver->ReadEcc(kChip)->hbm.lifetime_single_bit, Count{116});
}

TEST(CounterResetEventTest, CountersGrowAgainAfterIt) {
  VirtualClock clock;
  const auto driver = OpenedText(
      "machine: 8x910b\nevents:\n  - {at: 10m, device: 0, kind: counter_reset}\n", clock);
  ASSERT_TRUE(driver);
  clock.Advance(seconds(599));
  const auto before = driver->ReadHccs(kChip)->links[0].transmitted;
  EXPECT_GT(before->value, 0);
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadHccs(kChip)->links[0].transmitted, Bytes{0});
  clock.Advance(seconds(3600));
  EXPECT_GT(driver->ReadHccs(kChip)->links[0].transmitted, before);
}

TEST(PcieDegradedEventTest, LinkHasFewerLanesAndSpeedUntilItEnds) {
  VirtualClock clock;
  const auto driver = OpenedWith(
      "  - {at: 1s, for: 1s, device: 0, kind: pcie_degraded, lanes: 8}\n"
      "  - {at: 2s, for: 1s, device: 0, kind: pcie_degraded, lanes: 4, speed_gts: 2.5}\n",
      clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadPcie(kChip, "")->lanes, Count{16});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadPcie(kChip, "")->lanes, Count{8});
  EXPECT_EQ(driver->ReadPcie(kChip, "")->speed, TransfersPerSecond{16e9});
  EXPECT_EQ(driver->ReadPcie(kChip, "")->max_lanes, Count{16});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadPcie(kChip, "")->lanes, Count{4});
  EXPECT_EQ(driver->ReadPcie(kChip, "")->speed, TransfersPerSecond{2.5e9});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadPcie(kChip, "")->lanes, Count{16});
}

TEST(OpticalLossEventTest, DirectionIsDark) {
  VirtualClock clock;
  const auto driver = OpenedWith(
      "  - {at: 1s, for: 1s, device: 0, kind: optical_loss, direction: receive}\n"
      "  - {at: 3s, device: 0, kind: optical_loss, direction: transmit}\n",
      clock);
  ASSERT_TRUE(driver);
  clock.Advance(seconds(1));
  auto optical = driver->ReadOptical(kChip);
  EXPECT_EQ(optical->modules[0].receive_loss_of_signal, Count{1});
  EXPECT_EQ(optical->modules[0].transmit_loss_of_signal, Count{0});
  EXPECT_EQ(optical->lanes[0].receive_power, Watts{0});
  EXPECT_EQ(optical->lanes[0].transmit_power, Watts{0.001});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadOptical(kChip)->modules[0].receive_loss_of_signal, Count{0});
  EXPECT_EQ(driver->ReadOptical(kChip)->lanes[0].receive_power, Watts{0.002});
  clock.Advance(seconds(1));
  optical = driver->ReadOptical(kChip);
  EXPECT_EQ(optical->modules[0].transmit_loss_of_signal, Count{1});
  EXPECT_EQ(optical->lanes[0].transmit_power, Watts{0});
}

TEST(OpticalLossEventTest, OtherModulesKeepTheirLight) {
  VirtualClock clock;
  const auto driver = OpenedText(
      "machine: 8x950\nload: steady\nevents:\n"
      "  - {at: 0s, device: 0, kind: optical_loss, direction: receive, udie: 1, port: 0}\n",
      clock);
  ASSERT_TRUE(driver);
  const auto optical = driver->ReadOptical(kChip);
  ASSERT_EQ(optical->modules.size(), 2U);
  EXPECT_EQ(optical->modules[0].receive_loss_of_signal, Count{0});
  EXPECT_EQ(optical->modules[1].receive_loss_of_signal, Count{1});
  for (const OpticalLane& lane : optical->lanes) {
    const bool dark = lane.index / kMaxOpticalLanes == PortIndex(1, 0);
    EXPECT_EQ(lane.receive_power == Watts{0}, dark) << lane.index;
  }
}

}  // namespace
}  // namespace ascend

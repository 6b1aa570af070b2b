// How values other than load, power and temperature move under load.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr DeviceAddress kChip{0, 0};

// The answer of a call that takes virtual time.
template <typename Read>
auto After(VirtualClock& clock, nanoseconds window, const Read& read) {
  decltype(read()) answer;
  const std::jthread caller([&, token = clock.Join()]() mutable {
    answer = read();
    token.reset();
  });
  clock.Advance(window);
  return answer;
}

void Append(std::vector<double>& values, const std::optional<Count>& count) {
  if (count) values.push_back(count->value);
}

// Everything of a chip that may never fall.
std::vector<double> CountersOf(NpuDriver& driver, DeviceAddress at) {
  std::vector<double> values;
  if (const auto hccs = driver.ReadHccs(at); hccs.ok()) {
    for (const HccsLink& link : hccs->links) {
      values.push_back(link.transmitted->value);
      values.push_back(link.received->value);
      Append(values, link.crc_errors);
      Append(values, link.retries);
    }
  }
  if (const auto network = driver.ReadNetworkCounters(at); network.ok()) {
    for (const PortCounters& port : network->ports) {
      for (const auto& value : port.values) Append(values, value);
    }
  }
  if (const auto ub = driver.ReadUb(at); ub.ok()) {
    for (const UbPort& port : ub->ports) {
      for (const auto& value : port.values) Append(values, value);
    }
  }
  return values;
}

class TrafficTest : public testing::TestWithParam<const char*> {};

TEST_P(TrafficTest, CountersAreWholeNumbersThatOnlyGrow) {
  VirtualClock clock;
  const auto driver = Opened(GetParam(), clock);
  ASSERT_TRUE(driver);
  const DeviceAddress at = driver->Discover()->devices.at(0).address;
  std::vector<double> before = CountersOf(*driver, at);
  ASSERT_FALSE(before.empty());
  for (const double value : before) EXPECT_EQ(value, 0) << "as described";
  for (int i = 0; i < 4000; ++i) {
    clock.Advance(i % 3 == 0 ? nanoseconds(milliseconds(1)) : nanoseconds(seconds(1)));
    std::vector<double> now = CountersOf(*driver, at);
    ASSERT_EQ(now.size(), before.size());
    for (std::size_t j = 0; j < now.size(); ++j) {
      ASSERT_GE(now[j], before[j]) << i << ": " << j;
      ASSERT_EQ(now[j], std::floor(now[j]));
    }
    before = std::move(now);
  }
  EXPECT_GT(*std::ranges::max_element(before), 1e9);
}

INSTANTIATE_TEST_SUITE_P(Machines, TrafficTest,
                         testing::Values("8x910b", "16x910c", "8x950", "4x310p"),
                         [](const auto& test) { return std::string(test.param); });

TEST(TrafficValuesTest, CountersStartWhereTheDescriptionSays) {
  VirtualClock clock;
  const auto driver = OpenedText(
      "machine:\n  chips:\n    - device: 0\n      npu_id: 0\n"
      "      hccs: {links: [{link: 1, transmit_flits: 1000, receive_flits: 5}]}\n",
      clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadHccs(kChip)->links[0].transmitted, Bytes{20000});
  clock.Advance(minutes(30));
  EXPECT_GT(driver->ReadHccs(kChip)->links[0].transmitted->value, 1e9);
  EXPECT_FALSE(driver->ReadHccs(kChip)->links[0].crc_errors.has_value());
}

TEST(TrafficValuesTest, CountersOf32BitsWrap) {
  VirtualClock clock;
  const auto driver = OpenedText(
      "machine:\n  chips:\n    - device: 0\n      npu_id: 0\n"
      "      hccs: {counter_bits: 32, links: [{link: 1, transmit_flits: 0}]}\n",
      clock);
  ASSERT_TRUE(driver);
  double before = 0;
  int wraps = 0;
  for (int i = 0; i < 1800; ++i, clock.Advance(seconds(1))) {
    const double now = driver->ReadHccs(kChip)->links[0].transmitted->value;
    EXPECT_LT(now, 4294967296.0 * kHccsFlitBytes);
    if (now < before) ++wraps;
    before = now;
  }
  EXPECT_GT(wraps, 10);
}

TEST(TrafficValuesTest, CountersGrowWithTheLoad) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  double before = 0;
  for (int i = 0; i < 1800; ++i, clock.Advance(seconds(1))) {
    const auto load = driver->ReadUtilization(kChip)->aicore;
    const double now = driver->ReadHccs(kChip)->links[0].transmitted->value;
    if (i > 0 && load->value > 0.5) {
      EXPECT_GT(now - before, 5e9) << i;
    }
    before = now;
  }
}

TEST(TrafficValuesTest, IdleMachineSendsOnlyControlPackets) {
  VirtualClock clock;
  const auto driver = OpenedText("machine: 8x910b\nload: idle\n", clock);
  ASSERT_TRUE(driver);
  clock.Advance(hours(1));
  EXPECT_EQ(driver->ReadHccs(kChip)->links[0].transmitted, Bytes{0});
  const auto network = driver->ReadNetworkCounters(kChip);
  EXPECT_EQ(network->ports[0][NetworkCounter::kNicTxPackets], Count{20 * 3600});
  EXPECT_EQ(network->ports[0][NetworkCounter::kRoceTxPackets], Count{0});
}

TEST(TrafficValuesTest, MacCarriesAtLeastWhatRoceAndNicCarry) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  clock.Advance(hours(3));
  const auto network = driver->ReadNetworkCounters(kChip);
  const auto value = [&](NetworkCounter counter) { return network->ports[0][counter]->value; };
  EXPECT_GE(value(NetworkCounter::kMacTxPackets),
            value(NetworkCounter::kRoceTxPackets) + value(NetworkCounter::kNicTxPackets));
  EXPECT_GE(value(NetworkCounter::kMacRxPackets),
            value(NetworkCounter::kRoceRxPackets) + value(NetworkCounter::kNicRxPackets));
  EXPECT_GE(value(NetworkCounter::kRoceTxPackets), value(NetworkCounter::kRoceTxRcPackets));
  EXPECT_GT(value(NetworkCounter::kMacTxBytes), value(NetworkCounter::kMacTxPackets));
}

// Whole numbers make the mean a little uneven.
TEST(TrafficValuesTest, BandwidthIsTheSlopeOfTheCounter) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  clock.Advance(hours(1));
  int busy = 0;
  for (int i = 0; i < 600; ++i) {
    const double before = driver->ReadHccs(kChip)->links[3].transmitted->value;
    const auto bandwidth =
        After(clock, seconds(1), [&] { return driver->ReadHccsBandwidth(kChip, seconds(1)); });
    ASSERT_TRUE(bandwidth.ok());
    const double after = driver->ReadHccs(kChip)->links[3].transmitted->value;
    EXPECT_NEAR(bandwidth->links[3].transmit->value, after - before, 100);
    if (after > before) ++busy;
  }
  EXPECT_GT(busy, 100);
}

TEST(TrafficValuesTest, ValuesDependOnSeedChipAndTimeOnly) {
  VirtualClock often_clock, seldom_clock;
  const auto often = OpenedText("machine: 8x950\nseed: 9\n", often_clock);
  const auto seldom = OpenedText("machine: 8x950\nseed: 9\n", seldom_clock);
  const auto other = OpenedText("machine: 8x950\nseed: 10\n", seldom_clock);
  for (int i = 0; i < 600; ++i) {
    often_clock.Advance(seconds(1));
    CountersOf(*often, kChip);
  }
  seldom_clock.Advance(minutes(10));
  EXPECT_EQ(CountersOf(*often, kChip), CountersOf(*seldom, kChip));
  EXPECT_NE(CountersOf(*often, kChip), CountersOf(*other, kChip));
  EXPECT_NE(CountersOf(*often, kChip), CountersOf(*often, {1, 0}));
}

TEST(HeatTest, VoltageStaysNearTheDescription) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  bool moved = false;
  for (int i = 0; i < 600; ++i, clock.Advance(seconds(1))) {
    const double volts = driver->ReadVoltage(kChip)->chip->value;
    EXPECT_NEAR(volts, 0.8, 0.0101);
    EXPECT_EQ(volts, std::round(volts * 100) / 100);
    moved = moved || volts != 0.8;
  }
  EXPECT_TRUE(moved);
}

TEST(HeatTest, SensorsFollowTheTemperature) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  const double rest =
      driver->ReadSensors(kChip)->soc->value - driver->ReadTemperature(kChip)->chip->value;
  double coldest = 1000;
  double hottest = 0;
  for (int i = 0; i < 1800; ++i, clock.Advance(seconds(1))) {
    const auto sensors = driver->ReadSensors(kChip);
    EXPECT_EQ(sensors->soc->value - driver->ReadTemperature(kChip)->chip->value, rest);
    EXPECT_EQ(sensors->hbm, driver->ReadHbm(kChip)->temperature);
    coldest = std::min(coldest, sensors->ntc1->value);
    hottest = std::max(hottest, sensors->ntc1->value);
  }
  EXPECT_GT(hottest, coldest + 4) << "the board warms too";
}

TEST(HeatTest, ChipIsThrottledWhenHotAndOnlyThen) {
  VirtualClock clock;
  const auto driver = Opened("fleet:32", clock);
  ASSERT_TRUE(driver);
  int throttled = 0;
  int samples = 0;
  for (int i = 0; i < 120; ++i, clock.Advance(seconds(15))) {
    for (int chip = 0; chip < 32; ++chip, ++samples) {
      const DeviceAddress at{chip, 0};
      const bool hot = driver->ReadTemperature(at)->chip->value >= 65;
      EXPECT_EQ(driver->ReadThrottle(at)->thermal, Count{hot ? 1.0 : 0.0});
      EXPECT_EQ(driver->ReadClocks(at)->aicore, Hertz{1.65e9 * (hot ? 0.7 : 1)});
      throttled += hot ? 1 : 0;
    }
  }
  EXPECT_GT(throttled, 0);
  EXPECT_LT(throttled, samples / 4);
}

TEST(HeatTest, HeatOfAnEventThrottles) {
  VirtualClock clock;
  const auto driver = OpenedText(
      "machine: 8x910b\nload: idle\nevents:\n"
      "  - {at: 1s, for: 1s, device: 0, kind: temperature, celsius: 95}\n",
      clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadThrottle(kChip)->thermal, Count{0});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadThrottle(kChip)->thermal, Count{1});
  EXPECT_LT(driver->ReadClocks(kChip)->aicore, Hertz{1.65e9});
  EXPECT_GT(driver->ReadSensors(kChip)->soc, Celsius{90});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadThrottle(kChip)->thermal, Count{0});
}

TEST(HeatTest, CoresShareTheLoadAndDamagedOnesHaveNone) {
  VirtualClock clock;
  const auto driver = OpenedText(
      "machine:\n  chips:\n    - {device: 0, npu_id: 0, chip_name: 910B3, utilization: {aicore: "
      "0}, "
      "cores: {aicore: [0, damaged, 0], vector: [0]}}\n",
      clock);
  ASSERT_TRUE(driver);
  bool apart = false;
  for (int i = 0; i < 600; ++i, clock.Advance(seconds(1))) {
    const double load = driver->ReadUtilization(kChip)->aicore->value;
    const auto cores = driver->ReadCoreUtilization(kChip);
    EXPECT_NEAR(cores->aicores[0].busy->value, load, 0.06);
    EXPECT_FALSE(cores->aicores[1].busy.has_value());
    EXPECT_LE(cores->vector_cores[0].busy->value, load);
    apart = apart || cores->aicores[0].busy != cores->aicores[2].busy;
  }
  EXPECT_TRUE(apart);
}

TEST(HeatTest, MediaEnginesFansAndVnpusFollowTheLoad) {
  VirtualClock clock;
  const auto driver = OpenedText(
      "machine:\n  chips:\n    - {device: 0, npu_id: 0, chip_name: 310P3, temperature_celsius: 49, "
      "utilization: {aicore: 0}, media: {vdec: 0}, fans: [3000], "
      "vnpus: [{id: 100, utilization: 0, memory_total_mib: 100, memory_used_mib: 0}]}\n",
      clock);
  ASSERT_TRUE(driver);
  double fastest = 0;
  for (int i = 0; i < 1200; ++i, clock.Advance(seconds(1))) {
    const double load = driver->ReadUtilization(kChip)->aicore->value;
    const auto media = driver->ReadMedia(kChip);
    EXPECT_NEAR(media->vdec->value, 0.6 * load, 0.13);
    EXPECT_FALSE(media->vpc.has_value());
    const auto vnpus = driver->ReadVnpus(kChip);
    EXPECT_NEAR(vnpus->vnpus[0].utilization->value, load, 0.11);
    EXPECT_LE(vnpus->vnpus[0].memory_used->value, 100.0 * 1048576);
    fastest = std::max(fastest, driver->ReadFans(kChip)->fans[0].speed->value);
  }
  EXPECT_GT(fastest, 3500);
}

TEST(HeatTest, LightFlickersNearTheDescription) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  bool moved = false;
  for (int i = 0; i < 100; ++i, clock.Advance(seconds(10))) {
    const auto optical = driver->ReadOptical(kChip);
    EXPECT_NEAR(optical->lanes[0].receive_power->value, 1.0189e-3, 0.0205e-3);
    EXPECT_NEAR(optical->modules[0].voltage->value, 3.2629, 0.01);
    moved = moved || optical->lanes[0].receive_power != Watts{1.0189e-3};
  }
  EXPECT_TRUE(moved);
}

TEST(LinkTest, PcieLinkIsConstant) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  for (int i = 0; i < 100; ++i, clock.Advance(seconds(17))) {
    const auto pcie = driver->ReadPcie(kChip, "0000:c1:00.0");
    EXPECT_EQ(pcie->lanes, Count{16});
    EXPECT_EQ(pcie->speed, TransfersPerSecond{16e9});
  }
}

TEST(LinkTest, PcieAndNetworkBandwidthsFollowTheLoad) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  int busy = 0;
  for (int i = 0; i < 600; ++i) {
    const auto pcie =
        After(clock, seconds(1), [&] { return driver->ReadPcieBandwidth(kChip, seconds(1)); });
    const auto network =
        After(clock, seconds(1), [&] { return driver->ReadNetworkBandwidth(kChip, seconds(1)); });
    const double load = driver->ReadUtilization(kChip)->aicore->value;
    if (load > 0.5) {
      EXPECT_GT(network->ports[0].transmit->value, 4e9);
      EXPECT_GT(pcie->receive_completion->value, 2e9);
      ++busy;
    }
    EXPECT_LE(network->ports[0].transmit->value, 25e9);
  }
  EXPECT_GT(busy, 50);
}

}  // namespace
}  // namespace ascend

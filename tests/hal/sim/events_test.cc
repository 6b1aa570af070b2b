#include <array>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

constexpr double kMiB = 1048576;

// A small machine of two chips with HBM and one without, and the events of the test.
std::shared_ptr<NpuDriver> OpenedWith(const std::string& events, Clock& clock) {
  return OpenedText(R"(
load: steady
machine:
  defaults:
    health: ok
    temperature_celsius: 40
    power_watts: 90
    hbm: {total_mib: 1000, used_mib: 100, utilization: 10}
    ecc: {hbm: {single_bit: 1, double_bit: 2, lifetime_single_bit: 3, lifetime_double_bit: 4}}
  chips:
    - {device: 0, npu_id: 0}
    - {device: 1, npu_id: 1, faults: ["00000001"]}
    - {device: 2, npu_id: 2, hbm: ~, ddr: {total_mib: 500, used_mib: 50}}
events:
)" + events,
                    clock);
}

constexpr DeviceAddress kFirst{0, 0};
constexpr DeviceAddress kSecond{1, 0};
constexpr DeviceAddress kThird{2, 0};

TEST(EventTest, TemperatureLastsFromItsStartUpToItsEnd) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 30s, for: 1m, device: 1, kind: temperature, celsius: 95}\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadTemperature(kSecond)->chip, Celsius{40});
  clock.Advance(seconds(30));
  EXPECT_EQ(driver->ReadTemperature(kSecond)->chip, Celsius{95});
  EXPECT_EQ(driver->ReadTemperature(kFirst)->chip, Celsius{40}) << "of another device";
  clock.Advance(seconds(60) - nanoseconds(1));
  EXPECT_EQ(driver->ReadTemperature(kSecond)->chip, Celsius{95});
  clock.Advance(nanoseconds(1));
  EXPECT_EQ(driver->ReadTemperature(kSecond)->chip, Celsius{40});
}

TEST(EventTest, WithoutForAnEventLasts) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 0s, device: 0, kind: temperature, celsius: 95}\n", clock);
  ASSERT_TRUE(driver);
  clock.Advance(std::chrono::hours(1000));
  EXPECT_EQ(driver->ReadTemperature(kFirst)->chip, Celsius{95});
}

TEST(EventTest, TimesCountFromTheOpening) {
  VirtualClock clock;
  clock.Advance(seconds(100));
  const auto driver =
      OpenedWith("  - {at: 30s, device: 0, kind: temperature, celsius: 95}\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadTemperature(kFirst)->chip, Celsius{40});
}

TEST(EventTest, OfTwoThatOverlapTheLaterLineWins) {
  VirtualClock clock;
  const auto driver = OpenedWith(R"(
  - {at: 0s, device: 0, kind: temperature, celsius: 70}
  - {at: 0s, for: 10s, device: 0, kind: temperature, celsius: 80}
)",
                                 clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadTemperature(kFirst)->chip, Celsius{80});
  clock.Advance(seconds(10));
  EXPECT_EQ(driver->ReadTemperature(kFirst)->chip, Celsius{70});
}

TEST(EventTest, EccAddsToBothCountersAndStays) {
  VirtualClock clock;
  const auto driver = OpenedWith(R"(
  - {at: 1s, device: 0, kind: ecc, memory: hbm, severity: double_bit, count: 5}
  - {at: 2s, device: 0, kind: ecc, memory: hbm, severity: single_bit}
  - {at: 3s, device: 0, kind: ecc, memory: hbm, severity: double_bit, count: 1}
)",
                                 clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadEcc(kFirst)->hbm.double_bit, Count{2});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadEcc(kFirst)->hbm.double_bit, Count{7});
  EXPECT_EQ(driver->ReadEcc(kFirst)->hbm.lifetime_double_bit, Count{9});
  EXPECT_EQ(driver->ReadEcc(kFirst)->hbm.single_bit, Count{1});
  clock.Advance(seconds(600));
  EXPECT_EQ(driver->ReadEcc(kFirst)->hbm.double_bit, Count{8});
  EXPECT_EQ(driver->ReadEcc(kFirst)->hbm.single_bit, Count{2});
  EXPECT_EQ(driver->ReadEcc(kFirst)->hbm.lifetime_single_bit, Count{4});
}

TEST(EventTest, FaultsJoinThoseOfTheDescriptionAsOftenAsTheyRepeat) {
  VirtualClock clock;
  const auto driver = OpenedWith(
      "  - {at: 1s, for: 1s, device: 1, kind: fault, code: \"80E01801\", repeat: 3}\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadFaults(kSecond)->active.size(), 1U);
  clock.Advance(seconds(1));
  const auto faults = driver->ReadFaults(kSecond);
  EXPECT_THAT(VectorOf(faults->active),
              testing::ElementsAre(1U, 0x80E01801U, 0x80E01801U, 0x80E01801U));
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadFaults(kSecond)->active.size(), 1U);
}

TEST(EventTest, FaultListIsFullAtItsLimit) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 0s, device: 1, kind: fault, code: \"80E01801\", repeat: 128}\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadFaults(kSecond)->active.size(), kMaxFaultCodes);
}

TEST(EventTest, LostDeviceIsGoneUntilItComesBack) {
  VirtualClock clock;
  const auto driver = OpenedWith("  - {at: 1s, for: 1s, device: 1, kind: lost}\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->Discover()->devices.size(), 3U);
  clock.Advance(seconds(1));
  const auto discovery = driver->Discover();
  ASSERT_EQ(discovery->devices.size(), 2U);
  EXPECT_EQ(discovery->devices[1].device, 2);
  EXPECT_TRUE(discovery->problems.empty());
  const auto health = driver->ReadHealth(kSecond);
  ASSERT_TRUE(health.ok());
  EXPECT_TRUE(health->lost);
  EXPECT_FALSE(health->state.has_value());
  EXPECT_TRUE(absl::IsNotFound(driver->ReadIdentity(kSecond).status()));
  EXPECT_TRUE(absl::IsNotFound(driver->ReadPower(kSecond).status()));
  EXPECT_TRUE(absl::IsNotFound(driver->ReadHbm(kSecond).status()));
  EXPECT_FALSE(driver->ReadHealth(kFirst)->lost);
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->Discover()->devices.size(), 3U);
  EXPECT_TRUE(driver->ReadPower(kSecond).ok());
}

TEST(EventTest, ErrorHitsItsCallOnly) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 1s, for: 1s, device: 0, kind: error, call: hbm, code: -8005}\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_TRUE(driver->ReadHbm(kFirst).ok());
  clock.Advance(seconds(1));
  const auto status = driver->ReadHbm(kFirst).status();
  EXPECT_TRUE(absl::IsInternal(status));
  EXPECT_EQ(status.message(), "simulated hbm: -8005");
  EXPECT_TRUE(driver->ReadPower(kFirst).ok());
  EXPECT_TRUE(driver->ReadHbm(kSecond).ok());
  clock.Advance(seconds(1));
  EXPECT_TRUE(driver->ReadHbm(kFirst).ok());
}

// What each call but the discovery answers.
std::vector<absl::Status> StatusesOfAllCalls(NpuDriver& driver, DeviceAddress at) {
  std::array<ProcessReading, 1> processes;
  const nanoseconds window{0};
  return {driver.ReadIdentity(at).status(),
          driver.ReadHealth(at).status(),
          driver.ReadFaults(at).status(),
          driver.ReadTemperature(at).status(),
          driver.ReadPower(at).status(),
          driver.ReadCardPower(at).status(),
          driver.ReadUtilization(at).status(),
          driver.ReadHbm(at).status(),
          driver.ReadDdr(at).status(),
          driver.ReadEcc(at).status(),
          driver.ReadProcesses(at, processes).status(),
          driver.ReadVoltage(at).status(),
          driver.ReadClocks(at).status(),
          driver.ReadSensors(at).status(),
          driver.ReadThrottle(at).status(),
          driver.ReadPowerLimit(at).status(),
          driver.ReadCoreUtilization(at).status(),
          driver.ReadMedia(at).status(),
          driver.ReadFans(at).status(),
          driver.ReadCompatibility(at).status(),
          driver.ReadVnpus(at).status(),
          driver.ReadTopology(at).status(),
          driver.ReadCpuAffinity(at).status(),
          driver.ReadHccs(at).status(),
          driver.ReadHccsBandwidth(at, window).status(),
          driver.ReadSio(at).status(),
          driver.ReadPcie(at, "").status(),
          driver.ReadPcieBandwidth(at, window).status(),
          driver.ReadSuperPod(at).status(),
          driver.ReadNetworkHealth(at).status(),
          driver.ReadNetworkLink(at).status(),
          driver.ReadNetworkCounters(at).status(),
          driver.ReadNetworkBandwidth(at, window).status(),
          driver.ReadOptical(at).status(),
          driver.ReadUb(at).status()};
}

constexpr std::array<const char*, 35> kCalls = {"identity",
                                                "health",
                                                "faults",
                                                "temperature",
                                                "power",
                                                "card_power",
                                                "utilization",
                                                "hbm",
                                                "ddr",
                                                "ecc",
                                                "processes",
                                                "voltage",
                                                "clocks",
                                                "sensors",
                                                "throttle",
                                                "power_limit",
                                                "cores",
                                                "media",
                                                "fans",
                                                "compatibility",
                                                "vnpus",
                                                "topology",
                                                "cpu_affinity",
                                                "hccs",
                                                "hccs_bandwidth",
                                                "sio",
                                                "pcie",
                                                "pcie_bandwidth",
                                                "super_pod",
                                                "network_health",
                                                "network_link",
                                                "network_counters",
                                                "network_bandwidth",
                                                "optical",
                                                "ub"};

TEST(EventTest, EveryCallCanBeHitAlone) {
  for (std::size_t i = 0; i < kCalls.size(); ++i) {
    VirtualClock clock;
    const auto driver = OpenedWith(std::string("  - {at: 0s, device: 0, kind: error, call: ") +
                                       kCalls.at(i) + ", code: -8005}\n",
                                   clock);
    ASSERT_TRUE(driver);
    const auto statuses = StatusesOfAllCalls(*driver, kFirst);
    ASSERT_EQ(statuses.size(), kCalls.size());
    for (std::size_t j = 0; j < kCalls.size(); ++j) {
      EXPECT_EQ(absl::IsInternal(statuses[j]), i == j) << kCalls.at(i) << ": " << kCalls.at(j);
    }
  }
}

TEST(EventTest, ErrorOfAllHitsEveryCallButTheDiscovery) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 0s, device: 0, kind: error, call: all, code: -8005}\n", clock);
  ASSERT_TRUE(driver);
  for (const absl::Status& status : StatusesOfAllCalls(*driver, kFirst)) {
    EXPECT_TRUE(absl::IsInternal(status)) << status;
  }
  EXPECT_EQ(driver->Discover()->devices.size(), 3U);
}

TEST(EventTest, ErrorsThatHaveAMeaningKeepIt) {
  VirtualClock clock;
  const auto driver = OpenedWith(R"(
  - {at: 0s, device: 0, kind: error, call: power, code: -8255}
  - {at: 0s, device: 0, kind: error, call: hbm, code: -8006}
  - {at: 0s, device: 0, kind: error, call: ecc, code: -8008}
)",
                                 clock);
  ASSERT_TRUE(driver);
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadPower(kFirst).status()));
  EXPECT_TRUE(absl::IsUnavailable(driver->ReadHbm(kFirst).status()));
  EXPECT_TRUE(absl::IsNotFound(driver->ReadEcc(kFirst).status()));
}

TEST(EventTest, ErrorOfTheDiscoveryIsAProblemOfThatCard) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 0s, device: 1, kind: error, call: discovery, code: -8005}\n", clock);
  ASSERT_TRUE(driver);
  const auto discovery = driver->Discover();
  ASSERT_TRUE(discovery.ok());
  EXPECT_EQ(discovery->devices.size(), 2U);
  EXPECT_THAT(discovery->problems,
              testing::ElementsAre("card 1 chip 0: simulated discovery: -8005"));
}

TEST(EventTest, MemoryFillsTheMainMemory) {
  VirtualClock clock;
  const auto driver = OpenedWith(R"(
  - {at: 1s, for: 1s, device: 0, kind: memory, used_ratio: 0.95}
  - {at: 1s, for: 1s, device: 2, kind: memory, used_ratio: 0.5}
)",
                                 clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadHbm(kFirst)->used, Bytes{100 * kMiB});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadHbm(kFirst)->used, Bytes{950 * kMiB});
  EXPECT_EQ(driver->ReadHbm(kFirst)->utilization, Ratio{0.95});
  EXPECT_EQ(driver->ReadDdr(kThird)->used, Bytes{250 * kMiB});
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadHbm(kFirst)->used, Bytes{100 * kMiB});
  EXPECT_EQ(driver->ReadDdr(kThird)->used, Bytes{50 * kMiB});
}

TEST(EventTest, HealthChangesAndRecovers) {
  VirtualClock clock;
  const auto driver =
      OpenedWith("  - {at: 1s, for: 1s, device: 0, kind: health, state: critical}\n", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadHealth(kFirst)->state, Health::kOk);
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadHealth(kFirst)->state, Health::kCritical);
  clock.Advance(seconds(1));
  EXPECT_EQ(driver->ReadHealth(kFirst)->state, Health::kOk);
}

TEST(EventTest, EventsHappenUnderWavesToo) {
  VirtualClock clock;
  const auto driver = OpenedText(R"(
machine: 8x910b
events:
  - {at: 0s, device: 3, kind: temperature, celsius: 95}
  - {at: 0s, device: 3, kind: memory, used_ratio: 0.25}
)",
                                 clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadTemperature({3, 0})->chip, Celsius{95});
  EXPECT_EQ(driver->ReadHbm({3, 0})->used, Bytes{16384 * kMiB});
  EXPECT_EQ(driver->ReadHbm({3, 0})->utilization, Ratio{0.25});
}

}  // namespace
}  // namespace ascend

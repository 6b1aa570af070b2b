#include <array>
#include <cmath>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

struct Sample {
  double load = 0, watts = 0, celsius = 0, hbm_used = 0, hbm_celsius = 0;
  friend bool operator==(const Sample&, const Sample&) = default;
};

Sample SampleOf(NpuDriver& driver, DeviceAddress chip) {
  const auto hbm = driver.ReadHbm(chip);
  return {driver.ReadUtilization(chip)->aicore->value, driver.ReadPower(chip)->chip->value,
          driver.ReadTemperature(chip)->chip->value, hbm->used->value, hbm->temperature->value};
}

std::vector<Sample> Series(const std::string& text, DeviceAddress chip, seconds length,
                           nanoseconds step = seconds(1)) {
  VirtualClock clock;
  const auto driver = OpenedText(text, clock);
  std::vector<Sample> series;
  for (nanoseconds t{0}; driver && t < length; t += step) {
    series.push_back(SampleOf(*driver, chip));
    clock.Advance(step);
  }
  return series;
}

double Correlation(const std::vector<Sample>& series, double Sample::*a, double Sample::*b,
                   std::size_t lag = 0) {
  double sum_a = 0, sum_b = 0, sum_aa = 0, sum_bb = 0, sum_ab = 0;
  const auto n = static_cast<double>(series.size() - lag);
  for (std::size_t i = 0; i + lag < series.size(); ++i) {
    const double x = series[i].*a;
    const double y = series[i + lag].*b;
    sum_a += x, sum_b += y, sum_aa += x * x, sum_bb += y * y, sum_ab += x * y;
  }
  return (n * sum_ab - sum_a * sum_b) /
         std::sqrt((n * sum_aa - sum_a * sum_a) * (n * sum_bb - sum_b * sum_b));
}

constexpr char kWaves[] = "machine: 8x910b\nseed: 7\n";

TEST(PhysicsTest, SameSeedGivesSameNumbers) {
  EXPECT_EQ(Series(kWaves, {2, 0}, minutes(5)), Series(kWaves, {2, 0}, minutes(5)));
}

TEST(PhysicsTest, OtherSeedAndOtherDeviceGiveOtherNumbers) {
  const auto series = Series(kWaves, {2, 0}, minutes(5));
  EXPECT_NE(series, Series("machine: 8x910b\nseed: 8\n", {2, 0}, minutes(5)));
  EXPECT_NE(series, Series(kWaves, {3, 0}, minutes(5)));
}

TEST(PhysicsTest, NumbersDoNotDependOnHowOftenTheyAreAskedFor) {
  const auto often = Series(kWaves, {1, 0}, minutes(3), milliseconds(100));
  const auto seldom = Series(kWaves, {1, 0}, minutes(3), seconds(30));
  for (std::size_t i = 0; i < seldom.size(); ++i) EXPECT_EQ(seldom[i], often[i * 300]) << i;
}

TEST(PhysicsTest, NumbersDoNotDependOnTheThreadThatAsks) {
  VirtualClock clock;
  const auto driver = OpenedText(kWaves, clock);
  ASSERT_TRUE(driver);
  clock.Advance(minutes(2));
  std::array<Sample, 8> alone;
  std::array<Sample, 8> together;
  for (int i = 0; i < 8; ++i) alone.at(i) = SampleOf(*driver, {i, 0});
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] { together.at(i) = SampleOf(*driver, {i, 0}); });
    }
  }
  EXPECT_EQ(alone, together);
}

TEST(PhysicsTest, LoadLooksLikeJobs) {
  const auto series = Series(kWaves, {0, 0}, minutes(30));
  int idle = 0;
  int busy = 0;
  int jumps = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].load == 0) ++idle;
    if (series[i].load > 0.4) ++busy;
    if (i > 0 && std::abs(series[i].load - series[i - 1].load) > 0.4) ++jumps;
  }
  EXPECT_GT(idle, 300);
  EXPECT_GT(busy, 300);
  EXPECT_EQ(jumps, 0) << "loads ramp";
}

TEST(PhysicsTest, PowerFollowsUtilization) {
  const auto series = Series(kWaves, {0, 0}, minutes(30));
  EXPECT_GT(Correlation(series, &Sample::load, &Sample::watts), 0.98);
}

TEST(PhysicsTest, TemperatureFollowsPowerLate) {
  const auto series = Series(kWaves, {0, 0}, minutes(30));
  const double at_once = Correlation(series, &Sample::watts, &Sample::celsius);
  const double late = Correlation(series, &Sample::watts, &Sample::celsius, 15);
  EXPECT_GT(late, 0.9);
  EXPECT_GT(late, at_once + 0.02) << "a chip warms with inertia";
}

TEST(PhysicsTest, TemperatureMovesByAFewDegreesASecondAtMost) {
  const auto series = Series(kWaves, {0, 0}, minutes(30));
  double lowest = series[0].celsius;
  double highest = series[0].celsius;
  for (std::size_t i = 1; i < series.size(); ++i) {
    EXPECT_LE(std::abs(series[i].celsius - series[i - 1].celsius), 2) << i;
    lowest = std::min(lowest, series[i].celsius);
    highest = std::max(highest, series[i].celsius);
  }
  EXPECT_GT(highest - lowest, 10);
}

TEST(PhysicsTest, MemoryFollowsJobsAndItsTemperatureThatOfTheChip) {
  const auto series = Series(kWaves, {0, 0}, minutes(30));
  EXPECT_GT(Correlation(series, &Sample::load, &Sample::hbm_used), 0.8);
  EXPECT_GT(Correlation(series, &Sample::celsius, &Sample::hbm_celsius), 0.9);
}

TEST(PhysicsTest, ValuesAreRoundedAsTheHardwareRoundsThem) {
  for (const Sample& sample : Series(kWaves, {4, 0}, minutes(10))) {
    EXPECT_EQ(sample.celsius, std::round(sample.celsius));
    EXPECT_EQ(sample.watts, std::round(sample.watts * 10) / 10);
    EXPECT_EQ(sample.load, std::round(sample.load * 100) / 100);
    EXPECT_EQ(std::fmod(sample.hbm_used, 1048576), 0);
  }
}

TEST(PhysicsTest, ValuesStayWhatAChipCanHave) {
  VirtualClock clock;
  const auto driver = Opened("fleet:64", clock);
  ASSERT_TRUE(driver);
  for (int i = 0; i < 100; ++i, clock.Advance(seconds(13))) {
    for (int chip = 0; chip < 64; ++chip) {
      const Sample sample = SampleOf(*driver, {chip, 0});
      EXPECT_TRUE(sample.load >= 0 && sample.load <= 1) << sample.load;
      EXPECT_TRUE(sample.watts > 80 && sample.watts < 420) << sample.watts;
      EXPECT_TRUE(sample.celsius > 35 && sample.celsius < 80) << sample.celsius;
      EXPECT_LT(sample.hbm_used, 65536.0 * 1048576);
    }
  }
}

TEST(PhysicsTest, IdleMachineStaysIdle) {
  for (const Sample& sample : Series("machine: 8x910b\nload: idle\n", {0, 0}, minutes(20))) {
    EXPECT_EQ(sample.load, 0);
    EXPECT_LT(sample.watts, 110);
    EXPECT_LT(sample.celsius, 45);
  }
}

TEST(PhysicsTest, PowerOfFirstDieFollowsTheLoadOfBoth) {
  VirtualClock clock;
  const auto driver = Opened("16x910c", clock);
  ASSERT_TRUE(driver);
  std::vector<Sample> own, both;
  for (int i = 0; i < 1800; ++i, clock.Advance(seconds(1))) {
    const double first = driver->ReadUtilization({0, 0})->aicore->value;
    const double second = driver->ReadUtilization({0, 1})->aicore->value;
    const double watts = driver->ReadPower({0, 0})->chip->value;
    own.push_back({.load = first, .watts = watts});
    both.push_back({.load = first + second, .watts = watts});
  }
  EXPECT_GT(Correlation(both, &Sample::load, &Sample::watts), 0.97);
  EXPECT_LT(Correlation(own, &Sample::load, &Sample::watts), 0.9);
}

TEST(PhysicsTest, AJobHasAProcessThatHoldsItsMemory) {
  VirtualClock clock;
  const auto driver = OpenedText(kWaves, clock);
  ASSERT_TRUE(driver);
  int running = 0;
  for (int i = 0; i < 1800; ++i, clock.Advance(seconds(1))) {
    std::array<ProcessReading, kMaxProcesses> processes;
    const std::size_t count = driver->ReadProcesses({0, 0}, processes)->value();
    const Sample sample = SampleOf(*driver, {0, 0});
    if (count == 0) {
      EXPECT_EQ(sample.load, 0);
      continue;
    }
    ++running;
    EXPECT_GT(processes[0].pid, 0);
    EXPECT_LE(processes[0].memory->value, sample.hbm_used);
  }
  EXPECT_GT(running, 300);
  EXPECT_LT(running, 1700);
}

}  // namespace
}  // namespace ascend

// Integrals and extremes of signals that are known, against the samples themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

#include "collectors/all.h"
#include "exporter/engine/row_memory.h"
#include "tests/engine/scripted_driver.h"

namespace ascend {
namespace {

struct Point {
  nanoseconds at;
  double value;
};
using Signal = std::function<double(double seconds)>;
using Times = std::function<nanoseconds(std::mt19937_64&)>;  // from one sample to the next

constexpr nanoseconds kMostGap = 3s;

Signal Sine(double seconds) {
  return [=](double t) { return 250 + 150 * std::sin(2 * std::numbers::pi * t / seconds); };
}
double Saw(double t) { return 80 + 40 * std::fmod(t, 7.3); }
double Square(double t) { return std::fmod(t, 11) < 5 ? 71.3 : 401.7; }
double Steps(double t) { return 60 + std::floor(std::fmod(t / 3.7, 12)) * 23.1; }
Signal RandomWalk() {
  return [random = std::mt19937_64(7), at = 200.0](double) mutable {
    at += std::uniform_real_distribution<double>(-9, 9)(random);
    return at = std::clamp(at, 20.0, 600.0);
  };
}

nanoseconds Between(std::mt19937_64& random, nanoseconds least, nanoseconds most) {
  return nanoseconds(
      std::uniform_int_distribution<std::int64_t>(least.count(), most.count())(random));
}
nanoseconds Jitter(std::mt19937_64& random) { return Between(random, 700ms, 1300ms); }
// Now and then a call is late, the process stands still, or a device hangs for minutes.
nanoseconds Pauses(std::mt19937_64& random) {
  switch (random() % 40) {
    case 0:
      return Between(random, 2900ms, 3100ms);
    case 1:
      return kMostGap + nanoseconds(random() % 2);
    case 2:
      return Between(random, 3s, 200s);
    default:
      return Jitter(random);
  }
}

std::vector<Point> Sampled(const Signal& signal, const Times& times, std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<Point> points;
  nanoseconds at = 1h;
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back({at, signal(std::chrono::duration<double>(at).count())});
    at += times(random);
  }
  return points;
}

class ExactnessTest : public ::testing::Test {
 protected:
  std::uint16_t Row(std::string_view name) const {
    for (std::size_t i = 0; i < catalog_.rows().size(); ++i) {
      if (catalog_.rows()[i].row->spec.name == name) return static_cast<std::uint16_t>(i);
    }
    ADD_FAILURE() << name;
    return 0;
  }
  // Feeds the points and compares after each, with sums that are wider than a double.
  void CompareIntegral(const std::vector<Point>& points) {
    const std::uint16_t row = Row("ascend_npu_energy_joules_total");
    RowMemory memory(catalog_, 60s);
    long double expected = 0;
    double shown = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const nanoseconds passed = i == 0 ? 0ns : points[i].at - points[i - 1].at;
      if (i > 0 && passed <= kMostGap) {
        expected += (static_cast<long double>(points[i].value) + points[i - 1].value) / 2 *
                    static_cast<long double>(passed.count()) / 1e9L;
      }
      std::array<Sample, 1> sample = {Sample{row, 0, 0, points[i].value}};
      memory.Apply(sample, {}, points[i].at.count(), kMostGap);
      ASSERT_GE(sample[0].value, shown) << "a counter does not fall";
      shown = sample[0].value;
      const auto error = static_cast<double>(std::abs(shown - expected));
      ASSERT_LE(error, 1e-12 * static_cast<double>(expected)) << "sample " << i;
    }
    EXPECT_GT(shown, 0);
  }
  // The extremes of all samples in the open bucket and the 60 before it, by their definition.
  void CompareWindow(const std::vector<Point>& points, nanoseconds window) {
    const std::array rows = {Row("ascend_npu_power_window_min_watts"),
                             Row("ascend_npu_power_window_max_watts")};
    RowMemory memory(catalog_, window);
    const nanoseconds bucket = window / 60;
    std::size_t first = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::array<Sample, 2> samples = {Sample{rows[0], 0, 0, points[i].value},
                                       Sample{rows[1], 0, 0, points[i].value}};
      memory.Apply(samples, {}, points[i].at.count(), kMostGap);
      while (points[first].at / bucket + 60 < points[i].at / bucket) ++first;
      const auto [least, most] =
          std::ranges::minmax(std::span(points).subspan(first, i + 1 - first), {}, &Point::value);
      ASSERT_EQ(samples[0].value, least.value) << "sample " << i;
      ASSERT_EQ(samples[1].value, most.value) << "sample " << i;
      ASSERT_LE(points[i].at - points[first].at, window + bucket) << "61 buckets at most";
    }
  }

  const Catalog catalog_;
};

TEST_F(ExactnessTest, IntegralsAreTheTrapezoidsOfTheirSamples) {
  for (const Times& times : {Times(Jitter), Times(Pauses)}) {
    for (const Signal& signal :
         {Sine(10), Sine(86400), Signal(Saw), Signal(Square), Signal(Steps), RandomWalk()}) {
      CompareIntegral(Sampled(signal, times, 20'000));
    }
  }
}

TEST_F(ExactnessTest, ExtremesAreThoseOfTheSamplesInTheWindow) {
  for (const Times& times : {Times(Jitter), Times(Pauses)}) {
    for (const Signal& signal :
         {Sine(45), Signal(Saw), Signal(Square), Signal(Steps), RandomWalk()}) {
      for (const nanoseconds window : {nanoseconds(1s), nanoseconds(60s), nanoseconds(7min)}) {
        CompareWindow(Sampled(signal, times, 3'000), window);
      }
    }
  }
}

// Four months of one sample a second. A plain sum of doubles is off by 7e-11 by then.
TEST_F(ExactnessTest, TenMillionSamplesAddUpAsFewDo) {
  RowMemory memory(catalog_, 60s);
  const std::uint16_t row = Row("ascend_npu_energy_joules_total");
  constexpr std::int64_t kSamples = 10'000'000;
  std::array<Sample, 1> sample{};
  for (std::int64_t i = 1; i <= kSamples; ++i) {
    sample[0] = {row, 0, 0, 70.3};
    memory.Apply(sample, {}, i * 1'000'000'000, kMostGap);
  }
  const long double expected = static_cast<long double>(70.3) * (kSamples - 1);
  EXPECT_LE(static_cast<double>(std::abs(sample[0].value - expected) / expected), 1e-15);
}

TEST_F(ExactnessTest, SampleThatIsOlderThanTheWindowDisplacesNoNewerOne) {
  RowMemory memory(catalog_, 60s);
  const std::uint16_t row = Row("ascend_npu_power_window_max_watts");
  const auto tell = [&](nanoseconds at, double value) {
    std::array<Sample, 1> sample = {Sample{row, 0, 0, value}};
    memory.Apply(sample, {}, at.count(), kMostGap);
    return sample[0].value;
  };
  tell(1000s, 300);
  tell(1000s - 61s, 100);
  EXPECT_EQ(tell(1001s, 200), 300);
}

// The sample that the page shows is one of those of the last tenth of a second: finds the two whose
// trapezoids are the energy between two pages.
struct Part {
  nanoseconds from{}, to{};
};
std::optional<Part> PartOf(const std::vector<Point>& points, std::size_t first, double energy) {
  std::vector<long double> sums(points.size());
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto passed = static_cast<long double>((points[i].at - points[i - 1].at).count());
    sums[i] = sums[i - 1] +
              (static_cast<long double>(points[i].value) + points[i - 1].value) / 2 * passed / 1e9L;
  }
  for (std::size_t i = first - 15; i < first; ++i) {
    for (std::size_t j = points.size() - 15; j < points.size(); ++j) {
      const auto error = static_cast<double>(std::abs(sums[j] - sums[i] - energy));
      if (error <= 1e-12 * energy) return Part{points[i].at, points[j].at};
    }
  }
  return std::nullopt;
}

TEST_F(ExactnessTest, EnergyOfASineIsThatOfItsFormula) {
  constexpr double kSeconds = 3.7;
  DiscoveryOptions options;
  options.sampling.periods[static_cast<std::size_t>(Group::kFast)] = 10ms;
  ScriptedNode node("machine: fleet:1\nload: steady\n", options);
  std::vector<Point> points;
  node.driver->power = [&](DeviceAddress, absl::StatusOr<PowerReading>& power) {
    const nanoseconds at = node->clock.Now().time_since_epoch();
    const double watts = Sine(kSeconds)(std::chrono::duration<double>(at).count());
    power->chip = Watts{watts};
    points.push_back({at, watts});
  };
  const auto energy = [&] { return *node->Value("ascend_npu_energy_joules_total{device=\"0\"}"); };
  node->clock.Advance(1s);
  const std::size_t first = points.size();
  const double before = energy();
  node->clock.Advance(19s);
  ASSERT_GT(points.size(), 1900U);
  const double drawn = energy() - before;
  const std::optional<Part> part = PartOf(points, first, drawn);
  ASSERT_TRUE(part) << drawn;
  const double from = std::chrono::duration<double>(part->from).count();
  const double to = std::chrono::duration<double>(part->to).count();
  const double angle = 2 * std::numbers::pi / kSeconds;
  const double formula =
      250 * (to - from) - 150 / angle * (std::cos(angle * to) - std::cos(angle * from));
  EXPECT_NEAR(drawn, formula, 1e-3 * formula);
}

TEST(SkippedTicksTest, EachTickIsSampledOrCountedAsSkipped) {
  constexpr nanoseconds kPeriod = 100ms;
  DiscoveryOptions options;
  options.sampling.periods.fill(10h);  // so that nothing but the fast group is due
  options.sampling.periods[static_cast<std::size_t>(Group::kFast)] = kPeriod;
  ScriptedNode node(
      "machine: fleet:1\nload: steady\nevents:\n"
      "  - {at: 5s, for: 60s, device: 0, kind: slow, delay: 350ms, call: temperature}\n"
      "  - {at: 80s, for: 60s, device: 0, kind: slow, delay: 99ms, call: temperature}\n"
      "  - {at: 150s, for: 60s, device: 0, kind: slow, delay: 100ms, call: temperature}\n"
      "  - {at: 220s, for: 2s, device: 0, kind: hang, call: temperature}\n",
      options);
  std::vector<std::int64_t> ticks;
  node.driver->before_temperature = [&](DeviceAddress) {
    const nanoseconds at = node->clock.Now().time_since_epoch();
    EXPECT_EQ(at % kPeriod, 0ns);
    ticks.push_back(at / kPeriod);
  };
  const std::string series = "ascend_exporter_skipped_ticks_total{group=\"fast\"}";
  EXPECT_EQ(node->OwnValue(series), 0);
  node->clock.Advance(300s);
  ASSERT_GT(ticks.size(), 1000U);
  const auto called = static_cast<std::int64_t>(ticks.size());
  const std::int64_t skipped = ticks.back() - ticks.front() + 1 - called;
  EXPECT_GT(skipped, 60 / 0.1 / 2);
  EXPECT_EQ(node->OwnValue(series), skipped);
}

}  // namespace
}  // namespace ascend

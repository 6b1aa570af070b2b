#include "hal/sim/physics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ascend::sim {
namespace {

// Power and temperature at rest and at full load: rough figures, near what the tool prints on such
// machines where its output is known.
struct FamilyThermals {
  ChipFamily family;
  Thermals thermals;
};
constexpr std::array<FamilyThermals, 8> kThermals = {{
    {ChipFamily::kUnknown, {50, 200, 40, 70}},
    {ChipFamily::k310, {6, 12, 45, 62}},
    {ChipFamily::k310B, {9, 22, 45, 65}},
    {ChipFamily::k310P, {36, 86, 49, 72}},
    {ChipFamily::k910, {65, 290, 34, 72}},
    {ChipFamily::k910B, {95, 385, 41, 69}},
    {ChipFamily::k910_93, {90, 340, 34, 65}},
    {ChipFamily::k950, {200, 560, 48, 76}},
}};

constexpr double kShortestCycle = 150;
constexpr double kLongestCycle = 420;
constexpr double kRampUpSeconds = 8;
constexpr double kRampDownSeconds = 4;
constexpr double kChanceOfNoJob = 0.1;
constexpr double kCoreLagSeconds = 25;
constexpr double kMemoryLagSeconds = 45;
constexpr double kNoiseStepSeconds = 2;
constexpr std::int32_t kFirstPid = 10'000;
constexpr double kPids = 900'000;

// What a random number is drawn for; each has its own stream.
enum Stream : std::uint64_t {
  kCycle = 1,
  kPhase,
  kNoJob,
  kStart,
  kLength,
  kLevel,
  kStep,
  kMemory,
  kPid,
  kSteps,
  kChipOffset,
  kDraw,
  kFirstChannel,  // of the caller's noise
};

// SplitMix64's finisher: spreads every bit of `x` over the result.
std::uint64_t Mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

// 0 to 1, the same for the same arguments.
double Random(std::uint64_t seed, std::uint64_t stream, std::int64_t index) {
  const std::uint64_t start = seed ^ (stream << 56U) ^ (stream >> 8U);
  const std::uint64_t bits = Mix(Mix(start) + static_cast<std::uint64_t>(index));
  return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

double Between(double low, double high, double random) { return low + (high - low) * random; }

double SmoothStep(double x) {
  const double t = std::clamp(x, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// The integral of a ramp of `length` from 0 to 1, then of the 1 that it leads to.
double RampedUp(double seconds, double length) {
  const double t = std::clamp(seconds / length, 0.0, 1.0);
  return length * t * t * t * (1 - t / 2) + std::max(0.0, seconds - length);
}

double LevelOf(std::uint64_t seed, std::int64_t turn) {
  return Between(0.55, 0.97, Random(seed, kLevel, turn));
}

double Seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// How long ago each of equally weighted shares of a body's warmth came in, in time constants: the
// middles of equal shares of exp(-x).
constexpr std::size_t kShares = 24;
const std::array<double, kShares>& Lags() {
  static const std::array<double, kShares> lags = [] {
    std::array<double, kShares> result{};
    for (std::size_t i = 0; i < kShares; ++i) {
      result[i] = -std::log((static_cast<double>(i) + 0.5) / kShares);
    }
    return result;
  }();
  return lags;
}

}  // namespace

// One turn of the pattern: nothing, ramp up, work, ramp down, nothing.
struct ChipPhysics::Plan {
  bool exists = false;
  double start = 0;   // from the beginning of the turn
  double length = 0;  // of the job
};

// Where in a turn a time is.
struct ChipPhysics::Job {
  bool exists = false;
  double since_start = 0;  // negative before the job
  double to_end = 0;       // negative after it
  std::int64_t turn = 0;
};

Thermals ThermalsOf(ChipFamily family) {
  const auto found = std::ranges::find(kThermals, family, &FamilyThermals::family);
  return found == kThermals.end() ? kThermals.front().thermals : found->thermals;
}

ChipPhysics::ChipPhysics(std::uint64_t seed, std::int32_t device, ChipFamily family, bool busy)
    : seed_(Mix(Mix(seed) + static_cast<std::uint64_t>(device))),
      thermals_(ThermalsOf(family)),
      busy_(busy),
      cycle_seconds_(Between(kShortestCycle, kLongestCycle, Random(seed_, kCycle, 0))),
      phase_seconds_(cycle_seconds_ * Random(seed_, kPhase, 0)) {
  const double offset = Random(seed_, kChipOffset, 0);
  thermals_.idle_watts *= Between(0.95, 1.05, offset);
  thermals_.idle_celsius += Between(-2, 2, offset);
  thermals_.busy_celsius += Between(-3, 3, Random(seed_, kChipOffset, 1));
}

ChipPhysics::Plan ChipPhysics::PlanOf(std::int64_t turn) const {
  Plan plan;
  plan.exists = busy_ && Random(seed_, kNoJob, turn) >= kChanceOfNoJob;
  plan.start = cycle_seconds_ * Between(0.05, 0.25, Random(seed_, kStart, turn));
  plan.length = cycle_seconds_ * Between(0.4, 0.7, Random(seed_, kLength, turn));
  return plan;
}

ChipPhysics::Job ChipPhysics::JobAt(double seconds) const {
  const double turns = (seconds + phase_seconds_) / cycle_seconds_;
  const auto turn = static_cast<std::int64_t>(std::floor(turns));
  const Plan plan = PlanOf(turn);
  const double into = (turns - std::floor(turns)) * cycle_seconds_;
  return {.exists = plan.exists,
          .since_start = into - plan.start,
          .to_end = plan.start + plan.length - into,
          .turn = turn};
}

double ChipPhysics::LoadAt(double seconds) const {
  const Job job = JobAt(seconds);
  if (!job.exists || job.since_start <= 0 || job.to_end <= 0) return 0;
  const double level = LevelOf(seed_, job.turn);
  const double ramp =
      SmoothStep(job.since_start / kRampUpSeconds) * SmoothStep(job.to_end / kRampDownSeconds);
  // Steps of training: the cores wait for data or for each other once in a while.
  const double step_seconds = Between(6, 20, Random(seed_, kStep, job.turn));
  const double into_step = job.since_start / step_seconds;
  const double wait = 1 - 0.15 * SmoothStep(4 * (into_step - std::floor(into_step)) - 3);
  return ramp * wait * level * (1 + 0.03 * Noise(kSteps, seconds));
}

double ChipPhysics::LaggedLoad(double seconds, double constant_seconds) const {
  if (!busy_) return 0;
  double sum = 0;
  for (const double lag : Lags()) sum += LoadAt(seconds - lag * constant_seconds);
  return sum / kShares;
}

double ChipPhysics::Noise(std::uint64_t channel, double seconds) const {
  const double steps = seconds / kNoiseStepSeconds;
  const double whole = std::floor(steps);
  const auto index = static_cast<std::int64_t>(whole);
  const double before = Random(seed_, channel, index);
  const double after = Random(seed_, channel, index + 1);
  return 2 * Between(before, after, SmoothStep(steps - whole)) - 1;
}

double ChipPhysics::NoiseAt(std::uint64_t channel, nanoseconds time) const {
  return Noise(kFirstChannel + channel, Seconds(time));
}

Work ChipPhysics::WorkAt(nanoseconds time) const {
  const double seconds = Seconds(time);
  const Job job = JobAt(seconds);
  Work work;
  if (!job.exists || job.since_start <= 0 || job.to_end <= 0) return work;
  work.load = LoadAt(seconds);
  work.memory_ratio = Between(0.45, 0.95, Random(seed_, kMemory, job.turn)) *
                      SmoothStep(job.since_start / kRampUpSeconds);
  work.pid = kFirstPid + static_cast<std::int32_t>(kPids * Random(seed_, kPid, job.turn));
  return work;
}

double ChipPhysics::WorkedIn(std::int64_t turn, double seconds) const {
  const Plan plan = PlanOf(turn);
  const double worked = std::clamp(seconds - plan.start, 0.0, plan.length);
  if (!plan.exists || worked <= 0) return 0;
  // Each form only grows where it holds, in the arithmetic of the machine too.
  const double remaining = plan.length - worked;
  const double whole = plan.length - (kRampUpSeconds + kRampDownSeconds) / 2;
  const double ramped = remaining < kRampDownSeconds ? whole - RampedUp(remaining, kRampDownSeconds)
                                                     : RampedUp(worked, kRampUpSeconds);
  return LevelOf(seed_, turn) * ramped;
}

double ChipPhysics::WorkedUntil(double seconds) const {
  const double turns = (seconds + phase_seconds_) / cycle_seconds_;
  const auto turn = static_cast<std::int64_t>(std::floor(turns));
  double sum = 0;
  for (std::int64_t i = 0; i < turn; ++i) sum += WorkedIn(i, cycle_seconds_);
  return sum + WorkedIn(turn, (turns - std::floor(turns)) * cycle_seconds_);
}

double ChipPhysics::WorkedSecondsAt(nanoseconds time) const {
  return busy_ ? WorkedUntil(Seconds(time)) - WorkedUntil(0) : 0;
}

Watts ChipPhysics::PowerAt(nanoseconds time) const {
  const double seconds = Seconds(time);
  const double watts =
      thermals_.idle_watts + (thermals_.busy_watts - thermals_.idle_watts) * LoadAt(seconds);
  return Watts{watts * (1 + 0.01 * Noise(kDraw, seconds))};
}

Celsius ChipPhysics::TemperatureAt(nanoseconds time) const {
  return Celsius{Between(thermals_.idle_celsius, thermals_.busy_celsius,
                         LaggedLoad(Seconds(time), kCoreLagSeconds))};
}

Celsius ChipPhysics::MemoryTemperatureAt(nanoseconds time) const {
  constexpr double kCooler = 3;
  return Celsius{Between(thermals_.idle_celsius, thermals_.busy_celsius,
                         LaggedLoad(Seconds(time), kMemoryLagSeconds)) -
                 kCooler};
}

}  // namespace ascend::sim

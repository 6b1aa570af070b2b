#include "hal/sim/heat_model.h"

#include <algorithm>
#include <array>

#include "absl/status/status.h"
#include "hal/sim/channels.h"
#include "hal/sim/rounding.h"

namespace ascend::sim {
namespace {

constexpr double kThrottledClock = 0.7;  // of the clock that it would have
constexpr double kHotBelowBusy = 4;      // degrees below the full heat of the family
constexpr double kCentivolts = 100;
constexpr double kVoltageNoise = 0.01;
constexpr double kCoreNoise = 0.05;
constexpr double kVectorShare = 0.33;
constexpr double kBoardShare = 0.5;  // of the chip's warming that the board's sensors feel
constexpr double kRpmPerDegree = 60;
constexpr double kRpmStep = 10;

struct Engine {
  std::optional<Ratio> MediaReading::*busy;
  double share;  // of the load
};
constexpr std::array<Engine, 5> kEngines = {{{&MediaReading::vdec, 0.6},
                                             {&MediaReading::vpc, 0.5},
                                             {&MediaReading::venc, 0.05},
                                             {&MediaReading::jpege, 0.02},
                                             {&MediaReading::jpegd, 0.3}}};
constexpr std::array<std::optional<Celsius> SensorReading::*, 4> kBoardSensors = {
    &SensorReading::ntc1, &SensorReading::ntc2, &SensorReading::ntc3, &SensorReading::ntc4};

using Cores = FixedList<CoreLoad, kMaxCores>;
void MoveCores(Cores& cores, double load, std::uint64_t channel, const ChipPhysics& physics,
               nanoseconds time) {
  for (CoreLoad& core : cores.items()) {
    const double noise = 1 + kCoreNoise * physics.NoiseAt(channel + core.index, time);
    Fill(core.busy, WholePercent(load * noise));
  }
}

}  // namespace

Celsius HeatModel::TemperatureAt(Moment at, const ChipPhysics& physics) const {
  return chips_.TemperatureAt(at).chip.value_or(Whole(physics.TemperatureAt(at.time)));
}

double HeatModel::WarmerBy(Moment at, const ChipPhysics& physics) const {
  const Chip& chip = chips_.ChipOf(at);
  const double described =
      chip.temperature ? chip.temperature->value : ThermalsOf(chip.identity.family).idle_celsius;
  return TemperatureAt(at, physics).value - described;
}

bool HeatModel::TooHot(Moment at) const {
  const ChipPhysics* physics = chips_.PhysicsOf(at);
  if (physics == nullptr) return false;
  const double busy = ThermalsOf(chips_.ChipOf(at).identity.family).busy_celsius;
  return TemperatureAt(at, *physics).value >= busy - kHotBelowBusy;
}

bool HeatModel::Throttled(Moment at) const {
  const auto throttle = ThrottleAt(at);
  return throttle.ok() && std::ranges::any_of(kThrottleReasons, [&](const ThrottleReason& reason) {
           return ((*throttle).*reason.active).value_or(Count{0}).value != 0;
         });
}

absl::StatusOr<VoltageReading> HeatModel::VoltageAt(Moment at) const {
  const auto& described = chips_.ChipOf(at).voltage;
  if (!described) return absl::UnimplementedError("voltage");
  VoltageReading reading{.chip = described, .refused = {}};
  if (const ChipPhysics* physics = chips_.PhysicsOf(at)) {
    const double noise = 1 + kVoltageNoise * physics->NoiseAt(kVoltage, at.time);
    reading.chip = Volts{RoundToParts(described->value * noise, kCentivolts)};
  }
  return reading;
}

absl::StatusOr<ClockReading> HeatModel::ClocksAt(Moment at) const {
  const Chip& chip = chips_.ChipOf(at);
  if (!chip.clocks) return absl::UnimplementedError("clocks");
  ClockReading reading = *chip.clocks;
  // A description at rest has the clock that goes with its own reasons.
  const bool slower = chips_.PhysicsOf(at) != nullptr
                          ? Throttled(at)
                          : Active<Throttle>(chips_.EventsOf(at), at.time) != nullptr;
  if (!slower) return reading;
  if (reading.aicore) reading.aicore->value *= kThrottledClock;
  if (reading.vectorcore) reading.vectorcore->value *= kThrottledClock;
  return reading;
}

absl::StatusOr<SensorReading> HeatModel::SensorsAt(Moment at) const {
  const Chip& chip = chips_.ChipOf(at);
  if (!chip.sensors) return absl::UnimplementedError("sensors");
  SensorReading reading = *chip.sensors;
  const ChipPhysics* physics = chips_.PhysicsOf(at);
  if (physics == nullptr) return reading;
  const double warmer = WarmerBy(at, *physics);
  for (const Sensor& sensor : kSensorKinds) {
    auto& celsius = reading.*sensor.celsius;
    if (!celsius) continue;
    const bool board = std::ranges::find(kBoardSensors, sensor.celsius) != kBoardSensors.end();
    celsius = Whole(Celsius{celsius->value + warmer * (board ? kBoardShare : 1)});
  }
  Fill(reading.hbm, Whole(physics->MemoryTemperatureAt(at.time)));
  return reading;
}

absl::StatusOr<ThrottleReading> HeatModel::ThrottleAt(Moment at) const {
  const Chip& chip = chips_.ChipOf(at);
  if (!chip.throttle) return absl::UnimplementedError("throttle reasons");
  ThrottleReading reading = *chip.throttle;
  if (TooHot(at)) reading.thermal = Count{1};
  for (const Event& event : chips_.EventsOf(at)) {
    const auto* throttle = std::get_if<Throttle>(&event.what);
    if (throttle != nullptr && event.ActiveAt(at.time)) reading.*throttle->reason = Count{1};
  }
  return reading;
}

absl::StatusOr<CoreUtilizationReading> HeatModel::CoresAt(Moment at) const {
  const Chip& chip = chips_.ChipOf(at);
  if (!chip.cores) return absl::UnimplementedError("utilisation by core");
  CoreUtilizationReading reading = *chip.cores;
  if (const ChipPhysics* physics = chips_.PhysicsOf(at)) {
    const double load = physics->WorkAt(at.time).load;
    MoveCores(reading.aicores, load, kFirstAicore, *physics, at.time);
    MoveCores(reading.vector_cores, load * kVectorShare, kFirstVectorCore, *physics, at.time);
  }
  return reading;
}

absl::StatusOr<MediaReading> HeatModel::MediaAt(Moment at) const {
  const Chip& chip = chips_.ChipOf(at);
  if (!chip.media) return absl::UnimplementedError("media engines");
  MediaReading reading = *chip.media;
  const ChipPhysics* physics = chips_.PhysicsOf(at);
  if (physics == nullptr) return reading;
  const double load = physics->WorkAt(at.time).load;
  std::uint64_t channel = kFirstMedia;
  for (const Engine& engine : kEngines) {
    const double noise = 1 + 0.2 * physics->NoiseAt(channel++, at.time);
    Fill(reading.*engine.busy, WholePercent(load * engine.share * noise));
  }
  return reading;
}

absl::StatusOr<FanReading> HeatModel::FansAt(Moment at) const {
  const Chip& chip = chips_.ChipOf(at);
  if (!chip.fans) return absl::UnimplementedError("fans");
  FanReading reading = *chip.fans;
  const ChipPhysics* physics = chips_.PhysicsOf(at);
  if (physics == nullptr) return reading;
  const double faster = kRpmPerDegree * WarmerBy(at, *physics);
  for (Fan& fan : reading.fans.items()) {
    const double noise = 1 + 0.01 * physics->NoiseAt(kFirstFan + fan.index, at.time);
    const double rpm = std::max(0.0, (fan.speed.value_or(Rpm{0}).value + faster) * noise);
    Fill(fan.speed, Rpm{std::round(rpm / kRpmStep) * kRpmStep});
  }
  return reading;
}

}  // namespace ascend::sim

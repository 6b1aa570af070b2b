// Temperature, power, clocks and the load of a chip's parts.
#include <array>

#include "hal/sim/parse_chip.h"
#include "hal/sim/yaml_quantities.h"

namespace ascend::sim {
namespace {

constexpr Bounds kMegahertz{0, 1e6};
constexpr double kHertzPerMegahertz = 1e6;
constexpr Bounds kRpm{0, 1e6};

using ClockKey = KeyOf<ClockReading, std::optional<Hertz>>;
constexpr std::array<ClockKey, 6> kClocks = {{{"aicore_mhz", &ClockReading::aicore},
                                              {"aicore_max_mhz", &ClockReading::aicore_max},
                                              {"vectorcore_mhz", &ClockReading::vectorcore},
                                              {"ctrlcpu_mhz", &ClockReading::ctrlcpu},
                                              {"hbm_mhz", &ClockReading::hbm},
                                              {"ddr_mhz", &ClockReading::ddr}}};
using MediaKey = KeyOf<MediaReading, std::optional<Ratio>>;
constexpr std::array<MediaKey, 5> kMedia = {{{"vdec", &MediaReading::vdec},
                                             {"vpc", &MediaReading::vpc},
                                             {"venc", &MediaReading::venc},
                                             {"jpege", &MediaReading::jpege},
                                             {"jpegd", &MediaReading::jpegd}}};

ClockReading ParseClocks(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "clocks", problems);
  ClockReading reading;
  for (const ClockKey& clock : kClocks) {
    reading.*clock.field = Read<Hertz>(fields, clock.key, kMegahertz, kHertzPerMegahertz);
  }
  fields.RefuseOthers();
  return reading;
}

SensorReading ParseSensors(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "sensors", problems);
  SensorReading reading;
  for (const Sensor& sensor : kSensorKinds) {
    reading.*sensor.celsius = Read<Celsius>(fields, sensor.name, kCelsius);
  }
  fields.RefuseOthers();
  return reading;
}

ThrottleReading ParseThrottle(std::span<const YamlValue> items, YamlProblems& problems) {
  ThrottleReading reading;
  std::array<std::string_view, kThrottleReasons.size()> names;
  std::ranges::transform(kThrottleReasons, names.begin(), &ThrottleReason::name);
  for (const ThrottleReason& reason : kThrottleReasons) reading.*reason.active = Count{0};
  for (const YamlValue& item : items) {
    const auto reason = std::ranges::find(kThrottleReasons, item.text, &ThrottleReason::name);
    if (reason != kThrottleReasons.end()) {
      reading.*reason->active = Count{1};
    } else {
      problems.Add(item.line, "throttle",
                   fmt::format("\"{}\" is unknown, want one of {}", item.text, Listed(names)));
    }
  }
  return reading;
}

// A damaged core stands in the list without a value; one that is invalid does not stand there.
void ReadCores(YamlFields& fields, const std::string& key, FixedList<CoreLoad, kMaxCores>& cores) {
  const auto items = ReadItems(fields, key);
  if (items.size() > kMaxCores) {
    fields.Refuse(key, fmt::format("{} cores, want at most {}", items.size(), kMaxCores));
  }
  std::uint32_t index = 0;
  for (const YamlValue& item : items) {
    CoreLoad core{index++, std::nullopt};
    if (item.text == "invalid") continue;
    if (item.text != "damaged") {
      const auto percent = NumberOf(item, key, kPercent, fields.problems(), ", damaged or invalid");
      if (percent) core.busy = Percent(*percent);
    }
    cores.Add(core);
  }
}

CoreUtilizationReading ParseCores(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "cores", problems);
  CoreUtilizationReading reading;
  ReadCores(fields, "aicore", reading.aicores);
  ReadCores(fields, "vector", reading.vector_cores);
  fields.RefuseOthers();
  return reading;
}

MediaReading ParseMedia(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "media", problems);
  MediaReading reading;
  for (const MediaKey& engine : kMedia) reading.*engine.field = ReadPercent(fields, engine.key);
  fields.RefuseOthers();
  return reading;
}

FanReading ParseFans(YamlFields& fields) {
  FanReading reading;
  for (const YamlValue& item : ReadItems(fields, "fans")) {
    const auto rpm = NumberOf(item, "fans", kRpm, fields.problems());
    const auto number = static_cast<std::uint32_t>(reading.fans.size() + 1);  // fans count from 1
    AddOnce(reading.fans, {number, Rpm{rpm.value_or(0)}}, fields, "fans");
  }
  return reading;
}

}  // namespace

void ParseHeat(YamlFields& fields, Chip& chip) {
  YamlProblems& problems = fields.problems();
  chip.temperature = Read<Celsius>(fields, "temperature_celsius", kCelsius);
  chip.power = Read<Watts>(fields, "power_watts", kWatts);
  chip.card_power = Read<Watts>(fields, "card_power_watts", kWatts);
  chip.power_limit = Read<Watts>(fields, "power_limit_watts", kWatts);
  chip.voltage = Read<Volts>(fields, "voltage_volts", kVolts);
  if (const YamlValue* value = fields.Any("clocks")) chip.clocks = ParseClocks(*value, problems);
  if (const YamlValue* value = fields.Any("sensors")) {
    chip.sensors = ParseSensors(*value, problems);
  }
  if (const YamlValue* list = fields.List("throttle")) {
    chip.throttle = ParseThrottle(list->items, problems);
  }
  if (const YamlValue* value = fields.Any("cores")) {
    chip.cores = std::make_shared<CoreUtilizationReading>(ParseCores(*value, problems));
  }
  if (const YamlValue* value = fields.Any("media")) chip.media = ParseMedia(*value, problems);
  if (fields.Any("fans") != nullptr) {
    chip.fans = std::make_shared<FanReading>(ParseFans(fields));
  }
}

}  // namespace ascend::sim

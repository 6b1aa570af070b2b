// The readings of DcmiDriver about heat, power, clocks and fans.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>

#include "hal/dcmi/abi.h"
#include "hal/dcmi/driver.h"

namespace ascend::dcmi {
namespace {

struct Clock {
  int type;
  Question question;
  std::optional<Hertz> ClockReading::*field;
};
constexpr std::array<Clock, 5> kClocks = {
    {{kFrequencyAicore, Question::kAicoreClock, &ClockReading::aicore},
     {kFrequencyVectorcore, Question::kVectorcoreClock, &ClockReading::vectorcore},
     {kFrequencyCtrlcpu, Question::kCtrlcpuClock, &ClockReading::ctrlcpu},
     {kFrequencyHbm, Question::kHbmClock, &ClockReading::hbm},
     {kFrequencyDdr, Question::kDdrClock, &ClockReading::ddr}}};

struct Sensor {
  int id;
  Question question;
  std::array<std::optional<Celsius> SensorReading::*, 4> fields;  // null: the sensor is one number
};
constexpr std::array<Sensor, 8> kSensors = {
    {{kSensorCluster, Question::kClusterSensor, {&SensorReading::cluster}},
     {kSensorPeripheral, Question::kPeripheralSensor, {&SensorReading::peripheral}},
     {kSensorAicore, Question::kAicoreSensor, {&SensorReading::aicore}},
     {kSensorNtc,
      Question::kNtcSensor,
      {&SensorReading::ntc1, &SensorReading::ntc2, &SensorReading::ntc3, &SensorReading::ntc4}},
     {kSensorSoc, Question::kSocSensor, {&SensorReading::soc}},
     {kSensorFp, Question::kFpSensor, {&SensorReading::fp_max}},
     {kSensorNDie, Question::kNDieSensor, {&SensorReading::n_die}},
     {kSensorHbm, Question::kHbmSensor, {&SensorReading::hbm}}}};

// Fills what is no temperature: the library writes one byte of a sensor or four, and which it was
// shows in what is left.
constexpr unsigned char kUntouched = 0x80;
constexpr unsigned char kNoValue = 0xFF;

// Nothing where the library wrote nothing.
std::optional<std::int32_t> NumberOf(std::span<const unsigned char, 4> bytes) {
  std::size_t written = bytes.size();
  while (written > 0 && bytes[written - 1] == kUntouched) --written;
  if (written == 0) return std::nullopt;
  if (written == 1) return static_cast<signed char>(bytes[0]);
  std::int32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof(number));
  return number;
}

// All ones everywhere are no value; in one number they are -1 degree.
bool IsNoValue(const SensorInfo& info, std::span<const unsigned char, 4> bytes) {
  const bool byte_of_ones = bytes[0] == kNoValue && bytes[1] == kUntouched;
  return byte_of_ones ||
         std::ranges::all_of(info.bytes, [](unsigned char byte) { return byte == kNoValue; });
}

struct Reason {
  unsigned bit;
  std::optional<Count> ThrottleReading::*field;
};
constexpr std::array<Reason, 7> kReasons = {{{2, &ThrottleReading::thermal},
                                             {3, &ThrottleReading::edp_software},
                                             {4, &ThrottleReading::edp_hardware},
                                             {5, &ThrottleReading::power_brake},
                                             {8, &ThrottleReading::svfd},
                                             {10, &ThrottleReading::power_cap},
                                             {11, &ThrottleReading::load_aware}}};
constexpr std::uint64_t kNoReasons = 0x7FFFFFFF;  // and all above: no value

constexpr int kMaxFans = 16;

}  // namespace

absl::StatusOr<TemperatureReading> DcmiDriver::ReadTemperature(DeviceAddress at) {
  TemperatureReading reading;
  int raw = std::numeric_limits<int>::max();
  const int code = f_.temperature(at, &raw);
  if (code != kOk) return StatusOf(f_.temperature.name, code);
  reading.chip = Border(reading.refused).Degrees(raw);
  return reading;
}

absl::StatusOr<PowerReading> DcmiDriver::ReadPower(DeviceAddress at) {
  PowerReading reading;
  int raw = -1;
  const int code = f_.power_info(at, &raw);
  if (code != kOk) return StatusOf(f_.power_info.name, code);
  reading.chip = Border(reading.refused).TenthsOfWatts(raw);
  return reading;
}

absl::StatusOr<CardPowerReading> DcmiDriver::ReadCardPower(DeviceAddress at) {
  CardPowerReading reading;
  int raw = -1;
  const int code = f_.mcu_power_info(at.card, &raw);
  if (code != kOk) return StatusOf(f_.mcu_power_info.name, code);
  reading.card = Border(reading.refused).TenthsOfWatts(raw);
  return reading;
}

absl::StatusOr<PowerLimitReading> DcmiDriver::ReadPowerLimit(DeviceAddress at) {
  Room<LpPowerInfo> power(Room<LpPowerInfo>::kOnes);
  const int code = Info(at, kRatedPowerItem, power.value);
  if (code != kOk) return StatusOf(f_.device_info.name, code);
  PowerLimitReading reading;
  reading.limit = Border(reading.refused).Milliwatts(power.value.soc_rated_power);
  return reading;
}

absl::StatusOr<VoltageReading> DcmiDriver::ReadVoltage(DeviceAddress at) {
  VoltageReading reading;
  unsigned int raw = ~0U;
  const int code = f_.voltage(at, &raw);
  if (code != kOk) return StatusOf(f_.voltage.name, code);
  reading.chip = Border(reading.refused).HundredthsOfVolts(raw);
  return reading;
}

int DcmiDriver::ReadClock(DeviceAddress at, int type, Question question,
                          std::optional<Hertz>& clock, Border& border) {
  unsigned int raw = ~0U;
  const int code = lacks_.Of(at).Ask(question, [&] { return f_.frequency(at, type, &raw); });
  if (code == kOk) clock = border.Megahertz(raw);
  return code;
}

absl::StatusOr<ClockReading> DcmiDriver::ReadClocks(DeviceAddress at) {
  ClockReading reading;
  Border border(reading.refused);
  Outcome outcome;
  for (const Clock& clock : kClocks) {
    outcome.Add(f_.frequency,
                ReadClock(at, clock.type, clock.question, reading.*clock.field, border));
  }
  const int rated =
      ReadClock(at, kFrequencyAicoreMax, Question::kAicoreMaxClock, reading.aicore_max, border);
  outcome.Add(f_.frequency, rated);
  if (IsUnsupported(rated)) {
    Room<AicoreInfo> info(Room<AicoreInfo>::kOnes);
    const int code =
        lacks_.Of(at).Ask(Question::kAicoreInfo, [&] { return f_.aicore_info(at, &info.value); });
    outcome.Add(f_.aicore_info, code);
    if (code == kOk) reading.aicore_max = border.Megahertz(info.value.freq);
  }
  border.UnknownIfZero(reading.aicore_max);
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

absl::StatusOr<SensorReading> DcmiDriver::ReadSensors(DeviceAddress at) {
  SensorReading reading;
  Border border(reading.refused);
  Outcome outcome;
  for (const Sensor& sensor : kSensors) {
    Room<SensorInfo> info(kUntouched);
    const int code = lacks_.Of(at).Ask(sensor.question,
                                       [&] { return f_.sensor_info(at, sensor.id, &info.value); });
    outcome.Add(f_.sensor_info, code);
    if (code != kOk) continue;
    std::size_t offset = 0;
    for (const auto field : sensor.fields) {
      if (field == nullptr) break;
      const auto bytes = std::span<const unsigned char, 4>(&info.value.bytes[offset], 4);
      const std::optional<std::int32_t> number = NumberOf(bytes);
      if (sensor.id == kSensorNtc && number == kNoSuchNtc) {
        // Boards have one to four.
      } else if (!number || IsNoValue(info.value, bytes)) {
        border.Refuse();
      } else {
        reading.*field = border.Degrees(*number);
      }
      offset += bytes.size();
    }
  }
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

absl::StatusOr<ThrottleReading> DcmiDriver::ReadThrottle(DeviceAddress at) {
  Room<std::uint64_t> reasons(Room<int>::kOnes);
  const int code = Info(at, kThrottleItem, reasons.value);
  if (code != kOk) return StatusOf(f_.device_info.name, code);
  ThrottleReading reading;
  if (reasons.value >= kNoReasons) {
    Border(reading.refused).Refuse();
    return reading;
  }
  for (const Reason& reason : kReasons) {
    reading.*reason.field = Count{(reasons.value >> reason.bit & 1) != 0 ? 1.0 : 0.0};
  }
  return reading;
}

absl::StatusOr<FanReading> DcmiDriver::ReadFans(DeviceAddress at) {
  int count = -1;
  int code = f_.fan_count(at, &count);
  if (code != kOk) return StatusOf(f_.fan_count.name, code);
  if (count < 0 || count > kMaxFans) {
    return absl::InternalError(fmt::format("{}: answers {} fans", f_.fan_count.name, count));
  }
  FanReading reading;
  Border border(reading.refused);
  Outcome outcome;
  for (int fan = 1; fan <= count; ++fan) {
    int raw = -1;
    code = lacks_.Of(at).Ask(Question::kFanSpeed, [&] { return f_.fan_speed(at, fan, &raw); });
    outcome.Add(f_.fan_speed, code);
    Fan& found = *reading.fans.Add({.index = static_cast<std::uint32_t>(fan), .speed = {}});
    if (code == kOk) found.speed = border.TurnsPerMinute(raw);
  }
  if (absl::Status status = outcome.status(); count > 0 && !status.ok()) return status;
  return reading;
}

}  // namespace ascend::dcmi

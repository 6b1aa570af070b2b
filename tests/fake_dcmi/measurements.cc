// What the chips measure of heat, power and clocks. Keys of a chip, numbers in the vendor's units:
//   temperature; power and card_power (0.1 W); voltage (0.01 V); frequency.TYPE (MHz); aicore RATED
//   CURRENT (MHz); sensor.ID (degrees; four numbers for 10, the NTC); fans RPM..., of the fans from
//   number 1 on
#include <cstring>

#include "call.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;
using fake_dcmi::Dev;

constexpr int kInvalidSensor = 255;
constexpr int kNtcSensor = 10;

int AnswerFrequency(Call call, int input_type, unsigned int* frequency) {
  return call.AnswerNumber("frequency." + std::to_string(input_type), frequency, "frequency");
}

int AnswerAicoreInfo(Call call, fake_dcmi::AicoreInfo* aicore_info) {
  if (const auto code = call.ChipVerdict(aicore_info)) return *code;
  const auto clocks = call.chip()->Numbers("aicore", 2);
  if (!clocks) return fake_dcmi::kNotSupported;
  call.Set(aicore_info->freq, "freq", (*clocks)[0]);
  call.Set(aicore_info->cur_freq, "cur_freq", (*clocks)[1]);
  return fake_dcmi::kOk;
}

int AnswerSensor(Call call, int sensor_id, fake_dcmi::SensorInfo* sensor_info) {
  if (const auto code = call.ChipVerdict(sensor_info)) return *code;
  if (sensor_id < 0 || sensor_id >= kInvalidSensor) return fake_dcmi::kInvalidParameter;
  const std::size_t least = sensor_id == kNtcSensor ? 4 : 1;
  const auto degrees = call.chip()->Numbers("sensor." + std::to_string(sensor_id), least);
  if (!degrees) return fake_dcmi::kNotSupported;
  std::memset(sensor_info, 0, sizeof(*sensor_info));
  if (sensor_id == kNtcSensor) {
    call.SetAll(sensor_info->ntc_tmp, "ntc_tmp", *degrees);
  } else {
    call.Set(sensor_info->iint, "iint", degrees->front());
  }
  return fake_dcmi::kOk;
}

}  // namespace

int dcmi_get_device_temperature(int card_id, int device_id, int* temperature) {
  return Call(__func__, card_id, device_id).AnswerNumber("temperature", temperature, "temperature");
}

int dcmiv2_get_device_temperature(int dev_id, int* temperature) {
  return Call(__func__, Dev(dev_id)).AnswerNumber("temperature", temperature, "temperature");
}

int dcmi_get_device_power_info(int card_id, int device_id, int* power) {
  return Call(__func__, card_id, device_id).AnswerNumber("power", power, "power");
}

int dcmiv2_get_device_power_info(int dev_id, int* power_info) {
  return Call(__func__, Dev(dev_id)).AnswerNumber("power", power_info, "power_info");
}

int dcmi_mcu_get_power_info(int card_id, int* power) {
  Call call(__func__, card_id);
  if (const auto code = call.Verdict(power)) return *code;
  const auto* chip = call.started() ? call.machine().FirstOf(card_id) : nullptr;
  if (power == nullptr || chip == nullptr) return fake_dcmi::kInvalidParameter;
  const auto value = chip->Number("card_power");
  if (!value) return fake_dcmi::kNotSupported;
  call.Set(*power, "power", *value);
  return fake_dcmi::kOk;
}

int dcmi_get_device_voltage(int card_id, int device_id, unsigned int* voltage) {
  return Call(__func__, card_id, device_id).AnswerNumber("voltage", voltage, "voltage");
}

int dcmiv2_get_device_voltage(int dev_id, unsigned int* voltage) {
  return Call(__func__, Dev(dev_id)).AnswerNumber("voltage", voltage, "voltage");
}

int dcmi_get_device_frequency(int card_id, int device_id, int input_type, unsigned int* frequency) {
  return AnswerFrequency(Call(__func__, card_id, device_id, input_type), input_type, frequency);
}

int dcmiv2_get_device_frequency(int dev_id, int input_type, unsigned int* frequency) {
  return AnswerFrequency(Call(__func__, Dev(dev_id), input_type), input_type, frequency);
}

int dcmi_get_device_aicore_info(int card_id, int device_id, fake_dcmi::AicoreInfo* aicore_info) {
  return AnswerAicoreInfo(Call(__func__, card_id, device_id), aicore_info);
}

int dcmiv2_get_device_aicore_info(int dev_id, fake_dcmi::AicoreInfo* aicore_info) {
  return AnswerAicoreInfo(Call(__func__, Dev(dev_id)), aicore_info);
}

int dcmi_get_device_sensor_info(int card_id, int device_id, int sensor_id,
                                fake_dcmi::SensorInfo* sensor_info) {
  return AnswerSensor(Call(__func__, card_id, device_id, sensor_id), sensor_id, sensor_info);
}

int dcmiv2_get_device_sensor_info(int dev_id, int sensor_id, fake_dcmi::SensorInfo* sensor_info) {
  return AnswerSensor(Call(__func__, Dev(dev_id), sensor_id), sensor_id, sensor_info);
}

int dcmi_get_device_fan_count(int card_id, int device_id, int* count) {
  Call call(__func__, card_id, device_id);
  if (const auto code = call.ChipVerdict(count)) return *code;
  const auto fans = call.chip()->Numbers("fans", 0);
  if (!fans) return fake_dcmi::kNotSupported;
  call.Set(*count, "count", static_cast<std::int64_t>(fans->size()));
  return fake_dcmi::kOk;
}

int dcmi_get_device_fan_speed(int card_id, int device_id, int fan_id, int* speed) {
  Call call(__func__, card_id, device_id, fan_id);
  if (const auto code = call.ChipVerdict(speed)) return *code;
  const auto fans = call.chip()->Numbers("fans", 0);
  if (!fans) return fake_dcmi::kNotSupported;
  if (fan_id < 1 || fan_id > static_cast<int>(fans->size())) return fake_dcmi::kInvalidParameter;
  call.Set(*speed, "speed", (*fans)[static_cast<std::size_t>(fan_id) - 1]);
  return fake_dcmi::kOk;
}

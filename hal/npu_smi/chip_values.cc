#include "hal/npu_smi/chip_values.h"

#include <algorithm>

#include "fmt/format.h"
#include "hal/npu_smi/fields.h"

namespace ascend::npu_smi {
namespace {

constexpr NumberField<CommonValues> kCommon[] = {
    {"Memory Usage Rate(%)", &CommonValues::memory_percent},
    {"HBM Usage Rate(%)", &CommonValues::hbm_percent},
    {"Aicore Usage Rate(%)", &CommonValues::aicore_percent},
    {"Aicore Freq(MHZ)", &CommonValues::aicore_rated_mhz},
    {"Aicore curFreq(MHZ)", &CommonValues::aicore_mhz},
    {"Aicore Count", &CommonValues::aicores},
    {"Temperature(C)", &CommonValues::celsius},
    {"NPU Real-time Power(W)", &CommonValues::watts},
    {"Rated Power(W)", &CommonValues::rated_watts},
    {"Rated Power Dissipation(W)", &CommonValues::rated_watts},
};

constexpr NumberField<UsageValues> kUsages[] = {
    {"Memory Capacity(MB)", &UsageValues::memory_mb},
    {"Memory Usage Rate(%)", &UsageValues::memory_percent},
    {"Memory Bandwidth Usage Rate(%)", &UsageValues::memory_bandwidth_percent},
    {"DDR Capacity(MB)", &UsageValues::ddr_mb},
    {"DDR Usage Rate(%)", &UsageValues::ddr_percent},
    {"DDR Bandwidth Usage Rate(%)", &UsageValues::ddr_bandwidth_percent},
    {"DDR Hugepages Total(page)", &UsageValues::hugepages},
    {"DDR Hugepages Usage Rate(%)", &UsageValues::hugepages_percent},
    {"HBM Capacity(MB)", &UsageValues::hbm_mb},
    {"HBM Usage Rate(%)", &UsageValues::hbm_percent},
    {"HBM Bandwidth Usage Rate(%)", &UsageValues::hbm_bandwidth_percent},
    {"Aicore Usage Rate(%)", &UsageValues::aicore_percent},
    {"Aivector Usage Rate(%)", &UsageValues::vector_percent},
    {"Vectorcore Usage Rate(%)", &UsageValues::vector_percent},
    {"Aicube Usage Rate(%)", &UsageValues::cube_percent},
    {"Aicpu Usage Rate(%)", &UsageValues::aicpu_percent},
    {"Ctrlcpu Usage Rate(%)", &UsageValues::ctrlcpu_percent},
    {"NPU Utilization(%)", &UsageValues::npu_percent},
    {"DVPP VDEC Usage Rate(%)", &UsageValues::vdec_percent},
    {"DVPP VPC Usage Rate(%)", &UsageValues::vpc_percent},
    {"DVPP VENC Usage Rate(%)", &UsageValues::venc_percent},
    {"DVPP JPEGE Usage Rate(%)", &UsageValues::jpege_percent},
    {"DVPP JPEGD Usage Rate(%)", &UsageValues::jpegd_percent},
};

constexpr NumberField<MemoryValues> kMemory[] = {
    {"DDR Capacity(MB)", &MemoryValues::ddr_mb},
    {"Total DDR Capacity(MB)", &MemoryValues::ddr_total_mb},
    {"DDR Clock Speed(MHz)", &MemoryValues::ddr_mhz},
    {"Capacity(MB)", &MemoryValues::ddr_mb},       // 310
    {"Clock Speed(MHz)", &MemoryValues::ddr_mhz},  // 310
    {"HBM Capacity(MB)", &MemoryValues::hbm_mb},
    {"HBM Clock Speed(MHz)", &MemoryValues::hbm_mhz},
    {"HBM Temperature(C)", &MemoryValues::hbm_celsius},
};

constexpr NumberField<PowerValues> kPower[] = {
    {"NPU Real-time Power(W)", &PowerValues::watts},
    {"Power Dissipation(W)", &PowerValues::card_watts},
    {"Rated Power Dissipation(W)", &PowerValues::rated_watts},
};

constexpr NumberField<TemperatureValues> kTemperatures[] = {
    {"NPU Temperature (C)", &TemperatureValues::celsius},
    {"Temperature (C)", &TemperatureValues::celsius},
    {"Temperature(C)", &TemperatureValues::celsius},
    {"LM75A_TE (C)", &TemperatureValues::lm75a_celsius},
    {"LM75B_TE (C)", &TemperatureValues::lm75b_celsius},
};

constexpr NumberField<EccValues::Memory> kEccOfMemory[] = {
    {"Single Bit Error Count", &EccValues::Memory::single_bit},
    {"Double Bit Error Count", &EccValues::Memory::double_bit},
    {"Single Bit Aggregate Total Err Cnt", &EccValues::Memory::lifetime_single_bit},
    {"Double Bit Aggregate Total Err Cnt", &EccValues::Memory::lifetime_double_bit},
    {"Single Bit Isolated Pages Count", &EccValues::Memory::single_bit_pages},
    {"Double Bit Isolated Pages Count", &EccValues::Memory::double_bit_pages},
    {"Single Bit Next-Isolated Pages Count", &EccValues::Memory::pending_single_bit_pages},
    {"Double Bit Next-Isolated Pages Count", &EccValues::Memory::pending_double_bit_pages},
};

constexpr NumberField<SensorValues> kSensors[] = {
    {"Soc Max Temperature (C)", &SensorValues::soc_celsius},
    {"SFP Temperature (C)", &SensorValues::sfp_celsius},
    {"NDIE Temperature (C)", &SensorValues::n_die_celsius},
    {"HBM Temperature (C)", &SensorValues::hbm_celsius},
};

constexpr NumberField<SioValues> kSio[] = {
    {"TX Error Count", &SioValues::transmit_errors},
    {"RX Error Count", &SioValues::receive_errors},
};

constexpr NumberField<PcieErrorValues> kPcieErrors[] = {
    {"TX Error Count", &PcieErrorValues::transmit}, {"RX Error Count", &PcieErrorValues::receive},
    {"Lcrc Error Count", &PcieErrorValues::lcrc},   {"Ecrc Error Count", &PcieErrorValues::ecrc},
    {"Retry Count", &PcieErrorValues::retry},
};

constexpr NumberField<SuperPodValues> kSuperPod[] = {
    {"SDID", &SuperPodValues::sdid},
    {"Super Pod Size", &SuperPodValues::size},
    {"Super Pod ID", &SuperPodValues::super_pod_id},
    {"Server Index", &SuperPodValues::server_index},
};

template <class T>
T Filled(const Block& block, std::span<const NumberField<T>> fields) {
  T values;
  FillNumbers(block, fields, values);
  return values;
}

EccValues::Memory EccOfMemory(const Block& block, std::string_view memory) {
  EccValues::Memory values;
  for (const auto& field : kEccOfMemory) {
    values.*field.member = NumberOf(block.Find(fmt::format("{} {}", memory, field.key)));
  }
  return values;
}

}  // namespace

CommonValues CommonOf(const Block& block) { return Filled<CommonValues>(block, kCommon); }

UsageValues UsagesOf(const Block& block) { return Filled<UsageValues>(block, kUsages); }

MemoryValues MemoryOf(const Block& block) {
  auto values = Filled<MemoryValues>(block, kMemory);
  values.hbm_manufacturer = block.Find("HBM Manufacturer ID").value_or("");
  return values;
}

PowerValues PowerOf(const Block& block) { return Filled<PowerValues>(block, kPower); }

TemperatureValues TemperaturesOf(const Block& block) {
  return Filled<TemperatureValues>(block, kTemperatures);
}

EccValues EccOf(const Block& block) {
  return {EccOfMemory(block, "DDR"), EccOfMemory(block, "HBM")};
}

SensorValues SensorsOf(const Block& block) { return Filled<SensorValues>(block, kSensors); }

SioValues SioOf(const Block& block) { return Filled<SioValues>(block, kSio); }

PcieErrorValues PcieErrorsOf(const Block& block) {
  return Filled<PcieErrorValues>(block, kPcieErrors);
}

SuperPodValues SuperPodOf(const Block& block) { return Filled<SuperPodValues>(block, kSuperPod); }

bool IsChipValueKey(std::string_view key) {
  const auto has = [&](const auto& fields) {
    return std::ranges::any_of(fields, [&](const auto& field) { return field.key == key; });
  };
  if (key.starts_with("DDR ") || key.starts_with("HBM ")) {
    const std::string_view rest = key.substr(4);
    if (rest == "Manufacturer ID") return true;
    const auto is_rest = [&](const auto& field) { return field.key == rest; };
    if (std::ranges::any_of(kEccOfMemory, is_rest)) return true;
  }
  return has(kCommon) || has(kUsages) || has(kMemory) || has(kPower) || has(kTemperatures) ||
         has(kSensors) || has(kSio) || has(kPcieErrors) || has(kSuperPod);
}

}  // namespace ascend::npu_smi

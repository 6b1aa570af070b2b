// What the queries about one chip print as numbers: `npu-smi info -t common|usages|memory|...`. The
// members have the units of the keys; absent is what was not printed or printed as NA.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hal/npu_smi/key_values.h"

namespace ascend::npu_smi {

struct CommonValues {
  std::optional<double> memory_percent, hbm_percent, aicore_percent;
  std::optional<double> aicore_rated_mhz, aicore_mhz, aicores;
  std::optional<double> celsius, watts, rated_watts;
};

struct UsageValues {
  std::optional<double> memory_mb, memory_percent, memory_bandwidth_percent;  // 310
  std::optional<double> ddr_mb, ddr_percent, ddr_bandwidth_percent;
  std::optional<double> hugepages, hugepages_percent;
  std::optional<double> hbm_mb, hbm_percent, hbm_bandwidth_percent;
  std::optional<double> aicore_percent, vector_percent, cube_percent, aicpu_percent;
  std::optional<double> ctrlcpu_percent, npu_percent;
  std::optional<double> vdec_percent, vpc_percent, venc_percent, jpege_percent, jpegd_percent;
};

struct MemoryValues {
  std::optional<double> ddr_mb, ddr_total_mb, ddr_mhz, hbm_mb, hbm_mhz, hbm_celsius;
  std::string hbm_manufacturer;
};

struct PowerValues {
  std::optional<double> watts;        // of the chip
  std::optional<double> card_watts;   // of the whole card (310P)
  std::optional<double> rated_watts;  // 310
};

struct TemperatureValues {
  std::optional<double> celsius;                       // of the chip
  std::optional<double> lm75a_celsius, lm75b_celsius;  // on the board, in the block of the MCU
};

struct EccValues {
  struct Memory {
    std::optional<double> single_bit, double_bit, lifetime_single_bit, lifetime_double_bit;
    std::optional<double> single_bit_pages, double_bit_pages;
    std::optional<double> pending_single_bit_pages, pending_double_bit_pages;
    friend bool operator==(const Memory&, const Memory&) = default;
  };
  Memory ddr, hbm;
};

struct SensorValues {
  std::optional<double> soc_celsius, sfp_celsius, n_die_celsius, hbm_celsius;
};

struct SioValues {
  std::optional<double> transmit_errors, receive_errors;
};

struct PcieErrorValues {
  std::optional<double> transmit, receive, lcrc, ecrc, retry;
};

struct SuperPodValues {
  std::optional<double> sdid, size, super_pod_id, server_index;
};

CommonValues CommonOf(const Block& block);
UsageValues UsagesOf(const Block& block);
MemoryValues MemoryOf(const Block& block);
PowerValues PowerOf(const Block& block);
TemperatureValues TemperaturesOf(const Block& block);
EccValues EccOf(const Block& block);
SensorValues SensorsOf(const Block& block);
SioValues SioOf(const Block& block);
PcieErrorValues PcieErrorsOf(const Block& block);
SuperPodValues SuperPodOf(const Block& block);

// A key of any of them.
bool IsChipValueKey(std::string_view key);

}  // namespace ascend::npu_smi

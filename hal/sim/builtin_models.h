// The boards that the built-in machines are made of.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ascend::sim {

inline constexpr int kBusesPerHost = 8;

// PCI buses of the cards of one host, as the boards are wired.
using Buses = std::array<int, kBusesPerHost>;
inline constexpr Buses kA2Buses = {0xc1, 0x01, 0xc2, 0x02, 0x81, 0x41, 0x82, 0x42};
inline constexpr Buses kA3Buses = {0x9d, 0x99, 0x95, 0x91, 0x1d, 0x19, 0x15, 0x11};
inline constexpr Buses kDuoBuses = {0x06, 0x07, 0x08, 0x09, 0x86, 0x87, 0x88, 0x89};
inline constexpr Buses kA5Buses = {0x91, 0x93, 0x95, 0x97, 0x11, 0x13, 0x15, 0x17};

enum class PowerMeter { kChip, kFirstDie, kCard };

struct Model {
  std::string_view chip_name;
  std::uint32_t board_id;
  std::string_view model, product, driver, firmware, serial_prefix;
  std::uint32_t die_word;  // opens the die ids of the model
  Buses buses;
  int first_npu, npu_step;  // NPU ids are no indexes on every board
  int chips_per_card;
  int bus_step;  // from a die of a card to the next; 0 where a bridge shows one address
  PowerMeter meter;
  double celsius, watts;  // at rest
  double hbm_mib, ddr_mib, used_mib;
  double volts;
  double limit_watts;  // 0: not reported
  double aicore_hertz, aicore_max_hertz;
  int aicores, vector_cores;
  double pcie_transfers_per_second;
};

inline constexpr Model kA2 = {.chip_name = "910B3",
                              .board_id = 0x30,
                              .model = "Atlas 800T A2",
                              .product = "IT21HMDC",
                              .driver = "24.1.rc3",
                              .firmware = "7.5.0.1.129",
                              .serial_prefix = "2102313LNR10P500",
                              .die_word = 0xC4A41A31,
                              .buses = kA2Buses,
                              .first_npu = 0,
                              .npu_step = 1,
                              .chips_per_card = 1,
                              .bus_step = 0,
                              .meter = PowerMeter::kChip,
                              .celsius = 41,
                              .watts = 95.0,
                              .hbm_mib = 65536,
                              .ddr_mib = 0,
                              .used_mib = 3314,
                              .volts = 0.8,
                              .limit_watts = 400,
                              .aicore_hertz = 1650000000.0,
                              .aicore_max_hertz = 1800000000.0,
                              .aicores = 20,
                              .vector_cores = 40,
                              .pcie_transfers_per_second = 16000000000.0};
inline constexpr Model kA3 = {.chip_name = "Ascend910",
                              .board_id = 0xb1,
                              .model = "Atlas 800I A3",
                              .product = "IT31HMDA",
                              .driver = "24.1.rc3.3",
                              .firmware = "7.5.0.3.220",
                              .serial_prefix = "2102315FAK10P600",
                              .die_word = 0xD7C30000,
                              .buses = kA3Buses,
                              .first_npu = 0,
                              .npu_step = 1,
                              .chips_per_card = 2,
                              .bus_step = 2,
                              .meter = PowerMeter::kFirstDie,
                              .celsius = 34,
                              .watts = 178.0,
                              .hbm_mib = 65536,
                              .ddr_mib = 0,
                              .used_mib = 3238,
                              .volts = 0.78,
                              .limit_watts = 0,
                              .aicore_hertz = 1650000000.0,
                              .aicore_max_hertz = 1800000000.0,
                              .aicores = 24,
                              .vector_cores = 48,
                              .pcie_transfers_per_second = 32000000000.0};
inline constexpr Model kDuo = {.chip_name = "310P3",
                               .board_id = 0x6a,
                               .model = "Atlas 300I Duo",
                               .product = "IT21DMDC",
                               .driver = "24.1.0.1",
                               .firmware = "7.3.0.1.231",
                               .serial_prefix = "2102314CEU10N700",
                               .die_word = 0x1102A000,
                               .buses = kDuoBuses,
                               .first_npu = 1536,
                               .npu_step = 256,
                               .chips_per_card = 2,
                               .bus_step = 0,
                               .meter = PowerMeter::kCard,
                               .celsius = 50,
                               .watts = 72.4,
                               .hbm_mib = 0,
                               .ddr_mib = 44280,
                               .used_mib = 1596,
                               .volts = 0.8,
                               .limit_watts = 0,
                               .aicore_hertz = 960000000.0,
                               .aicore_max_hertz = 1080000000.0,
                               .aicores = 8,
                               .vector_cores = 7,
                               .pcie_transfers_per_second = 16000000000.0};
inline constexpr Model kA5 = {.chip_name = "Ascend950PR",
                              .board_id = 0x1b,
                              .model = "Atlas 850",
                              .product = "IT51HMDA",
                              .driver = "26.0.rc1",
                              .firmware = "8.0.0.1.105",
                              .serial_prefix = "2102316ASC10R100",
                              .die_word = 0x870408E3,
                              .buses = kA5Buses,
                              .first_npu = 0,
                              .npu_step = 1,
                              .chips_per_card = 1,
                              .bus_step = 0,
                              .meter = PowerMeter::kChip,
                              .celsius = 48,
                              .watts = 204.0,
                              .hbm_mib = 131072,
                              .ddr_mib = 0,
                              .used_mib = 4439,
                              .volts = 0.75,
                              .limit_watts = 600,
                              .aicore_hertz = 1500000000.0,
                              .aicore_max_hertz = 1650000000.0,
                              .aicores = 32,
                              .vector_cores = 64,
                              .pcie_transfers_per_second = 32000000000.0};

}  // namespace ascend::sim

// What the drivers answer. Everything is SI; an absent field means "this chip does not report it"
// or "the driver's answer was no value". Sentinels and vendor units end in the drivers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "hal/fixed_list.h"
#include "hal/fixed_text.h"
#include "hal/units.h"

namespace ascend {

// Chip families as the vendor's driver tells them apart.
enum class ChipFamily : std::uint8_t {
  kUnknown,
  k310,
  k310B,
  k310P,
  k910,     // first generation: 910A, 910ProA/B, 910PremiumA and the plain "910B"
  k910B,    // A2: 910B1 to 910B4 and variants
  k910_93,  // A3, sold as 910C: two dies a package
  k950,
};

// What a chip has, as a set of bits. Rows of the catalogue name the bits that they need.
using ChipTraits = std::uint32_t;
inline constexpr ChipTraits kAnyChip = 0;
inline constexpr ChipTraits kHasHbm = 1U << 0;       // main memory is HBM
inline constexpr ChipTraits kNoHbm = 1U << 1;        // main memory is DDR
inline constexpr ChipTraits kHasDdr = 1U << 2;       // has DDR that the driver reports
inline constexpr ChipTraits kChipPower = 1U << 3;    // power is measured per chip
inline constexpr ChipTraits kCardPower = 1U << 4;    // power is measured per card, by its MCU
inline constexpr ChipTraits kOverallLoad = 1U << 5;  // reports one utilisation for the whole NPU

// How a driver addresses a chip: the pair (card_id, device_id) of dcmi_*, (NPU id, chip id) of
// npu-smi.
struct DeviceAddress {
  std::int32_t card = 0;
  std::int32_t chip = 0;
  friend auto operator<=>(const DeviceAddress&, const DeviceAddress&) = default;
};

// One chip that discovery found. `device` is the physical id: the N of /dev/davinciN.
struct FoundDevice {
  DeviceAddress address;
  std::int32_t device = 0;
  std::optional<std::int32_t> logic_id;
  friend bool operator==(const FoundDevice&, const FoundDevice&) = default;
};

// Who a chip is. Empty text means unknown. Trivially copyable.
struct DeviceIdentity {
  ChipFamily family = ChipFamily::kUnknown;
  ChipTraits traits = kAnyChip;
  FixedText<31> pci_address;  // "0000:c1:00.0", lower case as in sysfs
  FixedText<63> die_id;       // five words of eight upper-case hex digits, joined by "-"
  FixedText<63> serial;
  FixedText<63> model;      // model of the card (elabel)
  FixedText<31> chip_name;  // "910B3"
  FixedText<63> product;    // product of the card (elabel)
  FixedText<15> board_id;   // "0x30"
  FixedText<63> firmware_version;
  friend bool operator==(const DeviceIdentity&, const DeviceIdentity&) = default;
};

// What the values come from. Empty text means unknown.
struct DriverInfo {
  std::string backend;          // "dcmi", "npu_smi" or "sim"
  std::string library_version;  // of the library or the tool; empty if unknown
  std::string driver_version;   // of the kernel driver; empty if unknown
  // Where physical ids come from: "phy_id", "device", "logic_id", "npu_id" or "index".
  std::string device_id_source;
};

// Values that a driver answered and that this border refused; they are counted, never shown.
struct Refused {
  std::uint16_t sentinel = 0;  // a number that means "no value": 0x7ffd, all ones, ...
};

struct TemperatureReading {
  std::optional<Celsius> chip;
  Refused refused;
};

struct PowerReading {
  std::optional<Watts> chip;  // on A3, die 0 carries the power of both dies and die 1 has none
  Refused refused;
};

struct CardPowerReading {
  std::optional<Watts> card;  // the whole card, measured by its MCU (310P)
  Refused refused;
};

struct PowerLimitReading {
  std::optional<Watts> limit;  // rated power of the chip
  Refused refused;
};

struct VoltageReading {
  std::optional<Volts> chip;
  Refused refused;
};

// `*_max` are rated clocks.
struct ClockReading {
  std::optional<Hertz> aicore, vectorcore, ctrlcpu, hbm, ddr;
  std::optional<Hertz> aicore_max;
  Refused refused;
};

struct SensorReading {
  std::optional<Celsius> cluster, peripheral, aicore;
  std::optional<Celsius> ntc1, ntc2, ntc3, ntc4;
  std::optional<Celsius> soc, fp_max, n_die, hbm;
  Refused refused;
};

// Why the AI cores run below their clock; each 0 or 1.
struct ThrottleReading {
  std::optional<Count> thermal, edp_software, edp_hardware, power_brake, power_cap, svfd;
  std::optional<Count> load_aware;
  Refused refused;
};

struct CoreLoad {
  std::uint32_t index = 0;
  std::optional<Ratio> busy;  // absent for a damaged core
  friend bool operator==(const CoreLoad&, const CoreLoad&) = default;
};
inline constexpr std::size_t kMaxCores = 64;
struct CoreUtilizationReading {
  FixedList<CoreLoad, kMaxCores> aicores, vector_cores;
  Refused refused;
};

// The engines for pictures and video.
struct MediaReading {
  std::optional<Ratio> vdec, vpc, venc, jpege, jpegd;
  Refused refused;
};

struct Fan {
  std::uint32_t index = 0;
  std::optional<Rpm> speed;
  friend bool operator==(const Fan&, const Fan&) = default;
};
struct FanReading {
  FixedList<Fan, 16> fans;
  Refused refused;
};

// Samples of the last instant, as the driver measures them.
struct UtilizationReading {
  std::optional<Ratio> aicore, vector, cube, aicpu, ctrlcpu;
  std::optional<Ratio> overall;
  Refused refused;
};

struct HbmReading {
  std::optional<Bytes> used, total;
  std::optional<Celsius> temperature;
  std::optional<Ratio> utilization;
  std::optional<Ratio> bandwidth_utilization;
  Refused refused;
};

struct DdrReading {
  std::optional<Bytes> used, total;  // used = size - available
  std::optional<Ratio> bandwidth_utilization;
  std::optional<Bytes> hugepages_used, hugepages_capacity;
  Refused refused;
};

struct EccCounts {
  std::optional<Count> enabled;                 // 0 or 1
  std::optional<Count> single_bit, double_bit;  // since boot
  std::optional<Count> lifetime_single_bit, lifetime_double_bit;
  std::optional<Count> isolated_pages;          // for double-bit errors
  std::optional<Count> pending_isolated_pages;  // will be isolated at the next reset
};

struct EccReading {
  EccCounts hbm, ddr, sram, npu;
  Refused refused;
};

enum class Health : std::uint8_t { kOk, kWarning, kAlarm, kCritical, kUnknown };

struct HealthReading {
  std::optional<Health> state;
  bool lost = false;  // the driver says that the chip dropped off the bus (-8012)
  Refused refused;
};

struct CompatibilityReading {
  std::optional<Count> fits;  // 0 or 1: driver and firmware fit; absent where nobody knows
  Refused refused;
};

inline constexpr std::size_t kMaxFaultCodes = 128;  // dcmi_get_device_errorcode_v2: at most 128

struct FaultsReading {
  FixedList<std::uint32_t, kMaxFaultCodes> active;  // repeats included
  // Faults that began, or happened and were over, since the reading before; repeats included.
  // Empty where the driver sends no events.
  FixedList<std::uint32_t, kMaxFaultCodes> events;
};

enum class FaultSeverity : std::uint8_t { kWarning, kMinor, kMajor, kCritical, kUnknown };

// What the vendor says of a fault code. Empty text: nothing.
struct FaultDetail {
  FaultSeverity severity = FaultSeverity::kUnknown;
  FixedText<255> description;
  friend bool operator==(const FaultDetail&, const FaultDetail&) = default;
};

// A slice of a chip.
struct Vnpu {
  std::uint32_t index = 0;  // vdev_id, 100 to 1123
  FixedText<31> template_name;
  std::optional<Ratio> utilization;
  std::optional<Bytes> memory_used, memory_total;
  std::optional<Count> aicores;  // may be a fraction
  friend bool operator==(const Vnpu&, const Vnpu&) = default;
};
struct VnpuReading {
  FixedList<Vnpu, 32> vnpus;
  Refused refused;
};

// One process on a chip, as the driver sees it. `name` is empty where the driver does not tell it.
struct ProcessReading {
  std::int32_t pid = 0;
  std::optional<Bytes> memory;
  FixedText<31> name;
};

inline constexpr std::size_t kMaxProcesses = 32;  // dcmi_get_device_resource_info: at most 32

}  // namespace ascend

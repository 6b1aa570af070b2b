// The vendor's structs and numbers, as libdcmi.so writes them into memory (LP64, natural
// alignment). Only the drivers of this folder include it; the names are the vendor's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ascend::dcmi {

// Capacities of the library's lists.
inline constexpr int kMaxCards = 64;
inline constexpr int kMaxDevicesPerCard = 8;   // the vendor's boards have up to 4
inline constexpr int kMaxDeviceNumber = 4096;  // logic and physical ids are below

// dcmi_unit_type and dcmi_die_type.
inline constexpr int kNpuUnit = 0;
inline constexpr int kVdie = 1;

// input_type of dcmi_get_device_utilization_rate.
inline constexpr int kRateAicore = 2;
inline constexpr int kRateAicpu = 3;
inline constexpr int kRateCtrlcpu = 4;
inline constexpr int kRateDdrBandwidth = 5;
inline constexpr int kRateHbm = 6;
inline constexpr int kRateVector = 12;

// input_type of dcmi_get_device_ecc_info.
inline constexpr int kEccDdr = 0;
inline constexpr int kEccSram = 1;
inline constexpr int kEccHbm = 2;
inline constexpr int kEccNpu = 3;

struct ChipInfo {
  unsigned char chip_type[32];
  unsigned char chip_name[32];
  unsigned char chip_ver[32];
  std::uint32_t aicore_cnt;
};
static_assert(sizeof(ChipInfo) == 100 && offsetof(ChipInfo, chip_name) == 32);

struct ChipInfoV2 {
  unsigned char chip_type[32];
  unsigned char chip_name[32];
  unsigned char chip_ver[32];
  std::uint32_t aicore_cnt;
  unsigned char npu_name[32];
};
static_assert(sizeof(ChipInfoV2) == 132 && offsetof(ChipInfoV2, chip_name) == 32);

struct BoardInfo {
  std::uint32_t board_id;
  std::uint32_t pcb_id;
  std::uint32_t bom_id;
  std::uint32_t slot_id;
};
static_assert(sizeof(BoardInfo) == 16);

struct ElabelInfo {
  char product_name[256];
  char model[256];
  char manufacturer[256];
  char manufacturer_date[256];
  char serial_number[256];
};
static_assert(sizeof(ElabelInfo) == 1280 && offsetof(ElabelInfo, model) == 256);
static_assert(offsetof(ElabelInfo, serial_number) == 1024);

struct PcieInfoAll {
  std::uint32_t venderid;
  std::uint32_t subvenderid;
  std::uint32_t deviceid;
  std::uint32_t subdeviceid;
  std::int32_t domain;
  std::uint32_t bdf_busid;
  std::uint32_t bdf_deviceid;
  std::uint32_t bdf_funcid;
  unsigned char reserve[32];
};
static_assert(sizeof(PcieInfoAll) == 64 && offsetof(PcieInfoAll, domain) == 16);
static_assert(offsetof(PcieInfoAll, bdf_busid) == 20 && offsetof(PcieInfoAll, bdf_funcid) == 28);

struct DieId {
  std::uint32_t soc_die[5];
};
static_assert(sizeof(DieId) == 20);

struct HbmInfo {
  std::uint64_t memory_size;  // MiB
  std::uint32_t freq;
  std::uint64_t memory_usage;        // MiB
  std::int32_t temp;                 // degrees Celsius
  std::uint32_t bandwith_util_rate;  // percent; so spelled by the vendor
};
static_assert(sizeof(HbmInfo) == 32 && offsetof(HbmInfo, memory_usage) == 16);
static_assert(offsetof(HbmInfo, temp) == 24 && offsetof(HbmInfo, bandwith_util_rate) == 28);

struct MemoryInfoV3 {
  std::uint64_t memory_size;       // MiB
  std::uint64_t memory_available;  // MiB, free huge pages included
  std::uint32_t freq;
  std::uint64_t hugepagesize;     // KiB
  std::uint64_t hugepages_total;  // pages
  std::uint64_t hugepages_free;   // pages
  std::uint32_t utiliza;          // percent
  unsigned char reserve[60];
};
static_assert(sizeof(MemoryInfoV3) == 112 && offsetof(MemoryInfoV3, memory_available) == 8);
static_assert(offsetof(MemoryInfoV3, hugepagesize) == 24);
static_assert(offsetof(MemoryInfoV3, hugepages_free) == 40);

struct EccInfo {
  std::int32_t enable_flag;
  std::uint32_t single_bit_error_cnt;  // since boot
  std::uint32_t double_bit_error_cnt;
  std::uint32_t total_single_bit_error_cnt;  // lifetime
  std::uint32_t total_double_bit_error_cnt;
  std::uint32_t single_bit_isolated_pages_cnt;  // always 0
  std::uint32_t double_bit_isolated_pages_cnt;
};
static_assert(sizeof(EccInfo) == 28 && offsetof(EccInfo, double_bit_isolated_pages_cnt) == 24);

struct MultiUtilizationInfo {  // percent
  std::uint32_t aic_util;      // cube
  std::uint32_t aiv_util;      // vector
  std::uint32_t aicore_util;
  std::uint32_t npu_util;
  std::uint32_t reserved[8];
};
static_assert(sizeof(MultiUtilizationInfo) == 48 && offsetof(MultiUtilizationInfo, npu_util) == 12);

struct ProcMemInfo {
  std::int32_t proc_id;
  std::uint64_t proc_mem_usage;  // bytes
};
static_assert(sizeof(ProcMemInfo) == 16 && offsetof(ProcMemInfo, proc_mem_usage) == 8);

// Room for an answer, with slack behind it: a newer library may write a longer struct.
template <class T>
struct Room {
  static constexpr int kOnes = 0xFF;   // a number that the library leaves alone reads as "no value"
  static constexpr int kZeros = 0x00;  // text that the library leaves alone reads as empty
  explicit Room(int fill) { std::memset(static_cast<void*>(this), fill, sizeof(*this)); }
  T value;
  std::array<std::byte, 512> slack;
};

}  // namespace ascend::dcmi

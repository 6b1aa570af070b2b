// The vendor's structs about one chip: who it is, what it measures.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ascend::dcmi {

struct ChipInfo {
  unsigned char chip_type[32];
  unsigned char chip_name[32];
  unsigned char chip_ver[32];
  std::uint32_t aicore_cnt;
};
static_assert(sizeof(ChipInfo) == 100 && offsetof(ChipInfo, chip_type) == 0);
static_assert(offsetof(ChipInfo, chip_name) == 32 && offsetof(ChipInfo, chip_ver) == 64);
static_assert(offsetof(ChipInfo, aicore_cnt) == 96);

struct ChipInfoV2 {
  unsigned char chip_type[32];
  unsigned char chip_name[32];
  unsigned char chip_ver[32];
  std::uint32_t aicore_cnt;
  unsigned char npu_name[32];
};
static_assert(sizeof(ChipInfoV2) == 132 && offsetof(ChipInfoV2, chip_type) == 0);
static_assert(offsetof(ChipInfoV2, chip_name) == 32 && offsetof(ChipInfoV2, chip_ver) == 64);
static_assert(offsetof(ChipInfoV2, aicore_cnt) == 96 && offsetof(ChipInfoV2, npu_name) == 100);

struct BoardInfo {
  std::uint32_t board_id;
  std::uint32_t pcb_id;
  std::uint32_t bom_id;
  std::uint32_t slot_id;
};
static_assert(sizeof(BoardInfo) == 16 && offsetof(BoardInfo, board_id) == 0);
static_assert(offsetof(BoardInfo, pcb_id) == 4 && offsetof(BoardInfo, bom_id) == 8);
static_assert(offsetof(BoardInfo, slot_id) == 12);

struct ElabelInfo {
  char product_name[256];
  char model[256];
  char manufacturer[256];
  char manufacturer_date[256];
  char serial_number[256];
};
static_assert(sizeof(ElabelInfo) == 1280 && offsetof(ElabelInfo, product_name) == 0);
static_assert(offsetof(ElabelInfo, model) == 256 && offsetof(ElabelInfo, manufacturer) == 512);
static_assert(offsetof(ElabelInfo, manufacturer_date) == 768);
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
static_assert(sizeof(PcieInfoAll) == 64 && offsetof(PcieInfoAll, venderid) == 0);
static_assert(offsetof(PcieInfoAll, subvenderid) == 4 && offsetof(PcieInfoAll, deviceid) == 8);
static_assert(offsetof(PcieInfoAll, subdeviceid) == 12 && offsetof(PcieInfoAll, domain) == 16);
static_assert(offsetof(PcieInfoAll, bdf_busid) == 20 && offsetof(PcieInfoAll, bdf_deviceid) == 24);
static_assert(offsetof(PcieInfoAll, bdf_funcid) == 28 && offsetof(PcieInfoAll, reserve) == 32);

struct DieId {
  std::uint32_t soc_die[5];
};
static_assert(sizeof(DieId) == 20 && offsetof(DieId, soc_die) == 0);

struct HbmInfo {
  std::uint64_t memory_size;  // MiB
  std::uint32_t freq;
  std::uint64_t memory_usage;        // MiB
  std::int32_t temp;                 // degrees Celsius
  std::uint32_t bandwith_util_rate;  // percent; so spelled by the vendor
};
static_assert(sizeof(HbmInfo) == 32 && offsetof(HbmInfo, memory_size) == 0);
static_assert(offsetof(HbmInfo, freq) == 8 && offsetof(HbmInfo, memory_usage) == 16);
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
static_assert(sizeof(MemoryInfoV3) == 112 && offsetof(MemoryInfoV3, memory_size) == 0);
static_assert(offsetof(MemoryInfoV3, memory_available) == 8 && offsetof(MemoryInfoV3, freq) == 16);
static_assert(offsetof(MemoryInfoV3, hugepagesize) == 24);
static_assert(offsetof(MemoryInfoV3, hugepages_total) == 32);
static_assert(offsetof(MemoryInfoV3, hugepages_free) == 40);
static_assert(offsetof(MemoryInfoV3, utiliza) == 48 && offsetof(MemoryInfoV3, reserve) == 52);

struct EccInfo {
  std::int32_t enable_flag;
  std::uint32_t single_bit_error_cnt;  // since boot
  std::uint32_t double_bit_error_cnt;
  std::uint32_t total_single_bit_error_cnt;  // lifetime
  std::uint32_t total_double_bit_error_cnt;
  std::uint32_t single_bit_isolated_pages_cnt;  // always 0: no value
  std::uint32_t double_bit_isolated_pages_cnt;
  // Many libraries end the struct here and leave these two as they were.
  std::uint32_t single_bit_next_isolated_pages_cnt;
  std::uint32_t double_bit_next_isolated_pages_cnt;
};
static_assert(sizeof(EccInfo) == 36 && offsetof(EccInfo, enable_flag) == 0);
static_assert(offsetof(EccInfo, single_bit_error_cnt) == 4);
static_assert(offsetof(EccInfo, double_bit_error_cnt) == 8);
static_assert(offsetof(EccInfo, total_single_bit_error_cnt) == 12);
static_assert(offsetof(EccInfo, total_double_bit_error_cnt) == 16);
static_assert(offsetof(EccInfo, single_bit_isolated_pages_cnt) == 20);
static_assert(offsetof(EccInfo, double_bit_isolated_pages_cnt) == 24);
static_assert(offsetof(EccInfo, single_bit_next_isolated_pages_cnt) == 28);
static_assert(offsetof(EccInfo, double_bit_next_isolated_pages_cnt) == 32);

struct MultiUtilizationInfo {  // percent
  std::uint32_t aic_util;      // cube
  std::uint32_t aiv_util;      // vector
  std::uint32_t aicore_util;
  std::uint32_t npu_util;
  std::uint32_t reserved[8];
};
static_assert(sizeof(MultiUtilizationInfo) == 48 && offsetof(MultiUtilizationInfo, aic_util) == 0);
static_assert(offsetof(MultiUtilizationInfo, aiv_util) == 4);
static_assert(offsetof(MultiUtilizationInfo, aicore_util) == 8);
static_assert(offsetof(MultiUtilizationInfo, npu_util) == 12);
static_assert(offsetof(MultiUtilizationInfo, reserved) == 16);

struct ProcMemInfo {
  std::int32_t proc_id;
  std::uint64_t proc_mem_usage;  // bytes
};
static_assert(sizeof(ProcMemInfo) == 16 && offsetof(ProcMemInfo, proc_id) == 0);
static_assert(offsetof(ProcMemInfo, proc_mem_usage) == 8);

struct AicoreInfo {
  std::uint32_t freq;  // rated, MHz
  std::uint32_t cur_freq;
};
static_assert(sizeof(AicoreInfo) == 8 && offsetof(AicoreInfo, freq) == 0);
static_assert(offsetof(AicoreInfo, cur_freq) == 4);

// What is in it depends on the sensor: a byte or a number in front, or four numbers.
struct SensorInfo {
  unsigned char bytes[64];
};
static_assert(sizeof(SensorInfo) == 64 && offsetof(SensorInfo, bytes) == 0);

struct DvppRatio {  // percent
  std::int32_t vdec_ratio;
  std::int32_t vpc_ratio;
  std::int32_t venc_ratio;
  std::int32_t jpege_ratio;
  std::int32_t jpegd_ratio;
};
static_assert(sizeof(DvppRatio) == 20 && offsetof(DvppRatio, vdec_ratio) == 0);
static_assert(offsetof(DvppRatio, vpc_ratio) == 4 && offsetof(DvppRatio, venc_ratio) == 8);
static_assert(offsetof(DvppRatio, jpege_ratio) == 12 && offsetof(DvppRatio, jpegd_ratio) == 16);

struct LpPowerInfo {
  std::uint32_t soc_rated_power;  // mW
  unsigned char reserved[32];
};
static_assert(sizeof(LpPowerInfo) == 36 && offsetof(LpPowerInfo, soc_rated_power) == 0);
static_assert(offsetof(LpPowerInfo, reserved) == 4);

}  // namespace ascend::dcmi

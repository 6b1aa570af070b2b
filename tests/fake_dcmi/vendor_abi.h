// The vendor's C interface as this stand-in implements it, declared anew here: nothing is shared
// with the code under test, so an error in one of the two shows as a difference between them.
#pragma once

#include <cstddef>

namespace fake_dcmi {

// Return codes of the vendor.
inline constexpr int kOk = 0;
inline constexpr int kInvalidParameter = -8001;
inline constexpr int kInnerError = -8005;
inline constexpr int kNotSupported = -8255;

// Kinds of unit on a card.
inline constexpr int kUnitNpu = 0;
inline constexpr int kUnitMcu = 1;
inline constexpr int kUnitInvalid = 0xFF;

struct ChipInfo {
  unsigned char chip_type[32];
  unsigned char chip_name[32];
  unsigned char chip_ver[32];
  unsigned int aicore_cnt;
};
static_assert(sizeof(ChipInfo) == 100);

struct ChipInfoV2 {
  unsigned char chip_type[32];
  unsigned char chip_name[32];
  unsigned char chip_ver[32];
  unsigned int aicore_cnt;
  unsigned char npu_name[32];
};
static_assert(sizeof(ChipInfoV2) == 132);
static_assert(offsetof(ChipInfoV2, npu_name) == 100);

struct BoardInfo {
  unsigned int board_id;
  unsigned int pcb_id;
  unsigned int bom_id;
  unsigned int slot_id;
};
static_assert(sizeof(BoardInfo) == 16);

struct ElabelInfo {
  char product_name[256];
  char model[256];
  char manufacturer[256];
  char manufacturer_date[256];
  char serial_number[256];
};
static_assert(sizeof(ElabelInfo) == 1280);
static_assert(offsetof(ElabelInfo, serial_number) == 1024);

struct PcieInfoAll {
  unsigned int venderid;
  unsigned int subvenderid;
  unsigned int deviceid;
  unsigned int subdeviceid;
  int domain;
  unsigned int bdf_busid;
  unsigned int bdf_deviceid;
  unsigned int bdf_funcid;
  unsigned char reserve[32];
};
static_assert(sizeof(PcieInfoAll) == 64);
static_assert(offsetof(PcieInfoAll, domain) == 16);

struct DieId {
  unsigned int soc_die[5];
};
static_assert(sizeof(DieId) == 20);

struct HbmInfo {
  unsigned long long memory_size;
  unsigned int freq;
  unsigned long long memory_usage;
  int temp;
  unsigned int bandwith_util_rate;
};
static_assert(sizeof(HbmInfo) == 32);
static_assert(offsetof(HbmInfo, memory_usage) == 16);
static_assert(offsetof(HbmInfo, bandwith_util_rate) == 28);

struct MemoryInfoV3 {
  unsigned long long memory_size;
  unsigned long long memory_available;
  unsigned int freq;
  unsigned long hugepagesize;
  unsigned long hugepages_total;
  unsigned long hugepages_free;
  unsigned int utiliza;
  unsigned char reserve[60];
};
static_assert(sizeof(MemoryInfoV3) == 112);
static_assert(offsetof(MemoryInfoV3, hugepagesize) == 24);
static_assert(offsetof(MemoryInfoV3, utiliza) == 48);

struct EccInfo {
  int enable_flag;
  unsigned int single_bit_error_cnt;
  unsigned int double_bit_error_cnt;
  unsigned int total_single_bit_error_cnt;
  unsigned int total_double_bit_error_cnt;
  unsigned int single_bit_isolated_pages_cnt;
  unsigned int double_bit_isolated_pages_cnt;
};
static_assert(sizeof(EccInfo) == 28);

struct MultiUtilizationInfo {
  unsigned int aic_util;
  unsigned int aiv_util;
  unsigned int aicore_util;
  unsigned int npu_util;
  unsigned int reserved[8];
};
static_assert(sizeof(MultiUtilizationInfo) == 48);

struct ProcMemInfo {
  int proc_id;
  unsigned long proc_mem_usage;
};
static_assert(sizeof(ProcMemInfo) == 16);
static_assert(offsetof(ProcMemInfo, proc_mem_usage) == 8);

}  // namespace fake_dcmi

#pragma GCC visibility push(default)
extern "C" {
// enumeration.cc
int dcmi_init();
int dcmi_get_device_num_in_card(int card_id, int* device_num);
int dcmi_get_device_logic_id(int* device_logic_id, int card_id, int device_id);
int dcmi_get_device_chip_info(int card_id, int device_id, fake_dcmi::ChipInfo* chip_info);
int dcmi_get_device_health(int card_id, int device_id, unsigned int* health);
// card_list.cc
int dcmi_get_card_list(int* card_num, int* card_list, int list_len);
// identity.cc
int dcmi_get_dcmi_version(char* dcmi_ver, unsigned int len);
int dcmi_get_driver_version(char* driver_ver, unsigned int len);
int dcmi_get_device_type(int card_id, int device_id, int* device_type);
int dcmi_get_device_phyid_from_logicid(unsigned int logicid, unsigned int* phyid);
int dcmi_get_device_chip_info_v2(int card_id, int device_id, fake_dcmi::ChipInfoV2* chip_info);
int dcmi_get_device_board_info(int card_id, int device_id, fake_dcmi::BoardInfo* board_info);
int dcmi_get_device_die_v2(int card_id, int device_id, int input_type, fake_dcmi::DieId* die_id);
int dcmi_get_card_elabel_v2(int card_id, fake_dcmi::ElabelInfo* elabel_info);
int dcmi_get_device_pcie_info_v2(int card_id, int device_id, fake_dcmi::PcieInfoAll* pcie_info);
int dcmi_get_device_component_static_version(int card_id, int device_id, int component_type,
                                             unsigned char* version_str, unsigned int len);
// measurements.cc
int dcmi_get_device_errorcode_v2(int card_id, int device_id, int* error_count,
                                 unsigned int* error_code_list, unsigned int list_len);
int dcmi_get_device_temperature(int card_id, int device_id, int* temperature);
int dcmi_get_device_power_info(int card_id, int device_id, int* power);
int dcmi_mcu_get_power_info(int card_id, int* power);
int dcmi_get_device_utilization_rate(int card_id, int device_id, int input_type,
                                     unsigned int* utilization_rate);
int dcmi_get_device_multi_utilization_rate(int card_id, int device_id,
                                           fake_dcmi::MultiUtilizationInfo* util_info);
int dcmi_get_device_hbm_info(int card_id, int device_id, fake_dcmi::HbmInfo* hbm_info);
int dcmi_get_device_memory_info_v3(int card_id, int device_id,
                                   fake_dcmi::MemoryInfoV3* memory_info);
int dcmi_get_device_ecc_info(int card_id, int device_id, int input_type,
                             fake_dcmi::EccInfo* device_ecc_info);
int dcmi_get_device_resource_info(int card_id, int device_id, fake_dcmi::ProcMemInfo* proc_info,
                                  int* proc_num);
}
#pragma GCC visibility pop

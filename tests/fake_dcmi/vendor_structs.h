// The structs and numbers of the vendor's C interface (LP64, natural alignment), declared anew
// here: nothing is shared with the code under test, so an error in one of the two shows as a
// difference between them.
#pragma once

#include <cstddef>
#include <cstdint>

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

// The older answer, without the domain.
struct PcieInfo {
  unsigned int deviceid;
  unsigned int venderid;
  unsigned int subvenderid;
  unsigned int subdeviceid;
  unsigned int bdf_deviceid;
  unsigned int bdf_busid;
  unsigned int bdf_funcid;
};
static_assert(sizeof(PcieInfo) == 28);

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

// What newer libraries are said to write: two counts more.
struct EccInfoLong {
  EccInfo info;
  unsigned int single_bit_next_isolated_pages_cnt;
  unsigned int double_bit_next_isolated_pages_cnt;
};
static_assert(sizeof(EccInfoLong) == 36);

struct AicoreInfo {
  unsigned int freq;
  unsigned int cur_freq;
};
static_assert(sizeof(AicoreInfo) == 8);

union SensorInfo {
  unsigned char uchar;
  unsigned short ushort;
  unsigned int uint;
  int iint;
  signed char temp[2];
  int ntc_tmp[4];
  unsigned int data[16];
};
static_assert(sizeof(SensorInfo) == 64);

struct DvppRatio {
  int vdec_ratio;
  int vpc_ratio;
  int venc_ratio;
  int jpege_ratio;
  int jpegd_ratio;
};
static_assert(sizeof(DvppRatio) == 20);

struct DmsFaultEvent {
  unsigned int event_id;
  unsigned short deviceid;  // a logic id
  unsigned char node_type;
  unsigned char node_id;
  unsigned char sub_node_type;
  unsigned char sub_node_id;
  unsigned char severity;   // 0 warning, 1 minor, 2 major, 3 critical
  unsigned char assertion;  // 0 recovery, 1 occurrence, 2 one-off
  int event_serial_num;
  int notify_serial_num;
  unsigned long long alarm_raised_time;  // milliseconds since the epoch
  char event_name[256];
  char additional_info[32];
  unsigned char os_id;
  unsigned char resv_1[1];
  unsigned short node_type_ex;
  unsigned short sub_node_type_ex;
  unsigned char resv_2[2];
  unsigned char resv[24];
};
static_assert(sizeof(DmsFaultEvent) == 352);
static_assert(offsetof(DmsFaultEvent, severity) == 10);
static_assert(offsetof(DmsFaultEvent, alarm_raised_time) == 24);
static_assert(offsetof(DmsFaultEvent, event_name) == 32);
static_assert(offsetof(DmsFaultEvent, node_type_ex) == 322);

struct Event {
  int type;  // 0: a fault
  DmsFaultEvent fault;
};
static_assert(sizeof(Event) == 360);
static_assert(offsetof(Event, fault) == 8);

// Passed by value.
struct EventFilter {
  unsigned long long filter_flag;  // bit 0: that event_id, bit 1: from that severity on
  unsigned int event_id;
  unsigned char severity;
  unsigned char node_type;
  unsigned char resv[32];
};
static_assert(sizeof(EventFilter) == 48);
static_assert(offsetof(EventFilter, severity) == 12);

}  // namespace fake_dcmi

// The structs of the vendor's C interface about links, networks and vNPUs.
#pragma once

#include <cstddef>

namespace fake_dcmi {

inline constexpr int kHccsPorts = 16;
inline constexpr int kUbPortStates = 36;
inline constexpr int kNetworkCounters = 48;
inline constexpr int kUbCounters = 48;

struct HccsStatus {
  unsigned int pcs_status;   // 0: no lane is in error
  unsigned int hdlc_status;  // 3: up
  unsigned char reserve[4];
};
static_assert(sizeof(HccsStatus) == 12);

struct HccsLaneInfo {
  unsigned int hccs_port_pcs_bitmap;  // the ports that are used for HCCS
  // Of those ports only, from the lowest bit on. Bit 0: the rest is valid; bits 1 to 8: one for
  // each lane in use; bits 9 and 10: how many lanes the port runs with, 0: none, 1: one, 2: four,
  // 3: two.
  unsigned int pcs_lane_bitmap[kHccsPorts];
  unsigned int reserve[16];
};
static_assert(sizeof(HccsLaneInfo) == 132);

struct HccsStatisticInfo {
  unsigned int tx_cnt[kHccsPorts];
  unsigned int rx_cnt[kHccsPorts];
  unsigned int crc_err_cnt[kHccsPorts];
  unsigned int retry_cnt[kHccsPorts];
  unsigned int reserved_field_cnt[64];
};
static_assert(sizeof(HccsStatisticInfo) == 512);

struct HccsStatisticInfoU64 {
  unsigned long long tx_cnt[kHccsPorts];
  unsigned long long rx_cnt[kHccsPorts];
  unsigned long long crc_err_cnt[kHccsPorts];
  unsigned long long retry_cnt[kHccsPorts];
  unsigned long long reserved[64];
};
static_assert(sizeof(HccsStatisticInfoU64) == 1024);

struct HccsBandwidthInfo {
  int profiling_time;
  double total_txbw;
  double total_rxbw;
  double tx_bandwidth[kHccsPorts];
  double rx_bandwidth[kHccsPorts];
};
static_assert(sizeof(HccsBandwidthInfo) == 280);
static_assert(offsetof(HccsBandwidthInfo, total_txbw) == 8);

struct SioErrors {
  unsigned short tx_error_count;
  unsigned short rx_error_count;
  unsigned char reserved[8];
};
static_assert(sizeof(SioErrors) == 12);

struct SuperPodInfo {
  unsigned int sdid;
  unsigned int super_pod_size;
  unsigned int super_pod_id;
  unsigned int server_index;
  unsigned int chassis_id;
  unsigned int super_pod_type;
  unsigned int reserve[6];
};
static_assert(sizeof(SuperPodInfo) == 48);

struct RatedPower {
  unsigned int soc_rated_power;
  unsigned char reserved[32];
};
static_assert(sizeof(RatedPower) == 36);

struct PcieErrors {
  unsigned int reg_deskew_fifo_overflow_intr_status;
  unsigned int reg_symbol_unlock_intr_status;
  unsigned int reg_deskew_unlock_intr_status;
  unsigned int reg_phystatus_timeout_intr_status;
  unsigned int symbol_unlock_counter;
  unsigned int pcs_rx_err_cnt;
  unsigned int phy_lane_err_counter;
  unsigned int pcs_rcv_err_status;
  unsigned int symbol_unlock_err_status;
  unsigned int phy_lane_err_status;
  unsigned int dl_lcrc_err_num;
  unsigned int dl_dcrc_err_num;
};
static_assert(sizeof(PcieErrors) == 48);

struct PcieBandwidthInfo {
  int profiling_time;
  // The smallest, the largest and the mean.
  unsigned int tx_p_bw[3];
  unsigned int tx_np_bw[3];
  unsigned int tx_cpl_bw[3];
  unsigned int tx_np_lantency[3];
  unsigned int rx_p_bw[3];
  unsigned int rx_np_bw[3];
  unsigned int rx_cpl_bw[3];
};
static_assert(sizeof(PcieBandwidthInfo) == 88);
static_assert(offsetof(PcieBandwidthInfo, rx_cpl_bw) == 76);

struct NetworkPacketStats {
  unsigned long long counters[kNetworkCounters];
  long tv_sec;
  long tv_usec;
  unsigned char reserved[64];
};
static_assert(sizeof(NetworkPacketStats) == 464);

struct RdmaBandwidthInfo {
  unsigned int tx_bandwidth;
  unsigned int rx_bandwidth;
};
static_assert(sizeof(RdmaBandwidthInfo) == 8);

struct UbPortInfo {
  int udie_id;
  int port_id;
};
static_assert(sizeof(UbPortInfo) == 8);

struct UbPortLinkStatus {
  int ub_link_status;                 // 0 none is up, 1 all, 2 some, 3 none has to be
  int ub_port_status[kUbPortStates];  // 0 absent, 1 all lanes, 2 some lanes, 3 not up yet
};
static_assert(sizeof(UbPortLinkStatus) == 148);

struct PortInfo {
  int port_index;
  int mode;  // 0 UB, 1 UBoE
};
struct DiePortList {
  int die_index;
  int port_nums;
  PortInfo port_list_data[32];
};
static_assert(sizeof(DiePortList) == 264);
struct PortList {
  int die_nums;
  DiePortList die_list_data[2];
};
static_assert(sizeof(PortList) == 532);

struct PortPacketStats {
  unsigned int port_id;
  unsigned int is_uboe_port;
  unsigned long long pkt_num[kUbCounters];
  unsigned char reserved[128];
};
static_assert(sizeof(PortPacketStats) == 520);
static_assert(offsetof(PortPacketStats, pkt_num) == 8);

struct BaseResource {
  unsigned long long token;
  unsigned long long token_max;
  unsigned long long task_timeout;
  unsigned int vfg_id;
  unsigned char vip_mode;
  unsigned char reserved[31];
};
static_assert(sizeof(BaseResource) == 64);

struct ComputingResource {
  float aic;
  float aiv;
  unsigned short dsa;
  unsigned short rtsq;
  unsigned short acsq;
  unsigned short cdqm;
  unsigned short c_core;
  unsigned short ffts;
  unsigned short sdma;
  unsigned short pcie_dma;
  unsigned long long memory_size;
  unsigned int event_id;
  unsigned int notify_id;
  unsigned int stream_id;
  unsigned int model_id;
  unsigned short topic_schedule_aicpu;
  unsigned short host_ctrl_cpu;
  unsigned short host_aicpu;
  unsigned short device_aicpu;
  unsigned short topic_ctrl_cpu_slot;
  unsigned int vdev_aicore_utilization;
  unsigned long long vdev_memory_total;
  unsigned long long vdev_memory_free;
  unsigned char reserved[12];
};
static_assert(sizeof(ComputingResource) == 96);
static_assert(offsetof(ComputingResource, vdev_aicore_utilization) == 60);
static_assert(offsetof(ComputingResource, vdev_memory_free) == 72);

struct MediaResource {
  float jpegd;
  float jpege;
  float vpc;
  float vdec;
  float pngd;
  float venc;
  unsigned char reserved[32];
};
static_assert(sizeof(MediaResource) == 56);

struct VdevInfo {
  char name[16];
  unsigned int status;
  unsigned int is_container_used;
  unsigned int vfid;
  unsigned int vfg_id;
  unsigned long long container_id;
  BaseResource base;
  ComputingResource computing;
  MediaResource media;
};
static_assert(sizeof(VdevInfo) == 256);
static_assert(offsetof(VdevInfo, computing) == 104);

struct VdevQuery {
  unsigned int vdev_id;
  VdevInfo query_info;
};
static_assert(sizeof(VdevQuery) == 264);
static_assert(offsetof(VdevQuery, query_info) == 8);

struct SocTotalResource {
  unsigned int vdev_num;
  unsigned int vdev_id[32];
  unsigned int vfg_num;
  unsigned int vfg_bitmap;
  BaseResource base;
  ComputingResource computing;
  MediaResource media;
};
static_assert(sizeof(SocTotalResource) == 360);
static_assert(offsetof(SocTotalResource, computing) == 208);

struct SocFreeResource {
  unsigned int vfg_num;
  unsigned int vfg_bitmap;
  BaseResource base;
  ComputingResource computing;
  MediaResource media;
};
static_assert(sizeof(SocFreeResource) == 224);

}  // namespace fake_dcmi

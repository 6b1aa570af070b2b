// The vendor's structs about a chip's links inside the host and the super pod.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ascend::dcmi {

inline constexpr std::size_t kHccsSlots = 16;  // of each array, one for a link
// Links 1 to 7, as a set of bits: those that chips have that do not say.
inline constexpr std::uint32_t kUsualHccsLinks = 0xFE;
inline constexpr std::uint32_t kOnlyHccsLink = 0x01;  // of a 310P, whose slot 0 is in use
inline constexpr std::uint32_t kPcsOk = 0;
inline constexpr std::uint32_t kHdlcOk = 0x3;

struct HccsStatues {  // so spelled by the vendor
  std::uint32_t pcs_status;
  std::uint32_t hdlc_status;
  unsigned char reserve[4];
};
static_assert(sizeof(HccsStatues) == 12 && offsetof(HccsStatues, pcs_status) == 0);
static_assert(offsetof(HccsStatues, hdlc_status) == 4 && offsetof(HccsStatues, reserve) == 8);

struct HccsLaneInfo {
  std::uint32_t hccs_port_pcs_bitmap;  // a bit for each link
  // Of those links only, from the lowest bit on. Bit 0: the rest holds; bits 1 to 8: one for each
  // lane in use; bits 9 and 10: the lanes that the link is set to run with, as in kHccsLaneModes.
  std::uint32_t pcs_lane_bitmap[kHccsSlots];
  std::uint32_t reserve[16];
};
static_assert(sizeof(HccsLaneInfo) == 132 && offsetof(HccsLaneInfo, hccs_port_pcs_bitmap) == 0);
static_assert(offsetof(HccsLaneInfo, pcs_lane_bitmap) == 4);
static_assert(offsetof(HccsLaneInfo, reserve) == 68);

inline constexpr std::uint32_t kHccsLanesHold = 0x1;
inline constexpr std::uint32_t kHccsLanesInUse = 0x1FE;
inline constexpr unsigned kHccsLaneModeShift = 9;
inline constexpr std::array<std::uint32_t, 4> kHccsLaneModes = {0, 1, 4, 2};

struct HccsStatisticInfo {
  std::uint32_t tx_cnt[kHccsSlots];  // flits
  std::uint32_t rx_cnt[kHccsSlots];
  std::uint32_t crc_err_cnt[kHccsSlots];
  std::uint32_t retry_cnt[kHccsSlots];
  std::uint32_t reserved_field_cnt[64];
};
static_assert(sizeof(HccsStatisticInfo) == 512 && offsetof(HccsStatisticInfo, tx_cnt) == 0);
static_assert(offsetof(HccsStatisticInfo, rx_cnt) == 64);
static_assert(offsetof(HccsStatisticInfo, crc_err_cnt) == 128);
static_assert(offsetof(HccsStatisticInfo, retry_cnt) == 192);
static_assert(offsetof(HccsStatisticInfo, reserved_field_cnt) == 256);

struct HccsStatisticInfoU64 {
  std::uint64_t tx_cnt[kHccsSlots];  // flits
  std::uint64_t rx_cnt[kHccsSlots];
  std::uint64_t crc_err_cnt[kHccsSlots];
  std::uint64_t retry_cnt[kHccsSlots];
  std::uint64_t reserved[64];
};
static_assert(sizeof(HccsStatisticInfoU64) == 1024 && offsetof(HccsStatisticInfoU64, tx_cnt) == 0);
static_assert(offsetof(HccsStatisticInfoU64, rx_cnt) == 128);
static_assert(offsetof(HccsStatisticInfoU64, crc_err_cnt) == 256);
static_assert(offsetof(HccsStatisticInfoU64, retry_cnt) == 384);
static_assert(offsetof(HccsStatisticInfoU64, reserved) == 512);

struct HccsBandwidthInfo {
  std::int32_t profiling_time;  // of the caller: ms, 1 to 1000
  double total_txbw;            // the library adds to it
  double total_rxbw;
  double tx_bandwidth[kHccsSlots];  // GB/s
  double rx_bandwidth[kHccsSlots];
};
static_assert(sizeof(HccsBandwidthInfo) == 280 && offsetof(HccsBandwidthInfo, profiling_time) == 0);
static_assert(offsetof(HccsBandwidthInfo, total_txbw) == 8);
static_assert(offsetof(HccsBandwidthInfo, total_rxbw) == 16);
static_assert(offsetof(HccsBandwidthInfo, tx_bandwidth) == 24);
static_assert(offsetof(HccsBandwidthInfo, rx_bandwidth) == 152);

struct SioCrcErrStatisticsInfo {
  std::uint16_t tx_error_count;
  std::uint16_t rx_error_count;
  unsigned char reserved[8];
};
static_assert(sizeof(SioCrcErrStatisticsInfo) == 12);
static_assert(offsetof(SioCrcErrStatisticsInfo, tx_error_count) == 0);
static_assert(offsetof(SioCrcErrStatisticsInfo, rx_error_count) == 2);
static_assert(offsetof(SioCrcErrStatisticsInfo, reserved) == 4);

struct SpodInfo {
  std::uint32_t sdid;
  std::uint32_t super_pod_size;  // chips
  std::uint32_t super_pod_id;
  std::uint32_t server_index;
  std::uint32_t chassis_id;
  std::uint32_t super_pod_type;
  std::uint32_t reserve[6];
};
static_assert(sizeof(SpodInfo) == 48 && offsetof(SpodInfo, sdid) == 0);
static_assert(offsetof(SpodInfo, super_pod_size) == 4 && offsetof(SpodInfo, super_pod_id) == 8);
static_assert(offsetof(SpodInfo, server_index) == 12 && offsetof(SpodInfo, chassis_id) == 16);
static_assert(offsetof(SpodInfo, super_pod_type) == 20 && offsetof(SpodInfo, reserve) == 24);

struct ChipPcieErrRate {
  std::uint32_t reg_deskew_fifo_overflow_intr_status;
  std::uint32_t reg_symbol_unlock_intr_status;
  std::uint32_t reg_deskew_unlock_intr_status;
  std::uint32_t reg_phystatus_timeout_intr_status;
  std::uint32_t symbol_unlock_counter;
  std::uint32_t pcs_rx_err_cnt;
  std::uint32_t phy_lane_err_counter;
  std::uint32_t pcs_rcv_err_status;
  std::uint32_t symbol_unlock_err_status;
  std::uint32_t phy_lane_err_status;
  std::uint32_t dl_lcrc_err_num;
  std::uint32_t dl_dcrc_err_num;
};
static_assert(sizeof(ChipPcieErrRate) == 48);
static_assert(offsetof(ChipPcieErrRate, reg_deskew_fifo_overflow_intr_status) == 0);
static_assert(offsetof(ChipPcieErrRate, reg_symbol_unlock_intr_status) == 4);
static_assert(offsetof(ChipPcieErrRate, reg_deskew_unlock_intr_status) == 8);
static_assert(offsetof(ChipPcieErrRate, reg_phystatus_timeout_intr_status) == 12);
static_assert(offsetof(ChipPcieErrRate, symbol_unlock_counter) == 16);
static_assert(offsetof(ChipPcieErrRate, pcs_rx_err_cnt) == 20);
static_assert(offsetof(ChipPcieErrRate, phy_lane_err_counter) == 24);
static_assert(offsetof(ChipPcieErrRate, pcs_rcv_err_status) == 28);
static_assert(offsetof(ChipPcieErrRate, symbol_unlock_err_status) == 32);
static_assert(offsetof(ChipPcieErrRate, phy_lane_err_status) == 36);
static_assert(offsetof(ChipPcieErrRate, dl_lcrc_err_num) == 40);
static_assert(offsetof(ChipPcieErrRate, dl_dcrc_err_num) == 44);

struct PcieLinkBandwidthInfo {
  std::int32_t profiling_time;  // of the caller: ms, 0 to 2000
  std::uint32_t tx_p_bw[3];     // MB/ms, here and below: least, most, mean
  std::uint32_t tx_np_bw[3];
  std::uint32_t tx_cpl_bw[3];
  std::uint32_t tx_np_lantency[3];  // so spelled by the vendor
  std::uint32_t rx_p_bw[3];
  std::uint32_t rx_np_bw[3];
  std::uint32_t rx_cpl_bw[3];
};
static_assert(sizeof(PcieLinkBandwidthInfo) == 88);
static_assert(offsetof(PcieLinkBandwidthInfo, profiling_time) == 0);
static_assert(offsetof(PcieLinkBandwidthInfo, tx_p_bw) == 4);
static_assert(offsetof(PcieLinkBandwidthInfo, tx_np_bw) == 16);
static_assert(offsetof(PcieLinkBandwidthInfo, tx_cpl_bw) == 28);
static_assert(offsetof(PcieLinkBandwidthInfo, tx_np_lantency) == 40);
static_assert(offsetof(PcieLinkBandwidthInfo, rx_p_bw) == 52);
static_assert(offsetof(PcieLinkBandwidthInfo, rx_np_bw) == 64);
static_assert(offsetof(PcieLinkBandwidthInfo, rx_cpl_bw) == 76);

}  // namespace ascend::dcmi

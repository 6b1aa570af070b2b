// The vendor's structs about slices of a chip. A number that the chip does not support is all ones,
// a fraction -1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ascend::dcmi {

inline constexpr std::size_t kMaxVdevs = 32;
inline constexpr std::uint32_t kFirstVdev = 100;
inline constexpr std::uint32_t kLastVdev = 1123;

struct BaseResource {
  std::uint64_t token;
  std::uint64_t token_max;
  std::uint64_t task_timeout;
  std::uint32_t vfg_id;
  unsigned char vip_mode;
  unsigned char reserved[31];
};
static_assert(sizeof(BaseResource) == 64 && offsetof(BaseResource, token) == 0);
static_assert(offsetof(BaseResource, token_max) == 8 && offsetof(BaseResource, task_timeout) == 16);
static_assert(offsetof(BaseResource, vfg_id) == 24 && offsetof(BaseResource, vip_mode) == 28);
static_assert(offsetof(BaseResource, reserved) == 29);

struct ComputingResource {
  float aic;  // AI cores, may be a fraction
  float aiv;
  std::uint16_t queues[8];  // dsa, rtsq, acsq, cdqm, c_core, ffts, sdma, pcie_dma
  std::uint64_t memory_size;
  std::uint32_t event_id;
  std::uint32_t notify_id;
  std::uint32_t stream_id;
  std::uint32_t model_id;
  std::uint16_t cpus[5];  // topic_schedule_aicpu, host_ctrl_cpu, host_aicpu, device_aicpu, slot
  std::uint32_t vdev_aicore_utilization;  // percent
  std::uint64_t vdev_memory_total;        // KiB
  std::uint64_t vdev_memory_free;         // KiB
  unsigned char reserved[12];
};
static_assert(sizeof(ComputingResource) == 96 && offsetof(ComputingResource, aic) == 0);
static_assert(offsetof(ComputingResource, aiv) == 4 && offsetof(ComputingResource, queues) == 8);
static_assert(offsetof(ComputingResource, memory_size) == 24);
static_assert(offsetof(ComputingResource, event_id) == 32);
static_assert(offsetof(ComputingResource, notify_id) == 36);
static_assert(offsetof(ComputingResource, stream_id) == 40);
static_assert(offsetof(ComputingResource, model_id) == 44);
static_assert(offsetof(ComputingResource, cpus) == 48);
static_assert(offsetof(ComputingResource, vdev_aicore_utilization) == 60);
static_assert(offsetof(ComputingResource, vdev_memory_total) == 64);
static_assert(offsetof(ComputingResource, vdev_memory_free) == 72);
static_assert(offsetof(ComputingResource, reserved) == 80);

struct MediaResource {
  float jpegd;
  float jpege;
  float vpc;
  float vdec;
  float pngd;
  float venc;
  unsigned char reserved[32];
};
static_assert(sizeof(MediaResource) == 56 && offsetof(MediaResource, jpegd) == 0);
static_assert(offsetof(MediaResource, jpege) == 4 && offsetof(MediaResource, vpc) == 8);
static_assert(offsetof(MediaResource, vdec) == 12 && offsetof(MediaResource, pngd) == 16);
static_assert(offsetof(MediaResource, venc) == 20 && offsetof(MediaResource, reserved) == 24);

struct VdevQueryInfo {
  char name[16];  // of the template
  std::uint32_t status;
  std::uint32_t is_container_used;
  std::uint32_t vfid;
  std::uint32_t vfg_id;
  std::uint64_t container_id;
  BaseResource base;
  ComputingResource computing;
  MediaResource media;
};
static_assert(sizeof(VdevQueryInfo) == 256 && offsetof(VdevQueryInfo, name) == 0);
static_assert(offsetof(VdevQueryInfo, status) == 16);
static_assert(offsetof(VdevQueryInfo, is_container_used) == 20);
static_assert(offsetof(VdevQueryInfo, vfid) == 24 && offsetof(VdevQueryInfo, vfg_id) == 28);
static_assert(offsetof(VdevQueryInfo, container_id) == 32 && offsetof(VdevQueryInfo, base) == 40);
static_assert(offsetof(VdevQueryInfo, computing) == 104 && offsetof(VdevQueryInfo, media) == 200);

struct VdevQuery {
  std::uint32_t vdev_id;  // of the caller
  VdevQueryInfo query_info;
};
static_assert(sizeof(VdevQuery) == 264 && offsetof(VdevQuery, vdev_id) == 0);
static_assert(offsetof(VdevQuery, query_info) == 8);

struct SocTotalResource {
  std::uint32_t vdev_num;
  std::uint32_t vdev_id[kMaxVdevs];
  std::uint32_t vfg_num;
  std::uint32_t vfg_bitmap;
  BaseResource base;
  ComputingResource computing;
  MediaResource media;
};
static_assert(sizeof(SocTotalResource) == 360 && offsetof(SocTotalResource, vdev_num) == 0);
static_assert(offsetof(SocTotalResource, vdev_id) == 4);
static_assert(offsetof(SocTotalResource, vfg_num) == 132);
static_assert(offsetof(SocTotalResource, vfg_bitmap) == 136);
static_assert(offsetof(SocTotalResource, base) == 144);
static_assert(offsetof(SocTotalResource, computing) == 208);
static_assert(offsetof(SocTotalResource, media) == 304);

}  // namespace ascend::dcmi

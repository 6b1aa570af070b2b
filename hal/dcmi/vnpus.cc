// The slices of a chip, by DcmiDriver.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "hal/chip_family.h"
#include "hal/dcmi/abi.h"
#include "hal/dcmi/abi_vnpu.h"
#include "hal/dcmi/driver.h"

namespace ascend::dcmi {
namespace {

constexpr std::uint64_t kUnsupported = ~std::uint64_t{0};
constexpr std::uint32_t kUnsupported32 = ~std::uint32_t{0};
constexpr float kNoCores = -1.0F;
constexpr float kMaxCoresOfChip = 64.0F;

}  // namespace

void DcmiDriver::ReadVnpu(DeviceAddress at, Vnpu& vnpu, Border& border) {
  Room<VdevQuery> room(Room<VdevQuery>::kOnes);
  std::ranges::fill(room.value.query_info.name, '\0');
  room.value.vdev_id = vnpu.index;
  int code = lacks_.Of(at).Ask(Question::kVdev, [&] { return Info(at, kVdevItem, room.value); });
  if (code == kOk) {
    const VdevQueryInfo& info = room.value.query_info;
    vnpu.template_name = TextOf(std::span<const char>(info.name));
    const float cores = info.computing.aic;
    if (cores >= 0 && cores <= kMaxCoresOfChip) {
      vnpu.aicores = Count{cores};
    } else if (cores != kNoCores) {
      border.Refuse();
    }
  }
  Room<VdevQuery> live(Room<VdevQuery>::kOnes);
  live.value.vdev_id = vnpu.index;
  code =
      lacks_.Of(at).Ask(Question::kVdevLoad, [&] { return Info(at, kVdevLoadItem, live.value); });
  if (code != kOk) return;
  const ComputingResource& now = live.value.query_info.computing;
  if (now.vdev_aicore_utilization != kUnsupported32) {
    vnpu.utilization = border.Percent(now.vdev_aicore_utilization);
  }
  if (now.vdev_memory_total == kUnsupported) return;
  vnpu.memory_total = border.Kibibytes(now.vdev_memory_total);
  if (!vnpu.memory_total || now.vdev_memory_free == kUnsupported) return;
  std::optional<Bytes> free = border.Kibibytes(now.vdev_memory_free);
  border.DropAbove(free, vnpu.memory_total);
  if (free) vnpu.memory_used = Bytes{vnpu.memory_total->value - free->value};
}

absl::StatusOr<VnpuReading> DcmiDriver::ReadVnpus(DeviceAddress at) {
  const std::optional<DeviceIdentity> identity = identities_.Find(at);
  if (identity && !CanBeSplit(identity->family)) return Lacks("vNPUs");
  Room<SocTotalResource> list(Room<SocTotalResource>::kOnes);
  const int code = Info(at, kVdevsItem, list.value);
  if (code != kOk) return StatusOf(f_.device_info.name, code);
  if (list.value.vdev_num > kMaxVdevs) {
    return absl::InternalError(
        fmt::format("{}: answers {} vNPUs", f_.device_info.name, list.value.vdev_num));
  }
  VnpuReading reading;
  Border border(reading.refused);
  for (const std::uint32_t id : std::span(list.value.vdev_id).first(list.value.vdev_num)) {
    if (id < kFirstVdev || id > kLastVdev) {
      border.Refuse();
      continue;
    }
    Vnpu vnpu;
    vnpu.index = id;
    ReadVnpu(at, vnpu, border);
    reading.vnpus.Add(vnpu);
  }
  return reading;
}

}  // namespace ascend::dcmi

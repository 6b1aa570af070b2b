// The readings of DcmiDriver about the links between chips.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <span>
#include <string>
#include <type_traits>

#include "hal/dcmi/abi.h"
#include "hal/dcmi/driver.h"

namespace ascend::dcmi {
namespace {

constexpr double kGigabyte = 1073741824.0;  // as the library counts them
constexpr double kRangeOf32Bits = 4294967296.0;
constexpr std::int64_t kMaxHccsProfilingMs = 1000;

// By the numbers of dcmi_get_topo_info_by_device_id; SELF is no link.
struct Path {
  int number;
  LinkPath path;
};
constexpr std::array<Path, 8> kPaths = {{{1, LinkPath::kSys},
                                         {2, LinkPath::kPhb},
                                         {3, LinkPath::kHccs},
                                         {4, LinkPath::kPxb},
                                         {5, LinkPath::kPix},
                                         {6, LinkPath::kSio},
                                         {7, LinkPath::kHccsSwitch},
                                         {8, LinkPath::kUb}}};

// The documented answers are short; there is room for a list of a thousand characters.
constexpr std::size_t kMaxAffinity = 1024;
constexpr std::size_t kMaxCpus = 127;
constexpr std::string_view kCpuCharacters = "0123456789-,";

template <class Visit>
void ForEachLink(std::uint32_t links, const Visit& visit) {
  for (std::uint32_t link = 0; link < kHccsSlots; ++link) {
    if ((links >> link & 1U) != 0) visit(link);
  }
}

std::optional<Bytes> FlitBytes(const std::optional<Count>& flits) {
  if (!flits) return std::nullopt;
  return Bytes{flits->value * kHccsFlitBytes};
}

std::optional<std::uint32_t> Known(std::uint32_t raw) {
  if (IsNoValue(raw)) return std::nullopt;
  return raw;
}

}  // namespace

absl::StatusOr<TopologyReading> DcmiDriver::ReadTopology(DeviceAddress at) {
  TopologyReading reading;
  Border border(reading.refused);
  Outcome outcome;
  bool asked = false;
  const auto known = devices();
  for (const FoundDevice& peer : *known) {
    // Of two that claim one id only the first is a device.
    const auto first = std::ranges::find(*known, peer.device, &FoundDevice::device);
    if (peer.address == at || first->address != peer.address) continue;
    asked = true;
    int raw = -1;
    const bool unrelated = unrelated_.Contains(at, peer.address);
    const int code = unrelated ? kNotSupported : f_.topo_info(at, peer.address, &raw);
    if (!unrelated && IsUnsupported(code)) unrelated_.Add(at, peer.address);
    outcome.Add(f_.topo_info, code);
    if (code != kOk || raw == kTopologySelf) continue;
    const auto* path = std::ranges::find(kPaths, raw, &Path::number);
    if (path == kPaths.end()) {
      border.Refuse();
    } else {
      reading.links.Add({.peer = peer.device, .path = path->path});
    }
  }
  if (absl::Status status = outcome.status(); asked && !status.ok()) return status;
  return reading;
}

absl::StatusOr<CpuAffinityReading> DcmiDriver::ReadCpuAffinity(DeviceAddress at) {
  Room<std::array<char, kMaxAffinity>> text(Room<int>::kZeros);
  int length = 0;
  const int code = f_.affinity_cpu_info(at, text.value.data(), &length);
  if (code != kOk) return StatusOf(f_.affinity_cpu_info.name, code);
  const std::string cpus = TextOf(std::span<const char>(text.value));
  // Half a list would name the wrong processors.
  const bool whole =
      cpus.size() <= kMaxCpus && cpus.find_first_not_of(kCpuCharacters) == std::string::npos;
  return CpuAffinityReading{.cpus = whole ? cpus : ""};
}

std::uint32_t DcmiDriver::HccsLinks(DeviceAddress at, HccsReading& reading, Border& border,
                                    Outcome& outcome) {
  Room<HccsLaneInfo> room(Room<HccsLaneInfo>::kOnes);
  const int code =
      lacks_.Of(at).Ask(Question::kHccsLanes, [&] { return Info(at, kHccsLanesItem, room.value); });
  outcome.Add(f_.device_info, code);
  const std::uint32_t links = room.value.hccs_port_pcs_bitmap;
  if (code == kOk && links >> kHccsSlots != 0) border.Refuse();
  const bool told = code == kOk && links >> kHccsSlots == 0;
  const auto identity = identities_.Find(at);
  const bool one_link = identity && identity->family == ChipFamily::k310P;
  const std::uint32_t usual = one_link ? kOnlyHccsLink : kUsualHccsLinks;
  std::size_t slot = 0;
  ForEachLink(told ? links : usual, [&](std::uint32_t index) {
    HccsLink link;
    link.index = index;
    const std::uint32_t lanes = told ? room.value.pcs_lane_bitmap[slot++] : 0;
    if (IsNoValue(lanes)) {
      border.Refuse();
    } else if ((lanes & kHccsLanesHold) != 0) {
      link.lanes = Count{static_cast<double>(std::popcount(lanes & kHccsLanesInUse))};
      link.lanes_expected = Count{static_cast<double>(
          kHccsLaneModes[lanes >> kHccsLaneModeShift & (kHccsLaneModes.size() - 1)])};
    }
    reading.links.Add(link);
  });
  return told ? links : usual;
}

template <class Counts>
int DcmiDriver::ReadHccsCounts(DeviceAddress at, InfoItem item, Question question,
                               HccsReading& reading, Border& border) {
  Room<Counts> room(Room<Counts>::kOnes);
  const int code = lacks_.Of(at).Ask(question, [&] { return Info(at, item, room.value); });
  if (code != kOk) return code;
  const Counts& counts = room.value;
  constexpr bool kWide = std::is_same_v<Counts, HccsStatisticInfoU64>;
  const auto count = [&](auto raw) {
    return kWide ? border.Events64(raw) : border.Events(static_cast<std::uint32_t>(raw));
  };
  for (HccsLink& link : reading.links.items()) {
    link.transmitted = FlitBytes(count(counts.tx_cnt[link.index]));
    link.received = FlitBytes(count(counts.rx_cnt[link.index]));
    link.crc_errors = count(counts.crc_err_cnt[link.index]);
    link.retries = count(counts.retry_cnt[link.index]);
  }
  reading.counter_range = kWide ? 0 : kRangeOf32Bits;
  return kOk;
}

absl::StatusOr<HccsReading> DcmiDriver::ReadHccs(DeviceAddress at) {
  HccsReading reading;
  Border border(reading.refused);
  Outcome outcome;
  Room<HccsStatues> status(Room<HccsStatues>::kOnes);
  int code = lacks_.Of(at).Ask(Question::kHccsStatus,
                               [&] { return Info(at, kHccsStatusItem, status.value); });
  outcome.Add(f_.device_info, code);
  const HccsStatues& state = status.value;
  if (code == kOk && (IsNoValue(state.hdlc_status) || IsNoValue(state.pcs_status))) {
    border.Refuse();
  } else if (code == kOk) {
    const bool up = state.pcs_status == kPcsOk && state.hdlc_status == kHdlcOk;
    reading.up = Count{up ? 1.0 : 0.0};
  }
  HccsLinks(at, reading, border, outcome);
  code = ReadHccsCounts<HccsStatisticInfoU64>(at, kHccsCounts64Item, Question::kHccsCounts64,
                                              reading, border);
  outcome.Add(f_.device_info, code);
  // Not where it fails for once: the range would change.
  if (IsUnsupported(code) && !lacks_.Of(at).Answered(Question::kHccsCounts64)) {
    outcome.Add(f_.device_info,
                ReadHccsCounts<HccsStatisticInfo>(at, kHccsCounts32Item, Question::kHccsCounts32,
                                                  reading, border));
  }
  if (absl::Status answered = outcome.status(); !answered.ok()) return answered;
  return reading;
}

absl::StatusOr<HccsBandwidthReading> DcmiDriver::ReadHccsBandwidth(DeviceAddress at,
                                                                   nanoseconds window) {
  Room<HccsBandwidthInfo> room(Room<HccsBandwidthInfo>::kZeros);  // the library adds to it
  room.value.profiling_time =
      static_cast<std::int32_t>(Milliseconds(window, 1, kMaxHccsProfilingMs));
  const int code = f_.hccs_link_bandwidth_info(at, &room.value);
  if (code != kOk) return StatusOf(f_.hccs_link_bandwidth_info.name, code);
  HccsBandwidthReading reading;
  Border border(reading.refused);
  // What the array says of a link that is not there is 0: the links are those of the lanes.
  HccsReading lanes;
  Border ignored(lanes.refused);
  Outcome unused;
  ForEachLink(HccsLinks(at, lanes, ignored, unused), [&](std::uint32_t link) {
    reading.links.Add({.index = link,
                       .transmit = border.Flow(room.value.tx_bandwidth[link], kGigabyte),
                       .receive = border.Flow(room.value.rx_bandwidth[link], kGigabyte)});
  });
  return reading;
}

absl::StatusOr<SioReading> DcmiDriver::ReadSio(DeviceAddress at) {
  Room<SioCrcErrStatisticsInfo> room(Room<SioCrcErrStatisticsInfo>::kOnes);
  const int code = Info(at, kSioItem, room.value);
  if (code != kOk) return StatusOf(f_.device_info.name, code);
  SioReading reading;
  Border border(reading.refused);
  reading.transmit_errors = border.Events16(room.value.tx_error_count);
  reading.receive_errors = border.Events16(room.value.rx_error_count);
  return reading;
}

absl::StatusOr<SuperPodReading> DcmiDriver::ReadSuperPod(DeviceAddress at) {
  Room<SpodInfo> room(Room<SpodInfo>::kOnes);
  const int code = Info(at, kSuperPodItem, room.value);
  if (code != kOk) return StatusOf(f_.device_info.name, code);
  return SuperPodReading{.super_pod_id = Known(room.value.super_pod_id),
                         .server_id = Known(room.value.server_index),
                         .sdid = Known(room.value.sdid),
                         .scale = Known(room.value.super_pod_size)};
}

}  // namespace ascend::dcmi

#include <algorithm>
#include <array>

#include "hal/sim/builtin_chip.h"

namespace ascend::sim {
namespace {

constexpr std::uint32_t kDuoHccsLink = 0;
constexpr std::uint32_t kFirstHccsLink = 1;  // the library leaves slot 0 unused
constexpr std::uint32_t kLastHccsLink = 7;
constexpr Count kHccsLanes{4};
constexpr Count kPcieLanes{16};
constexpr std::uint32_t kA3SuperPodChips = 384;
constexpr std::uint32_t kA5SuperPodChips = 128;
// By pairs of cards, as such a host is wired.
constexpr std::array<std::string_view, kBusesPerHost / 2> kCpusOfPairs = {"144-167", "96-119",
                                                                          "0-23", "48-71"};

HccsLink QuietLink(std::uint32_t number) {
  HccsLink link;
  link.index = number;
  link.transmitted = link.received = Bytes{0};
  link.crc_errors = link.retries = Count{0};
  return link;
}

void AddServerHccs(Chip& chip) {
  auto hccs = std::make_shared<HccsReading>();
  auto bandwidth = std::make_shared<HccsBandwidthReading>();
  hccs->up = Count{1};
  for (std::uint32_t number = kFirstHccsLink; number <= kLastHccsLink; ++number) {
    HccsLink link = QuietLink(number);
    link.lanes = link.lanes_expected = kHccsLanes;
    hccs->links.Add(link);
    bandwidth->links.Add({number, BytesPerSecond{0}, BytesPerSecond{0}});
  }
  chip.hccs = hccs;
  chip.hccs_bandwidth = bandwidth;
}

// The two chips of a Duo card have counters, and neither a state nor lanes that can be asked for.
void AddDuoHccs(Chip& chip) {
  auto hccs = std::make_shared<HccsReading>();
  hccs->links.Add(QuietLink(kDuoHccsLink));
  chip.hccs = hccs;
}

std::optional<LinkPath> PathBetween(ChipFamily family, bool same_card) {
  switch (family) {
    case ChipFamily::k910B:
      return LinkPath::kHccs;
    case ChipFamily::k910_93:
      return same_card ? LinkPath::kSio : LinkPath::kHccsSwitch;
    case ChipFamily::k950:
      return LinkPath::kUb;
    default:
      return std::nullopt;
  }
}

Section<TopologyReading> TopologyOf(const Model& model, int device, int chips, ChipFamily family) {
  if (!PathBetween(family, false)) return nullptr;
  const int per_host = kBusesPerHost * model.chips_per_card;
  const int first = device / per_host * per_host;
  auto reading = std::make_shared<TopologyReading>();
  for (int peer = first; peer < std::min(first + per_host, chips); ++peer) {
    if (peer == device) continue;
    const bool same_card = peer / model.chips_per_card == device / model.chips_per_card;
    reading->links.Add({peer, PathBetween(family, same_card).value_or(LinkPath::kSys)});
  }
  return reading;
}

}  // namespace

void AddLinks(const Model& model, Chip& chip) {
  const ChipFamily family = chip.identity.family;
  const bool server = family == ChipFamily::k910B || family == ChipFamily::k910_93;
  if (server) AddServerHccs(chip);
  if (family == ChipFamily::k310P) AddDuoHccs(chip);
  if (family == ChipFamily::k910_93 || family == ChipFamily::k950) {
    SioReading& sio = chip.sio.emplace();
    sio.transmit_errors = sio.receive_errors = Count{0};
  }
  PcieReading& pcie = chip.pcie.emplace();
  pcie.speed = pcie.max_speed = TransfersPerSecond{model.pcie_transfers_per_second};
  pcie.lanes = pcie.max_lanes = kPcieLanes;
  for (const PcieErrorKind& kind : kPcieErrorKinds) pcie.errors.*kind.count = Count{0};
  if (family == ChipFamily::k910B) {
    PcieBandwidthReading& bandwidth = chip.pcie_bandwidth.emplace();
    for (const PcieTraffic& kind : kPcieTraffic) bandwidth.*kind.bandwidth = BytesPerSecond{0};
  }
}

void PlaceLinks(const Model& model, int chips, Chip& chip) {
  const ChipFamily family = chip.identity.family;
  const int device = chip.found.device;
  const int card = device / model.chips_per_card;
  chip.topology = TopologyOf(model, device, chips, family);
  if (family == ChipFamily::k910B || family == ChipFamily::k950) {
    const auto pair = static_cast<std::size_t>(card % kBusesPerHost / 2);
    chip.cpu_affinity.emplace().cpus = kCpusOfPairs.at(pair);
  }
  if (family == ChipFamily::k910_93 || family == ChipFamily::k950) {
    SuperPodReading& pod = chip.super_pod.emplace();
    pod.super_pod_id = 0;
    pod.server_id = static_cast<std::uint32_t>(card / kBusesPerHost);
    pod.sdid = static_cast<std::uint32_t>(device);
    pod.scale = family == ChipFamily::k950 ? kA5SuperPodChips : kA3SuperPodChips;
  }
}

}  // namespace ascend::sim

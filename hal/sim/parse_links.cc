// The links of a chip inside its host.
#include <array>
#include <charconv>

#include "hal/sim/parse_chip.h"
#include "hal/sim/yaml_quantities.h"

namespace ascend::sim {
namespace {

constexpr Bounds kLinkNumber{0, kMaxHccsLinks - 1};
constexpr Bounds kGigabytesPerSecond{0, 1e5};
constexpr double kGibibyte = 1073741824.0;  // the library's GB
constexpr double kRange32 = 4'294'967'296.0;
constexpr Bounds kCounter16{0, 65535};
constexpr double kBytesPerSecondOfMbPerMs = 1048576.0 * 1000;
constexpr Bounds kSuperPodId{0, 4'294'967'295.0};
constexpr std::array<std::string_view, 2> kCounterBits = {"64", "32"};

std::optional<std::int32_t> ParsePeer(std::string_view text) {
  std::int32_t peer = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), peer);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole && peer >= kId.low && peer <= kId.high ? std::optional(peer) : std::nullopt;
}

TopologyReading ParseTopology(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "topology", problems);
  TopologyReading reading;
  for (const YamlEntry& entry : value.entries) {
    const auto peer = ParsePeer(entry.key);
    if (!peer) {
      fields.Refuse(entry.key, fmt::format("is no physical id, want {} to {}", kId.low, kId.high));
    }
    const auto path = fields.Choice(entry.key, kLinkPathNames);
    const TopologyLink link{peer.value_or(0), static_cast<LinkPath>(path.value_or(0))};
    if (reading.links.Add(link) == nullptr) {
      fields.Refuse(entry.key, fmt::format("is one peer too many, want at most {}", kMaxPeers));
    }
  }
  return reading;
}

void ParseHccsLink(const YamlValue& value, HccsReading& reading, HccsBandwidthReading& bandwidths,
                   YamlProblems& problems) {
  YamlFields fields(value, "links", problems);
  HccsLink link;
  link.index =
      static_cast<std::uint32_t>(fields.Required("link", fields.Integer("link", kLinkNumber)));
  link.lanes = ReadCount(fields, "lanes", kLanes);
  link.lanes_expected = ReadCount(fields, "lanes_expected", kLanes);
  const Bounds bounds = reading.counter_range > 0 ? Bounds{0, reading.counter_range - 1} : kCounter;
  const auto flits = [&](std::string_view key) {
    const auto count = ReadCount(fields, key, bounds);
    return count ? std::optional(Bytes{count->value * kHccsFlitBytes}) : std::nullopt;
  };
  link.transmitted = flits("transmit_flits");
  link.received = flits("receive_flits");
  link.crc_errors = ReadCount(fields, "crc_errors", bounds);
  link.retries = ReadCount(fields, "retries", bounds);
  const HccsLinkBandwidth bandwidth{
      link.index,
      Read<BytesPerSecond>(fields, "transmit_gigabytes_per_second", kGigabytesPerSecond, kGibibyte),
      Read<BytesPerSecond>(fields, "receive_gigabytes_per_second", kGigabytesPerSecond, kGibibyte)};
  if (bandwidth.transmit || bandwidth.receive) bandwidths.links.Add(bandwidth);
  fields.RefuseOthers();
  AddOnce(reading.links, link, fields, "link");
}

void ParseHccs(const YamlValue& value, Chip& chip, YamlProblems& problems) {
  YamlFields fields(value, "hccs", problems);
  HccsReading reading;
  HccsBandwidthReading bandwidths;
  reading.up = ReadFlag(fields, "up");
  if (fields.Choice("counter_bits", kCounterBits) == 1U) reading.counter_range = kRange32;
  for (const YamlValue& item : ReadItems(fields, "links")) {
    ParseHccsLink(item, reading, bandwidths, problems);
  }
  fields.RefuseOthers();
  if (!bandwidths.links.empty()) {
    chip.hccs_bandwidth = std::make_shared<HccsBandwidthReading>(bandwidths);
  }
  chip.hccs = std::make_shared<HccsReading>(reading);
}

SioReading ParseSio(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "sio", problems);
  SioReading reading;
  reading.transmit_errors = ReadCount(fields, "transmit_errors", kCounter16);
  reading.receive_errors = ReadCount(fields, "receive_errors", kCounter16);
  fields.RefuseOthers();
  return reading;
}

PcieErrors ParsePcieErrors(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "errors", problems);
  PcieErrors errors;
  for (const PcieErrorKind& kind : kPcieErrorKinds) {
    errors.*kind.count = ReadCount(fields, kind.name);
  }
  fields.RefuseOthers();
  return errors;
}

PcieBandwidthReading ParsePcieBandwidth(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "bandwidth", problems);
  PcieBandwidthReading reading;
  for (const PcieTraffic& kind : kPcieTraffic) {
    reading.*kind.bandwidth =
        Read<BytesPerSecond>(fields, kind.name, kGigabytesPerSecond, kBytesPerSecondOfMbPerMs);
  }
  fields.RefuseOthers();
  return reading;
}

void ParsePcie(const YamlValue& value, Chip& chip, YamlProblems& problems) {
  YamlFields fields(value, "pcie", problems);
  PcieReading& reading = chip.pcie.emplace();
  reading.speed =
      Read<TransfersPerSecond>(fields, "speed_gts", kGigatransfers, kTransfersPerGigatransfer);
  reading.max_speed =
      Read<TransfersPerSecond>(fields, "max_speed_gts", kGigatransfers, kTransfersPerGigatransfer);
  reading.lanes = ReadCount(fields, "lanes", kLanes);
  reading.max_lanes = ReadCount(fields, "max_lanes", kLanes);
  if (const YamlValue* errors = fields.Any("errors")) {
    reading.errors = ParsePcieErrors(*errors, problems);
  }
  if (const YamlValue* bandwidth = fields.Any("bandwidth")) {
    chip.pcie_bandwidth = ParsePcieBandwidth(*bandwidth, problems);
  }
  fields.RefuseOthers();
}

SuperPodReading ParseSuperPod(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "super_pod", problems);
  const auto read = [&fields](std::string_view key) {
    const auto number = fields.Integer(key, kSuperPodId);
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
  };
  SuperPodReading reading;
  reading.super_pod_id = read("super_pod_id");
  reading.server_id = read("server_id");
  reading.sdid = read("sdid");
  reading.scale = read("scale");
  fields.RefuseOthers();
  return reading;
}

}  // namespace

void ParseLinks(YamlFields& fields, Chip& chip) {
  YamlProblems& problems = fields.problems();
  if (const YamlValue* value = fields.Any("topology")) {
    chip.topology = std::make_shared<TopologyReading>(ParseTopology(*value, problems));
  }
  if (const auto cpus = fields.Text("cpu_affinity", 127)) chip.cpu_affinity.emplace().cpus = *cpus;
  if (const YamlValue* value = fields.Any("hccs")) ParseHccs(*value, chip, problems);
  if (const YamlValue* value = fields.Any("sio")) chip.sio = ParseSio(*value, problems);
  if (const YamlValue* value = fields.Any("pcie")) ParsePcie(*value, chip, problems);
  if (const YamlValue* value = fields.Any("super_pod")) {
    chip.super_pod = ParseSuperPod(*value, problems);
  }
}

}  // namespace ascend::sim

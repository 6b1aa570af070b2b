#include <fmt/format.h>

#include "collectors/all.h"
#include "collectors/key_labels.h"

namespace ascend {
namespace {

// The key of a link: the peer, and how it is reached.
std::string LinkLabels(std::uint32_t key) {
  const std::size_t path = key & 0xFFU;
  return fmt::format("peer=\"{}\",path=\"{}\"", key >> 8U,
                     path < kLinkPathNames.size() ? kLinkPathNames[path] : "unknown");
}

constexpr std::array kLinkRows = {
    HandRow({.spec = {.name = "ascend_npu_topology_link_info",
                      .help = "How the chip reaches another chip of its host.",
                      .zh = "芯片到同一主机上另一颗芯片的互联方式。",
                      .chips = "910B, 910C, 950",
                      .source = {.dcmi = "dcmi_get_topo_info_by_device_id",
                                 .tool = "npu-smi info -t topo"}},
             .kind = Kind::kInfo,
             .key_labels = &LinkLabels})};

constexpr std::array<std::string_view, 1> kCpusLabel = {"cpus"};
constexpr std::array kAffinityRows = {
    HandRow({.spec = {.name = "ascend_npu_cpu_affinity_info",
                      .help = "CPUs of the host that are near to the chip.",
                      .zh = "与芯片亲和的主机 CPU。",
                      .chips = "910B, 910C, 950",
                      .source = {.dcmi = "dcmi_get_affinity_cpu_info_by_device_id",
                                 .dcmiv2 = "dcmiv2_get_affinity_cpu_info_by_dev_id",
                                 .tool = "npu-smi info -t topo"}},
             .kind = Kind::kInfo,
             .text_labels = kCpusLabel})};

constexpr std::array<std::string_view, 4> kSuperPodLabels = {"super_pod_id", "server_id", "sdid",
                                                             "scale"};
constexpr std::array kSuperPodRows = {HandRow(
    {.spec = {.name = "ascend_npu_super_pod_info",
              .help = "Where the chip is in its super pod; scale is how many chips that has.",
              .zh = "芯片在超节点中的位置；scale 为超节点的芯片总数。",
              .chips = "910C, 950",
              .source = {.dcmi = "dcmi_get_device_info CHIP_INF 12/1",
                         .tool = "npu-smi info -t spod-info"}},
     .kind = Kind::kInfo,
     .text_labels = kSuperPodLabels})};

absl::Status CollectLinks(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const absl::StatusOr<TopologyReading> reading = driver.ReadTopology(address);
  if (!reading.ok()) return reading.status();
  for (const TopologyLink& link : reading->links) {
    const auto peer = static_cast<std::uint32_t>(link.peer);
    sink.Put(0, 1, peer << 8U | static_cast<std::uint32_t>(link.path));
  }
  return absl::OkStatus();
}

absl::Status CollectAffinity(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const absl::StatusOr<CpuAffinityReading> reading = driver.ReadCpuAffinity(address);
  if (!reading.ok()) return reading.status();
  if (!reading->cpus.empty()) sink.PutText(0, 0, {reading->cpus.view()});
  return absl::OkStatus();
}

absl::Status CollectSuperPod(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const absl::StatusOr<SuperPodReading> reading = driver.ReadSuperPod(address);
  if (!reading.ok()) return reading.status();
  const auto text = [](const std::optional<std::uint32_t>& id) {
    return id ? std::to_string(*id) : std::string();
  };
  if (!reading->super_pod_id && !reading->server_id && !reading->sdid) return absl::OkStatus();
  sink.PutText(0, 0,
               {text(reading->super_pod_id), text(reading->server_id), text(reading->sdid),
                text(reading->scale)});
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kTopologyCollector = {
    .name = "topology",
    .topic = Topic::kLinks,
    .group = Group::kIdentity,
    .rows = kLinkRows,
    .collect = &CollectLinks,
    .once = true,
    .cost = {"a call for each other chip", "其他每颗芯片一次调用"}};

constexpr Collector kCpuAffinityCollector = {.name = "cpu_affinity",
                                             .topic = Topic::kLinks,
                                             .group = Group::kIdentity,
                                             .rows = kAffinityRows,
                                             .collect = &CollectAffinity,
                                             .once = true};

constexpr Collector kSuperPodCollector = {.name = "super_pod",
                                          .topic = Topic::kLinks,
                                          .group = Group::kIdentity,
                                          .rows = kSuperPodRows,
                                          .collect = &CollectSuperPod,
                                          .once = true};

}  // namespace ascend

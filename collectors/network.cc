#include "collectors/all.h"
#include "collectors/key_labels.h"

namespace ascend {
namespace {

using L = NetworkLinkReading;
using B = NetworkBandwidthReading;

constexpr std::string_view kChips = "910, 910B, 910C, 950";
constexpr std::string_view kWithTool = "910, 910B, 910C";
constexpr Source kLinkStat = {.tool = "hccn_tool -link_stat"};
constexpr Source kBandwidth = {.dcmi = "dcmi_get_rdma_bandwidth_info",
                               .tool = "hccn_tool -bandwidth"};
constexpr nanoseconds kProfilingTime = std::chrono::milliseconds(100);
constexpr std::array<std::string_view, 3> kStates = {"ok", "faulty", "unknown"};

constexpr auto kHealthRows = RowsFor(State<&NetworkHealthReading::state>(
    {.name = "ascend_npu_network_health_state",
     .help = "Whether the chip's network reaches the address that it is configured to check: 1 for "
             "the current state.",
     .zh = "芯片网口能否连通所配置的检测地址：当前状态为 1，其余为 0。",
     .chips = kChips,
     .source = {.dcmi = "dcmi_get_device_network_health", .tool = "hccn_tool -net_health"}},
    "state", kStates));

constexpr auto kLinkRows =
    RowsFor(EachMetric<&L::ports, &NetworkPort::up>(
                {.name = "ascend_npu_network_up",
                 .help = "Whether (1) or not (0) the port has a link.",
                 .zh = "网口链路是否连通：1 连通，0 断开。",
                 .chips = kChips,
                 .source = {.tool = "hccn_tool -link, hccn_tool -dev_info"}},
                &PortLabels),
            EachMetric<&L::ports, &NetworkPort::speed>(
                {.name = "ascend_npu_network_speed_bytes_per_second",
                 .help = "Speed of the port's link.",
                 .zh = "网口链路的协商速率。",
                 .chips = kChips,
                 .source = {.tool = "hccn_tool -speed, hccn_tool -dev_info"}},
                &PortLabels),
            EachMetric<&L::ports, &NetworkPort::address_configured>(
                {.name = "ascend_npu_network_address_configured",
                 .help = "Whether (1) or not (0) the port has an IP address.",
                 .zh = "网口是否配置了 IP 地址：1 已配置，0 未配置。",
                 .chips = kWithTool,
                 .source = {.tool = "hccn_tool -ip"}},
                &PortLabels),
            EachCounter<&L::ports, &NetworkPort::up_changes>(
                {.name = "ascend_npu_network_link_up_changes_total",
                 .help = "How often the link came up since the chip booted.",
                 .zh = "芯片本次启动以来链路恢复（up）的次数。",
                 .chips = kChips,
                 .source = kLinkStat},
                &PortLabels),
            EachCounter<&L::ports, &NetworkPort::down_changes>(
                {.name = "ascend_npu_network_link_down_changes_total",
                 .help = "How often the link went down since the chip booted.",
                 .zh = "芯片本次启动以来链路断开（down）的次数。",
                 .chips = kChips,
                 .source = kLinkStat},
                &PortLabels));

constexpr auto kBandwidthRows =
    RowsFor(EachMetric<&B::ports, &PortBandwidth::transmit>(
                {.name = "ascend_npu_network_transmit_bandwidth_bytes_per_second",
                 .help = "Rate at which the port sent while the driver measured it.",
                 .zh = "驱动测量期间网口的发送速率。",
                 .chips = "910B, 910C, 950",
                 .source = kBandwidth},
                &PortLabels),
            EachMetric<&B::ports, &PortBandwidth::receive>(
                {.name = "ascend_npu_network_receive_bandwidth_bytes_per_second",
                 .help = "Rate at which the port received while the driver measured it.",
                 .zh = "驱动测量期间网口的接收速率。",
                 .chips = "910B, 910C, 950",
                 .source = kBandwidth},
                &PortLabels));

absl::Status CollectBandwidth(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const auto reading = driver.ReadNetworkBandwidth(address, kProfilingTime);
  if (!reading.ok()) return reading.status();
  Emit(&*reading, reading->refused, kBandwidthRows, sink);
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kNetworkHealthCollector = {
    .name = "network_health",
    .topic = Topic::kNetwork,
    .group = Group::kNetwork,
    .rows = kHealthRows,
    .collect = &CollectWith<&NpuDriver::ReadNetworkHealth, kHealthRows>};

constexpr Collector kNetworkLinkCollector = {
    .name = "network_link",
    .topic = Topic::kNetwork,
    .group = Group::kNetwork,
    .rows = kLinkRows,
    .collect = &CollectWith<&NpuDriver::ReadNetworkLink, kLinkRows>,
    .cost = {"four runs of hccn_tool, one on 950", "运行四次 hccn_tool，950 上一次"}};

constexpr Collector kNetworkBandwidthCollector = {.name = "network_bandwidth",
                                                  .topic = Topic::kNetwork,
                                                  .group = Group::kNetwork,
                                                  .rows = kBandwidthRows,
                                                  .collect = &CollectBandwidth,
                                                  .by_default = Default::kOff,
                                                  .sleeps = kProfilingTime,
                                                  .cost = kSleepsFor100Ms};

}  // namespace ascend

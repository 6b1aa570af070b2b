#include "collectors/all.h"
#include "collectors/key_labels.h"

namespace ascend {
namespace {

using R = HccsReading;
using B = HccsBandwidthReading;

constexpr std::string_view kServers = "910B, 910C";
constexpr std::string_view kServersAndDuo = "310P (Duo), 910B, 910C";
constexpr Source kStatus = {.dcmi = "dcmi_get_device_info HCCS 16/0",
                            .tool = "npu-smi info -t hccs"};
constexpr Source kLanes = {.dcmi = "dcmi_get_device_info HCCS 16/1",
                           .tool = "npu-smi info -t hccs"};
constexpr Source kStatistics = {.dcmi = "dcmi_get_device_info HCCS 16/5, else 16/3",
                                .tool = "npu-smi info -t hccs"};
constexpr Source kBandwidth = {.dcmi = "dcmi_get_hccs_link_bandwidth_info",
                               .dcmiv2 = Source::kNone};
constexpr Source kSio = {.dcmi = "dcmi_get_device_info SIO 56/0", .tool = "npu-smi info -t sio"};
constexpr nanoseconds kProfilingTime = std::chrono::milliseconds(100);
constexpr int kFlit = static_cast<int>(kHccsFlitBytes);

constexpr auto kRows = RowsFor(
    Metric<&R::up>({.name = "ascend_npu_hccs_up",
                    .help = "Whether (1) or not (0) the chip's HCCS links work.",
                    .zh = "芯片的 HCCS 链路是否正常：1 正常，0 异常。",
                    .chips = kServers,
                    .source = kStatus}),
    EachMetric<&R::links, &HccsLink::lanes>({.name = "ascend_npu_hccs_lanes",
                                             .help = "Lanes of the link that are up.",
                                             .zh = "链路当前可用的 lane 数。",
                                             .chips = kServers,
                                             .source = kLanes},
                                            &KeyLabel<"link">),
    EachMetric<&R::links, &HccsLink::lanes_expected>({.name = "ascend_npu_hccs_lanes_expected",
                                                      .help = "Lanes that the link should have.",
                                                      .zh = "链路应有的 lane 数。",
                                                      .chips = kServers,
                                                      .source = kLanes},
                                                     &KeyLabel<"link">),
    Wrapping<&R::counter_range, kFlit>(EachCounter<&R::links, &HccsLink::transmitted>(
        {.name = "ascend_npu_hccs_transmit_bytes_total",
         .help = "Bytes sent over the link, as flits of 20 bytes.",
         .zh = "链路发送的字节数，按每个 flit 20 字节折算。",
         .chips = kServersAndDuo,
         .source = kStatistics},
        &KeyLabel<"link">)),
    Wrapping<&R::counter_range, kFlit>(EachCounter<&R::links, &HccsLink::received>(
        {.name = "ascend_npu_hccs_receive_bytes_total",
         .help = "Bytes received over the link, as flits of 20 bytes.",
         .zh = "链路接收的字节数，按每个 flit 20 字节折算。",
         .chips = kServersAndDuo,
         .source = kStatistics},
        &KeyLabel<"link">)),
    Wrapping<&R::counter_range>(EachCounter<&R::links, &HccsLink::crc_errors>(
        {.name = "ascend_npu_hccs_crc_errors_total",
         .help = "Flits that came with a wrong checksum.",
         .zh = "CRC 校验错误的 flit 数。",
         .chips = kServersAndDuo,
         .source = kStatistics},
        &KeyLabel<"link">)),
    Wrapping<&R::counter_range>(
        EachCounter<&R::links, &HccsLink::retries>({.name = "ascend_npu_hccs_retries_total",
                                                    .help = "Flits that were sent again.",
                                                    .zh = "重传的 flit 数。",
                                                    .chips = kServersAndDuo,
                                                    .source = kStatistics},
                                                   &KeyLabel<"link">)));

constexpr auto kBandwidthRows =
    RowsFor(EachMetric<&B::links, &HccsLinkBandwidth::transmit>(
                {.name = "ascend_npu_hccs_transmit_bandwidth_bytes_per_second",
                 .help = "Rate at which the link sent while the driver measured it.",
                 .zh = "驱动测量期间链路的发送速率。",
                 .chips = kServers,
                 .source = kBandwidth},
                &KeyLabel<"link">),
            EachMetric<&B::links, &HccsLinkBandwidth::receive>(
                {.name = "ascend_npu_hccs_receive_bandwidth_bytes_per_second",
                 .help = "Rate at which the link received while the driver measured it.",
                 .zh = "驱动测量期间链路的接收速率。",
                 .chips = kServers,
                 .source = kBandwidth},
                &KeyLabel<"link">));

constexpr auto kSioRows =
    RowsFor(Wrapping<&SioReading::counter_range>(Counter<&SioReading::transmit_errors>(
                {.name = "ascend_npu_sio_transmit_errors_total",
                 .help = "Checksum errors on the way to the other die of the package.",
                 .zh = "发往同封装另一个 die 方向的 CRC 错误数。",
                 .chips = "910C, 950",
                 .source = kSio})),
            Wrapping<&SioReading::counter_range>(Counter<&SioReading::receive_errors>(
                {.name = "ascend_npu_sio_receive_errors_total",
                 .help = "Checksum errors on the way from the other die of the package.",
                 .zh = "来自同封装另一个 die 方向的 CRC 错误数。",
                 .chips = "910C, 950",
                 .source = kSio})));

absl::Status CollectBandwidth(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const auto reading = driver.ReadHccsBandwidth(address, kProfilingTime);
  if (!reading.ok()) return reading.status();
  Emit(&*reading, reading->refused, kBandwidthRows, sink);
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kHccsCollector = {.name = "hccs",
                                      .topic = Topic::kLinks,
                                      .group = Group::kLinks,
                                      .rows = kRows,
                                      .collect = &CollectWith<&NpuDriver::ReadHccs, kRows>};

constexpr Collector kHccsBandwidthCollector = {.name = "hccs_bandwidth",
                                               .topic = Topic::kLinks,
                                               .group = Group::kLinks,
                                               .rows = kBandwidthRows,
                                               .collect = &CollectBandwidth,
                                               .by_default = Default::kOff,
                                               .sleeps = kProfilingTime,
                                               .cost = kSleepsFor100Ms};

constexpr Collector kSioCollector = {.name = "sio",
                                     .topic = Topic::kLinks,
                                     .group = Group::kLinks,
                                     .rows = kSioRows,
                                     .collect = &CollectWith<&NpuDriver::ReadSio, kSioRows>};

}  // namespace ascend

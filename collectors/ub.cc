#include "collectors/all.h"
#include "collectors/key_labels.h"
#include "collectors/network_counters.h"

namespace ascend {
namespace {

using R = UbReading;
using C = UbCounter;

constexpr std::string_view kChips = "950";
constexpr Source kSource = {
    .dcmi = Source::kNone,
    .dcmiv2 = "dcmiv2_get_device_port_list_info, dcmiv2_get_port_pkt_stats_info",
    .tool = "hccn_tool -dev_info, hccn_tool -stat"};
constexpr FamilyText kReceivePackets = {"ascend_npu_ub_receive_packets_total",
                                        "Packets that the UB port received, by kind.",
                                        "UB 端口接收的报文数，按类型区分。"};
constexpr FamilyText kTransmitPackets = {"ascend_npu_ub_transmit_packets_total",
                                         "Packets that the UB port sent, by kind.",
                                         "UB 端口发送的报文数，按类型区分。"};
constexpr FamilyText kReceiveErrors = {"ascend_npu_ub_receive_errors_total",
                                       "Errors of what the UB port received, by kind.",
                                       "UB 端口接收方向的错误数，按类型区分。"};
constexpr FamilyText kTransmitErrors = {"ascend_npu_ub_transmit_errors_total",
                                        "Errors of what the UB port sent, by kind.",
                                        "UB 端口发送方向的错误数，按类型区分。"};

template <C kCounter>
consteval auto Total(FamilyText family, std::array<Label, 2> labels = {}) {
  return EachCounter<&R::ports, kCounter>({.name = family.name,
                                           .help = family.help,
                                           .zh = family.zh,
                                           .labels = labels,
                                           .chips = kChips,
                                           .source = kSource},
                                          &PortLabels);
}
template <C kCounter>
consteval auto Packets(FamilyText family, std::string_view kind) {
  return Total<kCounter>(family, {{{"kind", kind}}});
}
template <C kCounter>
consteval auto Dispatched(std::string_view target) {
  return Total<kCounter>({"ascend_npu_ub_receive_dispatch_packets_total",
                          "Packets that the UB port received and passed on, by target.",
                          "UB 端口接收后转发的报文数，按目的区分。"},
                         {{{"target", target}}});
}
template <C kCounter>
consteval auto Flits(std::string_view direction, std::string_view kind) {
  return Total<kCounter>({"ascend_npu_ub_flits_total", "Flits of the UB port.",
                          "UB 端口的 flit 数，按方向和类型区分。"},
                         {{{"direction", direction}, {"kind", kind}}});
}

constexpr auto kRows = RowsFor(
    EachMetric<&R::ports, &UbPort::up>(
        {.name = "ascend_npu_ub_port_up",
         .help = "Whether (1) or not (0) all lanes of the UB port are up.",
         .zh = "UB 端口的全部 lane 是否都已建链：1 是，0 否。",
         .chips = kChips,
         .source = {.dcmi = Source::kNone,
                    .dcmiv2 = "dcmiv2_get_ub_port_link_status",
                    .tool = "hccn_tool -dev_info"}},
        &PortLabels),
    Packets<C::kRxUbIpv4>(kReceivePackets, "ub_ipv4"),
    Packets<C::kRxUbIpv6>(kReceivePackets, "ub_ipv6"),
    Packets<C::kRxUnicIpv4>(kReceivePackets, "unic_ipv4"),
    Packets<C::kRxUnicIpv6>(kReceivePackets, "unic_ipv6"),
    Packets<C::kRxUbCompact>(kReceivePackets, "ub_compact"),
    Packets<C::kRxUmocCtph>(kReceivePackets, "ub_umoc_ctph"),
    Packets<C::kRxUmocNtph>(kReceivePackets, "ub_umoc_ntph"),
    Packets<C::kRxUbMem>(kReceivePackets, "ub_mem"),
    Packets<C::kRxUnknown>(kReceivePackets, "unknown"),
    Packets<C::kRxDropInd>(kReceiveErrors, "drop_ind"),
    Packets<C::kRxErrInd>(kReceiveErrors, "err_ind"),
    Packets<C::kRxRouteErr>(kReceiveErrors, "route_err"),
    Packets<C::kRxOutErr>(kReceiveErrors, "out_err"),
    Packets<C::kRxLengthErr>(kReceiveErrors, "length_err"),
    Packets<C::kTxUbIpv4>(kTransmitPackets, "ub_ipv4"),
    Packets<C::kTxUbIpv6>(kTransmitPackets, "ub_ipv6"),
    Packets<C::kTxUnicIpv4>(kTransmitPackets, "unic_ipv4"),
    Packets<C::kTxUnicIpv6>(kTransmitPackets, "unic_ipv6"),
    Packets<C::kTxUbCompact>(kTransmitPackets, "ub_compact"),
    Packets<C::kTxUmocCtph>(kTransmitPackets, "ub_umoc_ctph"),
    Packets<C::kTxUmocNtph>(kTransmitPackets, "ub_umoc_ntph"),
    Packets<C::kTxUbMem>(kTransmitPackets, "ub_mem"),
    Packets<C::kTxUnknown>(kTransmitPackets, "unknown"),
    Packets<C::kTxLpbkInd>(kTransmitPackets, "lpbk_ind"),
    Packets<C::kTxDropInd>(kTransmitErrors, "drop_ind"),
    Packets<C::kTxErrInd>(kTransmitErrors, "err_ind"),
    Packets<C::kTxOutErr>(kTransmitErrors, "out_err"),
    Packets<C::kTxLengthErr>(kTransmitErrors, "length_err"), Dispatched<C::kRxToHost>("to_host"),
    Dispatched<C::kRxToImp>("to_imp"), Dispatched<C::kRxToMar>("to_mar"),
    Dispatched<C::kRxToLink>("to_link"), Dispatched<C::kRxToNoc>("to_noc"),
    Flits<C::kRxBusiFlits>("receive", "busi"), Flits<C::kRxSendAckFlits>("receive", "send_ack"),
    Flits<C::kTxBusiFlits>("transmit", "busi"), Flits<C::kTxRecvAckFlits>("transmit", "recv_ack"),
    Total<C::kRetryRequests>({"ascend_npu_ub_retry_requests_total",
                              "Requests of the port to send again.", "UB 端口的重传请求数。"}),
    Total<C::kRetryAcks>({"ascend_npu_ub_retry_acks_total", "Answers to requests to send again.",
                          "UB 端口对重传请求的应答数。"}),
    Total<C::kCrcErrors>({"ascend_npu_ub_crc_errors_total",
                          "Packets with a wrong checksum at the port.",
                          "UB 端口 CRC 校验错误的报文数。"}),
    Total<C::kMibRxPause>(kReceivePauseFrames), Total<C::kMibTxPause>(kTransmitPauseFrames),
    Total<C::kMibRxPfc>(kReceivePfcFrames), Total<C::kMibTxPfc>(kTransmitPfcFrames),
    Total<C::kMibRxBadPackets>(kReceiveBadPackets), Total<C::kMibTxBadPackets>(kTransmitBadPackets),
    Total<C::kMibRxBadBytes>(kReceiveBadBytes), Total<C::kMibTxBadBytes>(kTransmitBadBytes));

}  // namespace

constexpr Collector kUbCollector = {.name = "ub",
                                    .topic = Topic::kNetwork,
                                    .group = Group::kLinks,
                                    .rows = kRows,
                                    .collect = &CollectWith<&NpuDriver::ReadUb, kRows>,
                                    .cost = {"a call, or a run of hccn_tool, for each port",
                                             "每个端口一次调用，或运行一次 hccn_tool"}};

}  // namespace ascend

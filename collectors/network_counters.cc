#include "collectors/network_counters.h"

#include "collectors/all.h"
#include "collectors/key_labels.h"

namespace ascend {
namespace {

using R = NetworkCountersReading;
using C = NetworkCounter;

constexpr std::string_view kChips = "910, 910B, 910C, 950";
constexpr Source kSource = {.dcmi = "dcmi_get_netdev_pkt_stats_info", .tool = "hccn_tool -stat"};
constexpr Source kToolOnly = {.tool = "hccn_tool -stat"};  // not in the struct of the library
constexpr std::string_view kPfcTransmit = "ascend_npu_network_transmit_pfc_priority_frames_total";
constexpr std::string_view kPfcReceive = "ascend_npu_network_receive_pfc_priority_frames_total";

template <C kCounter>
consteval auto Total(FamilyText family) {
  constexpr bool kInStruct = static_cast<std::size_t>(kCounter) < kNetworkStructCounters;
  return EachCounter<&R::ports, kCounter>({.name = family.name,
                                           .help = family.help,
                                           .zh = family.zh,
                                           .chips = kChips,
                                           .source = kInStruct ? kSource : kToolOnly},
                                          &PortLabels);
}

template <C kCounter>
consteval auto Priority(std::string_view name, std::string_view priority) {
  return EachCounter<&R::ports, kCounter>(
      {.name = name,
       .help = "Priority flow control frames of the MAC, by priority.",
       .zh = "MAC 的 PFC（优先级流控）帧数，按优先级区分。",
       .labels = {{{"priority", priority}}},
       .chips = kChips,
       .source = kSource,
       .option = "network_pfc_priority"},
      &PortLabels);
}

constexpr auto kRows = RowsFor(
    Total<C::kMacTxPackets>({"ascend_npu_network_transmit_packets_total", "Frames sent by the MAC.",
                             "MAC 发送的帧数。"}),
    Total<C::kMacTxBytes>({"ascend_npu_network_transmit_bytes_total", "Bytes sent by the MAC.",
                           "MAC 发送的字节数。"}),
    Total<C::kMacTxBadPackets>(kTransmitBadPackets), Total<C::kMacTxBadBytes>(kTransmitBadBytes),
    Total<C::kMacTxPause>(kTransmitPauseFrames), Total<C::kMacTxPfc>(kTransmitPfcFrames),
    Total<C::kMacRxPackets>({"ascend_npu_network_receive_packets_total",
                             "Frames received by the MAC.", "MAC 接收的帧数。"}),
    Total<C::kMacRxBytes>({"ascend_npu_network_receive_bytes_total", "Bytes received by the MAC.",
                           "MAC 接收的字节数。"}),
    Total<C::kMacRxBadPackets>(kReceiveBadPackets), Total<C::kMacRxBadBytes>(kReceiveBadBytes),
    Total<C::kMacRxPause>(kReceivePauseFrames), Total<C::kMacRxPfc>(kReceivePfcFrames),
    Total<C::kMacRxFcsErrors>({"ascend_npu_network_receive_fcs_errors_total",
                               "Frames received with a wrong checksum.",
                               "MAC 接收的 FCS 校验错误帧数。"}),
    Total<C::kRoceTxPackets>(
        {"ascend_npu_roce_transmit_packets_total", "RoCE packets sent.", "RoCE 发送的报文数。"}),
    Total<C::kRoceTxRcPackets>({"ascend_npu_roce_transmit_rc_packets_total",
                                "RoCE packets sent on reliable connections.",
                                "RoCE 在可靠连接（RC）上发送的报文数。"}),
    Total<C::kRoceTxErrorPackets>({"ascend_npu_roce_transmit_error_packets_total",
                                   "RoCE packets sent in error.", "RoCE 发送的错误报文数。"}),
    Total<C::kRoceTxCnpPackets>({"ascend_npu_roce_transmit_cnp_packets_total",
                                 "Congestion notifications sent.",
                                 "RoCE 发送的拥塞通知（CNP）报文数。"}),
    Total<C::kRoceRxPackets>(
        {"ascend_npu_roce_receive_packets_total", "RoCE packets received.", "RoCE 接收的报文数。"}),
    Total<C::kRoceRxRcPackets>({"ascend_npu_roce_receive_rc_packets_total",
                                "RoCE packets received on reliable connections.",
                                "RoCE 在可靠连接（RC）上接收的报文数。"}),
    Total<C::kRoceRxErrorPackets>({"ascend_npu_roce_receive_error_packets_total",
                                   "RoCE packets received in error.", "RoCE 接收的错误报文数。"}),
    Total<C::kRoceRxCnpPackets>({"ascend_npu_roce_receive_cnp_packets_total",
                                 "Congestion notifications received.",
                                 "RoCE 接收的拥塞通知（CNP）报文数。"}),
    Total<C::kRoceCompletions>({"ascend_npu_roce_completions_total",
                                "Completions of RoCE operations.", "RoCE 操作完成（CQE）数。"}),
    Total<C::kRoceRetries>({"ascend_npu_roce_retries_total", "RoCE packets that were sent again.",
                            "RoCE 重传的报文数。"}),
    Total<C::kRoceOutOfOrder>({"ascend_npu_roce_out_of_order_total",
                               "RoCE packets that came out of order.", "RoCE 乱序到达的报文数。"}),
    Total<C::kRoceUnexpectedAcks>({"ascend_npu_roce_unexpected_acks_total",
                                   "RoCE acknowledgements that nobody waited for.",
                                   "RoCE 收到的非预期 ACK 数。"}),
    Total<C::kRoceAckErrors>({"ascend_npu_roce_ack_errors_total", "RoCE acknowledgements in error.",
                              "RoCE 错误的 ACK 数。"}),
    Total<C::kRocePsnErrors>({"ascend_npu_roce_psn_errors_total",
                              "RoCE packets with a wrong sequence number.",
                              "RoCE 报文序列号（PSN）错误的报文数。"}),
    Total<C::kRoceVerificationErrors>({"ascend_npu_roce_verification_errors_total",
                                       "RoCE packets that failed verification.",
                                       "RoCE 校验失败的报文数。"}),
    Total<C::kRoceQpStatusErrors>({"ascend_npu_roce_qp_status_errors_total",
                                   "RoCE packets for a queue pair in a wrong state.",
                                   "RoCE 队列对（QP）状态异常的报文数。"}),
    Total<C::kRoceEcnMarked>({"ascend_npu_roce_ecn_marked_total",
                              "RoCE packets with a mark of congestion.",
                              "带有拥塞标记（ECN）的 RoCE 报文数。"}),
    Total<C::kNicTxPackets>({"ascend_npu_nic_transmit_packets_total", "Packets sent by the NIC.",
                             "NIC 发送的报文数。"}),
    Total<C::kNicTxBytes>(
        {"ascend_npu_nic_transmit_bytes_total", "Bytes sent by the NIC.", "NIC 发送的字节数。"}),
    Total<C::kNicRxPackets>({"ascend_npu_nic_receive_packets_total", "Packets received by the NIC.",
                             "NIC 接收的报文数。"}),
    Total<C::kNicRxBytes>(
        {"ascend_npu_nic_receive_bytes_total", "Bytes received by the NIC.", "NIC 接收的字节数。"}),
    Priority<C::kMacTxPfc0>(kPfcTransmit, "0"), Priority<C::kMacTxPfc1>(kPfcTransmit, "1"),
    Priority<C::kMacTxPfc2>(kPfcTransmit, "2"), Priority<C::kMacTxPfc3>(kPfcTransmit, "3"),
    Priority<C::kMacTxPfc4>(kPfcTransmit, "4"), Priority<C::kMacTxPfc5>(kPfcTransmit, "5"),
    Priority<C::kMacTxPfc6>(kPfcTransmit, "6"), Priority<C::kMacTxPfc7>(kPfcTransmit, "7"),
    Priority<C::kMacRxPfc0>(kPfcReceive, "0"), Priority<C::kMacRxPfc1>(kPfcReceive, "1"),
    Priority<C::kMacRxPfc2>(kPfcReceive, "2"), Priority<C::kMacRxPfc3>(kPfcReceive, "3"),
    Priority<C::kMacRxPfc4>(kPfcReceive, "4"), Priority<C::kMacRxPfc5>(kPfcReceive, "5"),
    Priority<C::kMacRxPfc6>(kPfcReceive, "6"), Priority<C::kMacRxPfc7>(kPfcReceive, "7"));

}  // namespace

constexpr Collector kNetworkCountersCollector = {
    .name = "network_counters",
    .topic = Topic::kNetwork,
    .group = Group::kLinks,
    .rows = kRows,
    .collect = &CollectWith<&NpuDriver::ReadNetworkCounters, kRows>,
    .cost = {"a call; a run of hccn_tool where the library lacks it",
             "一次调用；厂商库不支持时运行一次 hccn_tool"}};

}  // namespace ascend

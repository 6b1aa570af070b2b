// Families of the network that more than one collector fills.
#pragma once

#include <string_view>

namespace ascend {

struct FamilyText {
  std::string_view name, help, zh;
};

inline constexpr FamilyText kTransmitBadPackets = {"ascend_npu_network_transmit_bad_packets_total",
                                                   "Broken frames sent by the MAC.",
                                                   "MAC 发送的错误帧数。"};
inline constexpr FamilyText kTransmitBadBytes = {"ascend_npu_network_transmit_bad_bytes_total",
                                                 "Bytes of broken frames sent by the MAC.",
                                                 "MAC 发送的错误帧字节数。"};
inline constexpr FamilyText kTransmitPauseFrames = {
    "ascend_npu_network_transmit_pause_frames_total", "Pause frames sent by the MAC.",
    "MAC 发送的 pause 帧数。"};
inline constexpr FamilyText kTransmitPfcFrames = {"ascend_npu_network_transmit_pfc_frames_total",
                                                  "Priority flow control frames sent by the MAC.",
                                                  "MAC 发送的 PFC（优先级流控）帧数。"};
inline constexpr FamilyText kReceiveBadPackets = {"ascend_npu_network_receive_bad_packets_total",
                                                  "Broken frames received by the MAC.",
                                                  "MAC 接收的错误帧数。"};
inline constexpr FamilyText kReceiveBadBytes = {"ascend_npu_network_receive_bad_bytes_total",
                                                "Bytes of broken frames received by the MAC.",
                                                "MAC 接收的错误帧字节数。"};
inline constexpr FamilyText kReceivePauseFrames = {"ascend_npu_network_receive_pause_frames_total",
                                                   "Pause frames received by the MAC.",
                                                   "MAC 接收的 pause 帧数。"};
inline constexpr FamilyText kReceivePfcFrames = {
    "ascend_npu_network_receive_pfc_frames_total",
    "Priority flow control frames received by the MAC.", "MAC 接收的 PFC（优先级流控）帧数。"};

}  // namespace ascend

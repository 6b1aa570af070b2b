// How fast the counters of a busy port grow; those that are not listed stand still.
#pragma once

#include <array>

#include "hal/network_readings.h"
#include "hal/sim/growth.h"

namespace ascend::sim {

// Of a port with 200 Gbit/s whose job sends messages of 4 KiB; the control plane sends a few
// packets a second all the time.
inline constexpr double kPortTransmitted = 15.4e9;  // bytes per second at full load
inline constexpr double kPortReceived = 15.1e9;

struct NetworkRate {
  NetworkCounter counter;
  Rate rate;
};
inline constexpr std::array<NetworkRate, 24> kNetworkRates = {
    {{NetworkCounter::kMacTxPfc, {.working = 3}},
     {NetworkCounter::kMacTxPfc4, {.working = 3}},
     {NetworkCounter::kMacRxPfc, {.working = 2}},
     {NetworkCounter::kMacRxPfc4, {.working = 2}},
     {NetworkCounter::kMacTxPackets, {.working = 3.67e6, .always = 20}},
     {NetworkCounter::kMacTxBytes, {.working = kPortTransmitted, .always = 2400}},
     {NetworkCounter::kMacRxPackets, {.working = 3.6e6, .always = 25}},
     {NetworkCounter::kMacRxBytes, {.working = kPortReceived, .always = 3100}},
     {NetworkCounter::kRoceTxPackets, {.working = 3.66e6}},
     {NetworkCounter::kRoceTxRcPackets, {.working = 3.659e6}},
     {NetworkCounter::kRoceRxPackets, {.working = 3.59e6}},
     {NetworkCounter::kRoceRxRcPackets, {.working = 3.589e6}},
     {NetworkCounter::kRoceCompletions, {.working = 57e3}},
     {NetworkCounter::kRoceTxCnpPackets, {.working = 12}},
     {NetworkCounter::kRoceRxCnpPackets, {.working = 9}},
     {NetworkCounter::kRoceEcnMarked, {.working = 12}},
     {NetworkCounter::kRoceRetries, {.working = 0.02}},
     {NetworkCounter::kRoceOutOfOrder, {.working = 0.05}},
     {NetworkCounter::kRoceUnexpectedAcks, {.working = 0.01}},
     {NetworkCounter::kRocePsnErrors, {.working = 0.01}},
     {NetworkCounter::kNicTxPackets, {.always = 20}},
     {NetworkCounter::kNicTxBytes, {.always = 2400}},
     {NetworkCounter::kNicRxPackets, {.always = 25}},
     {NetworkCounter::kNicRxBytes, {.always = 3100}}}};

struct UbRate {
  UbCounter counter;
  Rate rate;
};
inline constexpr std::array<UbRate, 16> kUbRates = {
    {{UbCounter::kRxUbCompact, {.working = 2.1e6}},
     {UbCounter::kRxUbMem, {.working = 5.2e6}},
     {UbCounter::kRxUnicIpv4, {.always = 25}},
     {UbCounter::kRxToHost, {.working = 1e5, .always = 25}},
     {UbCounter::kRxToNoc, {.working = 7.2e6}},
     {UbCounter::kRxBusiFlits, {.working = 2.9e8, .always = 150}},
     {UbCounter::kRxSendAckFlits, {.working = 7.3e6, .always = 25}},
     {UbCounter::kTxUbCompact, {.working = 2.2e6}},
     {UbCounter::kTxUbMem, {.working = 5.3e6}},
     {UbCounter::kTxUnicIpv4, {.always = 20}},
     {UbCounter::kTxBusiFlits, {.working = 3e8, .always = 120}},
     {UbCounter::kTxRecvAckFlits, {.working = 7.5e6, .always = 20}},
     {UbCounter::kRetryRequests, {.working = 0.01}},
     {UbCounter::kRetryAcks, {.working = 0.01}},
     {UbCounter::kMibRxPfc, {.working = 2}},
     {UbCounter::kMibTxPfc, {.working = 3}}}};

}  // namespace ascend::sim

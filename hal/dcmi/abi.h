// The vendor's numbers as libdcmi.so takes and gives them, and room for its answers. The structs
// are in abi_*.h (LP64, natural alignment). Only the drivers of this folder include them; the names
// of their fields are the vendor's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ascend::dcmi {

// Capacities of the library's lists.
inline constexpr int kMaxCards = 64;
inline constexpr int kMaxDevicesPerCard = 8;   // the vendor's boards have up to 4
inline constexpr int kMaxDevices = 256;        // logic ids of one machine are below
inline constexpr int kMaxDeviceNumber = 4096;  // logic and physical ids are below

// dcmi_unit_type, and dcmi_die_type: what all chips but 950 answer, and what only 950 answers.
inline constexpr int kNpuUnit = 0;
inline constexpr int kVdie = 1;
inline constexpr int kDdie = 2;

// input_type of dcmi_get_device_utilization_rate.
inline constexpr int kRateAicore = 2;
inline constexpr int kRateAicpu = 3;
inline constexpr int kRateCtrlcpu = 4;
inline constexpr int kRateDdrBandwidth = 5;
inline constexpr int kRateHbm = 6;
inline constexpr int kRateVector = 12;

// input_type of dcmi_get_device_ecc_info.
inline constexpr int kEccDdr = 0;
inline constexpr int kEccSram = 1;
inline constexpr int kEccHbm = 2;
inline constexpr int kEccNpu = 3;

// dcmi_freq_type.
inline constexpr int kFrequencyDdr = 1;
inline constexpr int kFrequencyCtrlcpu = 2;
inline constexpr int kFrequencyHbm = 6;
inline constexpr int kFrequencyAicore = 7;
inline constexpr int kFrequencyAicoreMax = 9;
inline constexpr int kFrequencyVectorcore = 12;

// dcmi_manager_sensor_id of the sensors that measure heat.
inline constexpr int kSensorCluster = 0;
inline constexpr int kSensorPeripheral = 1;
inline constexpr int kSensorAicore = 2;
inline constexpr int kSensorNtc = 10;  // four of them
inline constexpr int kNoSuchNtc = 0x7ffd;
inline constexpr int kSensorSoc = 11;
inline constexpr int kSensorFp = 12;
inline constexpr int kSensorNDie = 13;
inline constexpr int kSensorHbm = 14;

// dcmi_device_compat.
inline constexpr int kCompatible = 1;
inline constexpr int kIncompatible = 2;
inline constexpr int kCompatibilityUnknown = 3;

// dcmi_rdfx_detect_result.
inline constexpr int kNetworkOk = 0;
inline constexpr int kNetworkLastFault = 5;  // from 1: no socket, no answer, unreachable, ...
inline constexpr int kNetworkLast = 127;     // more is no result

// Positions in the results of dcmi_get_topo_info_by_device_id; kTopologySelf is the device itself.
inline constexpr int kTopologySelf = 0;

// One item of dcmi_get_device_info: dcmi_main_cmd and sub_cmd.
struct InfoItem {
  int main_cmd;
  unsigned int sub_cmd;
};
inline constexpr InfoItem kThrottleItem = {8, 9};       // LP, 64 bits
inline constexpr InfoItem kRatedPowerItem = {8, 10};    // LP, LpPowerInfo
inline constexpr InfoItem kAicoresItem = {11, 0};       // TS, a byte for each core
inline constexpr InfoItem kVectorCoresItem = {11, 1};   // TS, a byte for each core
inline constexpr InfoItem kSuperPodItem = {12, 1};      // CHIP_INF, SpodInfo
inline constexpr InfoItem kHccsStatusItem = {16, 0};    // HccsStatues
inline constexpr InfoItem kHccsLanesItem = {16, 1};     // HccsLaneInfo
inline constexpr InfoItem kHccsCounts32Item = {16, 3};  // HccsStatisticInfo
inline constexpr InfoItem kHccsCounts64Item = {16, 5};  // HccsStatisticInfoU64
inline constexpr InfoItem kVdevItem = {52, 0};          // VDEV_MNG, VdevQuery
inline constexpr InfoItem kVdevsItem = {52, 1};         // VDEV_MNG, SocTotalResource
inline constexpr InfoItem kVdevLoadItem = {52, 5};      // VDEV_MNG, VdevQuery
inline constexpr InfoItem kSioItem = {56, 0};           // SioCrcErrStatisticsInfo

// Room for an answer, with slack behind it: a newer library may write a longer struct.
template <class T>
struct Room {
  static constexpr int kOnes = 0xFF;   // a number that the library leaves alone reads as "no value"
  static constexpr int kZeros = 0x00;  // text that the library leaves alone reads as empty
  explicit Room(int fill) { std::memset(static_cast<void*>(this), fill, sizeof(*this)); }
  T value;
  std::array<std::byte, 512> slack;
};

}  // namespace ascend::dcmi

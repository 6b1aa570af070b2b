#include "collectors/all.h"

#include <array>

namespace ascend {

std::span<const Collector* const> AllCollectors() {
  static constexpr std::array kAll = {
      &kIdentityCollector,
      &kHealthCollector,
      &kFaultsCollector,
      &kTemperatureCollector,
      &kPowerCollector,
      &kCardPowerCollector,
      &kUtilizationCollector,
      &kHbmCollector,
      &kThrottleCollector,
      &kDdrCollector,
      &kEccCollector,
      &kVoltageCollector,
      &kClocksCollector,
      &kSensorsCollector,
      &kCoresCollector,
      &kMediaCollector,
      &kFansCollector,
      &kVnpusCollector,
      &kProcessesCollector,
      &kHccsCollector,
      &kSioCollector,
      &kPcieCollector,
      &kNetworkCountersCollector,
      &kUbCollector,
      &kHccsBandwidthCollector,
      &kPcieBandwidthCollector,
      &kNetworkLinkCollector,
      &kOpticalCollector,
      &kNetworkHealthCollector,
      &kNetworkBandwidthCollector,
      &kPowerLimitCollector,
      &kCompatibilityCollector,
      &kTopologyCollector,
      &kCpuAffinityCollector,
      &kSuperPodCollector,
  };
  return kAll;
}

}  // namespace ascend

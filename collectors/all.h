// Every collector, by name. A new one is declared here and listed in all.cc.
#pragma once

#include "collectors/collector.h"

namespace ascend {

extern const Collector kIdentityCollector;
extern const Collector kHealthCollector;
extern const Collector kFaultsCollector;
extern const Collector kTemperatureCollector;
extern const Collector kPowerCollector;
extern const Collector kCardPowerCollector;
extern const Collector kUtilizationCollector;
extern const Collector kHbmCollector;
extern const Collector kThrottleCollector;
extern const Collector kDdrCollector;
extern const Collector kEccCollector;
extern const Collector kVoltageCollector;
extern const Collector kClocksCollector;
extern const Collector kSensorsCollector;
extern const Collector kCoresCollector;
extern const Collector kMediaCollector;
extern const Collector kFansCollector;
extern const Collector kVnpusCollector;
extern const Collector kProcessesCollector;
extern const Collector kHccsCollector;
extern const Collector kSioCollector;
extern const Collector kPcieCollector;
extern const Collector kNetworkCountersCollector;
extern const Collector kUbCollector;
extern const Collector kHccsBandwidthCollector;
extern const Collector kPcieBandwidthCollector;
extern const Collector kNetworkLinkCollector;
extern const Collector kOpticalCollector;
extern const Collector kNetworkHealthCollector;
extern const Collector kNetworkBandwidthCollector;
extern const Collector kPowerLimitCollector;
extern const Collector kCompatibilityCollector;
extern const Collector kTopologyCollector;
extern const Collector kCpuAffinityCollector;
extern const Collector kSuperPodCollector;

}  // namespace ascend

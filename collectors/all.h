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
extern const Collector kDdrCollector;
extern const Collector kEccCollector;
extern const Collector kProcessesCollector;

}  // namespace ascend

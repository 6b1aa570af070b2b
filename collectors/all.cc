#include "collectors/all.h"

#include <array>

namespace ascend {

std::span<const Collector* const> AllCollectors() {
  static constexpr std::array kAll = {
      &kIdentityCollector, &kHealthCollector,    &kFaultsCollector,      &kTemperatureCollector,
      &kPowerCollector,    &kCardPowerCollector, &kUtilizationCollector, &kHbmCollector,
      &kDdrCollector,      &kEccCollector,       &kProcessesCollector,
  };
  return kAll;
}

}  // namespace ascend

#include "exporter/compose/drivers.h"
#include "hal/open.h"

namespace ascend {

std::vector<DriverCandidate> SimulatedDriver(const Settings& settings, Clock& clock) {
  return {{"sim", [options = SimOptions{.scenario = settings.sim_scenario}, &clock] {
             return OpenSim(options, clock);
           }}};
}

}  // namespace ascend

#include "exporter/compose.h"

#include "hal/open.h"

namespace ascend {

std::vector<DriverCandidate> Candidates(const Settings& settings, Clock& clock) {
  const DriverCandidate dcmi = {
      "dcmi", [options = DcmiOptions{.library = settings.dcmi_library,
                                     .allow_untrusted = settings.dcmi_allow_untrusted_library}] {
        return OpenDcmi(options);
      }};
  const DriverCandidate npu_smi = {
      "npu_smi", [options = NpuSmiOptions{.path = settings.npu_smi_path}, &clock] {
        return OpenNpuSmi(options, clock);
      }};
  const DriverCandidate sim = {"sim", [options = SimOptions{.scenario = settings.sim_scenario},
                                       &clock] { return OpenSim(options, clock); }};
  if (settings.driver == "sim") return {sim};
  if (settings.driver == "dcmi") return {dcmi};
  if (settings.driver == "npu-smi") return {npu_smi};
  return {dcmi, npu_smi};
}

DiscoveryOptions MakeDiscoveryOptions(const Settings& settings) {
  DiscoveryOptions options;
  options.sampling.periods = {settings.fast_period, settings.health_period, settings.memory_period,
                              settings.identity_period};
  options.sampling.deadlines = {settings.fast_deadline, settings.health_deadline,
                                settings.memory_deadline, settings.identity_deadline};
  options.period = settings.discovery_period;
  options.lost_retention = settings.lost_retention;
  options.expected_devices = settings.devices_expected;
  return options;
}

}  // namespace ascend

#include "exporter/compose.h"

#include "hal/open.h"

namespace ascend {

std::vector<DriverCandidate> Candidates(const Settings& settings, Clock& clock) {
  const DcmiOptions dcmi_options = {.library = settings.dcmi_library,
                                    .allow_untrusted = settings.dcmi_allow_untrusted_library,
                                    .sysfs = settings.sysfs_path,
                                    .hccn_path = settings.hccn_tool_path};
  const NpuSmiOptions smi_options = {.path = settings.npu_smi_path,
                                     .sysfs = settings.sysfs_path,
                                     .hccn_path = settings.hccn_tool_path};
  const DriverCandidate dcmi = {"dcmi",
                                [dcmi_options, &clock] { return OpenDcmi(dcmi_options, clock); }};
  const DriverCandidate npu_smi = {
      "npu_smi", [smi_options, &clock] { return OpenNpuSmi(smi_options, clock); }};
  const DriverCandidate sim = {"sim", [options = SimOptions{.scenario = settings.sim_scenario},
                                       &clock] { return OpenSim(options, clock); }};
  if (settings.driver == "sim") return {sim};
  if (settings.driver == "dcmi") return {dcmi};
  if (settings.driver == "npu-smi") return {npu_smi};
  return {dcmi, npu_smi};
}

DiscoveryOptions MakeDiscoveryOptions(const Settings& settings) {
  DiscoveryOptions options;
  options.sampling.periods = {settings.fast_period,    settings.health_period,
                              settings.memory_period,  settings.links_period,
                              settings.network_period, settings.identity_period};
  options.sampling.deadlines = {settings.fast_deadline,    settings.health_deadline,
                                settings.memory_deadline,  settings.links_deadline,
                                settings.network_deadline, settings.identity_deadline};
  options.sampling.window = settings.window;
  options.period = settings.discovery_period;
  options.lost_retention = settings.lost_retention;
  options.expected_devices = settings.devices_expected;
  return options;
}

}  // namespace ascend

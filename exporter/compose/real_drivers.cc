#include "exporter/compose/drivers.h"
#include "hal/open.h"

namespace ascend {

std::vector<DriverCandidate> RealDrivers(const Settings& settings, Clock& clock) {
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
  if (settings.driver == "dcmi") return {dcmi};
  if (settings.driver == "npu-smi") return {npu_smi};
  return {dcmi, npu_smi};
}

}  // namespace ascend

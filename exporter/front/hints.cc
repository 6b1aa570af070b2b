#include "exporter/front/hints.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

namespace ascend {

void SayHints(const Settings& settings) {
  if (settings.driver == "sim") {
    spdlog::warn("values are simulated: --driver=sim, scenario {}", settings.sim_scenario);
  } else if (geteuid() != 0) {
    spdlog::warn("running as uid {}: the kernel driver lets only root see every chip", geteuid());
  }
  if (settings.hccn_tool_path.empty()) return;
  if (access(settings.hccn_tool_path.c_str(), X_OK) == 0) return;
  spdlog::warn(
      "--hccn-tool.path: {} cannot be run; without it there are no network links and "
      "optical modules",
      settings.hccn_tool_path);
}

}  // namespace ascend

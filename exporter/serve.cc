#include "exporter/serve.h"

#include <signal.h>

#include <cstdlib>

#include "collectors/selection.h"
#include "exporter/become_supervisor.h"
#include "exporter/log.h"
#include "exporter/serve_alone.h"
#include "exporter/standard_streams.h"
#include "hal/open.h"

namespace ascend {
namespace {

// What only the parts can judge. A scenario is configuration: a broken one ends the program, as a
// broken flag does.
absl::Status Check(const Settings& settings) {
  const auto catalog = SelectedCatalog(settings.collectors_enabled, settings.collectors_disabled);
  if (!catalog.ok()) return catalog.status();
  if (settings.driver != "sim") return absl::OkStatus();
  return OpenSim({.scenario = settings.sim_scenario}, RealClock()).status();
}

}  // namespace

int Serve(const Settings& settings, char** argv) {
  signal(SIGPIPE, SIG_IGN);  // who reads the log may go away
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like any other
  StartLogging(settings.log_level, settings.log_format);
  if (absl::Status status = Check(settings); !status.ok()) return Fail(status);
  if (IsSettingsReader()) return WriteSettings(settings);
  if (settings.isolation == "none") return ServeAlone(settings);
  return Fail(BecomeSupervisor(settings, argv));
}

}  // namespace ascend

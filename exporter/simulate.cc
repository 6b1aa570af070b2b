#include "exporter/simulate.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "exporter/compose.h"
#include "exporter/engine/engine.h"
#include "exporter/log.h"
#include "exporter/page/encoder.h"
#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {
namespace {

// False if standard output is gone.
bool PrintPage(VirtualClock& clock, const SnapshotStore& store) {
  const std::shared_ptr<const Snapshot> snapshot = store.Load();
  std::string page = fmt::format(
      "# simulated time {}\n",
      std::string(absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", clock.Wall(), absl::UTCTimeZone())));
  if (snapshot != nullptr) EncodeText(*snapshot, page);
  page += '\n';
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size();
}

}  // namespace

int Simulate(const Invocation& invocation) {
  Settings settings = invocation.settings;
  settings.driver = "sim";
  StartLogging(settings.log_level, settings.log_format);
  VirtualClock clock;
  if (const auto driver = OpenSim({.scenario = settings.sim_scenario}, clock); !driver.ok()) {
    fmt::print(stderr, "ascend-exporter: {}\n", std::string(driver.status().message()));
    return EXIT_FAILURE;
  }
  OwnMetrics own;
  SnapshotStore store;
  Engine engine(MakeDiscoveryOptions(settings), Candidates(settings, clock), clock, own, store);
  bool printed = true;
  for (nanoseconds passed{0}; printed && passed < invocation.simulate_for;
       passed += invocation.simulate_every) {
    clock.Advance(invocation.simulate_every);
    printed = PrintPage(clock, store);
  }
  printed = std::fflush(stdout) == 0 && printed;
  return engine.Stop() && printed ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace ascend

#include "exporter/simulate.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "collectors/selection.h"
#include "exporter/compose/drivers.h"
#include "exporter/compose/options.h"
#include "exporter/engine/engine.h"
#include "exporter/log.h"
#include "exporter/page/encoder.h"
#include "exporter/standard_streams.h"
#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {
namespace {

absl::Status PrintPage(VirtualClock& clock, const SnapshotStore& store) {
  const std::shared_ptr<const Snapshot> snapshot = store.Load();
  std::string page = fmt::format(
      "# simulated time {}\n",
      std::string(absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", clock.Wall(), absl::UTCTimeZone())));
  if (snapshot != nullptr) EncodeText(*snapshot, page);
  page += '\n';
  return Print(page);
}

}  // namespace

int Simulate(const Invocation& invocation) {
  Settings settings = invocation.settings;
  settings.driver = "sim";
  StartLogging(settings.log_level, settings.log_format);
  VirtualClock clock;
  if (const auto driver = OpenSim({.scenario = settings.sim_scenario}, clock); !driver.ok()) {
    return Fail(driver.status());
  }
  const auto catalog = SelectedCatalog(settings.collectors_enabled, settings.collectors_disabled);
  if (!catalog.ok()) return Fail(catalog.status());
  OwnMetrics own;
  SnapshotStore store;
  Engine engine(*catalog, MakeEngineOptions(settings), SimulatedDriver(settings, clock), clock, own,
                store);
  absl::Status printed;
  for (nanoseconds passed{0}; printed.ok() && passed < invocation.simulate_for;
       passed += invocation.simulate_every) {
    clock.Advance(invocation.simulate_every);
    printed = PrintPage(clock, store);
  }
  const bool all_returned = engine.Stop();
  if (!printed.ok()) return Fail(printed);
  return all_returned ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace ascend

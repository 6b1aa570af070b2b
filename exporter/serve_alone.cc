#include "exporter/serve_alone.h"

#include <pthread.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <thread>

#include "collectors/selection.h"
#include "exporter/compose/drivers.h"
#include "exporter/compose/options.h"
#include "exporter/engine/engine.h"
#include "exporter/front/hints.h"
#include "exporter/front/web.h"
#include "exporter/standard_streams.h"

namespace ascend {
namespace {

// Signals that end the program are taken by one thread; every other one has them blocked. Who reads
// the log may go away without ending it, and there is nothing to reload, release or acquire.
sigset_t PrepareSignals() {
  for (const int ignored : {SIGPIPE, SIGHUP, SIGUSR1, SIGUSR2}) signal(ignored, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

}  // namespace

int ServeAlone(const Settings& settings) {
  const sigset_t termination = PrepareSignals();
  Clock& clock = RealClock();
  const auto catalog = SelectedCatalog(settings.collectors_enabled, settings.collectors_disabled);
  if (!catalog.ok()) return Fail(catalog.status());
  OwnMetrics own;
  SetBuildInfo(own);
  SnapshotStore store;
  std::optional<Engine> engine;
  const auto web = Web::Listen(
      settings, {.catalog = *catalog, .store = &store, .own = &own, .refresh = [&engine] {
                   engine->Refresh();
                 }});
  if (!web.ok()) return Fail(web.status());
  SayHints(settings);
  engine.emplace(
      *catalog, MakeEngineOptions(settings),
      settings.driver == "sim" ? SimulatedDriver(settings, clock) : RealDrivers(settings, clock),
      clock, own, store);
  std::jthread waiter([&] {
    int signal = 0;
    sigwait(&termination, &signal);
    (*web)->Stop();
    spdlog::info("stopping on signal {}", signal);
  });
  (*web)->Run();
  if (!engine->Stop()) {
    // A thread inside the vendor's library may run on: nothing that it could meet is destroyed, the
    // log neither. The log holds nothing back, so nothing of it is lost.
    spdlog::warn("a driver call has not returned; ending without it");
    _exit(EXIT_SUCCESS);
  }
  return EXIT_SUCCESS;
}

}  // namespace ascend

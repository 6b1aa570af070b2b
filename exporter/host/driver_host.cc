#include "exporter/host/driver_host.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "collectors/selection.h"
#include "exporter/border/berth.h"
#include "exporter/compose/options.h"
#include "exporter/engine/sampling.h"
#include "exporter/host/crash_handler.h"
#include "exporter/host/no_network.h"
#include "exporter/log.h"
#include "exporter/settings/read_packed.h"
#include "exporter/small_heap.h"
#include "exporter/standard_streams.h"
#include "exporter/supervisor/protocol.h"

namespace ascend {
namespace {

// How long tools that run get to be killed; nothing else is waited for.
constexpr auto kStopPatience = std::chrono::milliseconds(200);

sigset_t BlockSignals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int taken : {SIGTERM, SIGINT, SIGUSR1, SIGUSR2}) sigaddset(&signals, taken);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// The supervisor holds the other end. When it has died nobody would end this process: it does so
// itself, even while a call hangs.
void EndWithSupervisor() {
  std::thread([] {
    char nothing = 0;
    while (read(supervisor::kLifeFd, &nothing, 1) < 0 && errno == EINTR) {
    }
    AllowExit();
    _exit(EXIT_FAILURE);
  }).detach();
}

std::shared_ptr<void> EnterThread(int channel) {
  SetThreadChannel(channel);
  return std::make_shared<AlternateStack>();
}

// Until a signal says to end.
void Obey(const sigset_t& signals, Sampling& sampling) {
  int signal = 0;
  while (sigwait(&signals, &signal) != 0 || signal == SIGUSR1 || signal == SIGUSR2) {
    if (signal == SIGUSR1) sampling.Refresh();
    if (signal == SIGUSR2) sampling.Look();
  }
}

}  // namespace

int RunDriverHost(MakeDrivers make_drivers) {
  KeepHeapSmall();
  const sigset_t signals = BlockSignals();
  const absl::StatusOr<Settings> settings = ReadPackedSettings(supervisor::kSettingsFd);
  if (!settings.ok()) return Fail(settings.status());
  StartLogging(settings->log_level, settings->log_format);
  EndWithSupervisor();
  const auto berth = MapBerth(supervisor::kHostBerthFd);
  if (!berth.ok()) return Fail(berth.status());
  const auto board = MapBoard(supervisor::kBoardFd);
  if (!board.ok()) return Fail(board.status());
  const auto catalog = SelectedCatalog(settings->collectors_enabled, settings->collectors_disabled);
  if (!catalog.ok()) return Fail(catalog.status());
  InstallCrashHandler((*berth)->crash);
  if (const absl::Status denied = DenyNetwork(); !denied.ok()) {
    spdlog::warn("the driver host keeps its network: {}", std::string(denied.message()));
  }
  Clock& clock = RealClock();
  Sampling sampling({.catalog = *catalog,
                     .berth = *berth,
                     .board = *board,
                     .wake_publisher = [board = *board] { Wake(board->bell); },
                     .enter_thread = EnterThread,
                     .clock = &clock},
                    MakeDiscoveryOptions(*settings), make_drivers(*settings, clock));
  Obey(signals, sampling);
  // Devices may be inside calls that never return, and the library's threads in its memory: nothing
  // is destroyed. It is all in memory that the front holds.
  sampling.Stop(std::chrono::steady_clock::now() + kStopPatience);
  AllowExit();
  _exit(EXIT_SUCCESS);
}

}  // namespace ascend

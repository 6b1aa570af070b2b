#include "exporter/front/front.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "collectors/selection.h"
#include "exporter/border/berth.h"
#include "exporter/compose/options.h"
#include "exporter/engine/publisher.h"
#include "exporter/front/hints.h"
#include "exporter/front/host_director.h"
#include "exporter/front/privileges.h"
#include "exporter/front/service_notify.h"
#include "exporter/front/supervisor_link.h"
#include "exporter/front/syscall_filter.h"
#include "exporter/front/web.h"
#include "exporter/log.h"
#include "exporter/settings/read_packed.h"
#include "exporter/small_heap.h"
#include "exporter/standard_streams.h"

namespace ascend {
namespace {

sigset_t BlockSignals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// "BERTH:PID:GENERATION,..." by generation.
std::vector<std::pair<int, pid_t>> ParseHosts(std::string_view text) {
  std::vector<std::pair<unsigned, std::pair<int, pid_t>>> hosts;
  for (std::string rest(text); !rest.empty();) {
    unsigned berth = 0, generation = 0;
    int pid = 0;
    if (std::sscanf(rest.c_str(), "%u:%d:%u", &berth, &pid, &generation) != 3) break;
    if (berth < supervisor::kBerths) hosts.push_back({generation, {static_cast<int>(berth), pid}});
    const std::size_t comma = rest.find(',');
    rest.erase(0, comma == std::string::npos ? rest.size() : comma + 1);
  }
  std::ranges::sort(hosts);
  std::vector<std::pair<int, pid_t>> sorted;
  for (const auto& host : hosts) sorted.push_back(host.second);
  return sorted;
}

absl::StatusOr<HostDirector::Berths> MapBerths() {
  HostDirector::Berths berths;
  for (std::uint32_t i = 0; i < supervisor::kBerths; ++i) {
    auto berth = MapBerth(supervisor::kFirstBerthFd + static_cast<int>(i));
    if (!berth.ok()) return berth.status();
    berths[i] = *std::move(berth);
  }
  return berths;
}

// The last point at which anything needs a right.
absl::Status GiveUpRights(const Settings& settings) {
  const absl::StatusOr<std::string> now = DropPrivileges({.user = settings.front_user});
  if (!now.ok()) return now.status();
  const absl::Status filtered = InstallSyscallFilter();
  spdlog::info("front: {}{}", *now, filtered.ok() ? ", with a system call filter" : "");
  if (!filtered.ok()) {
    spdlog::warn("front: no system call filter: {}", std::string(filtered.message()));
  }
  return absl::OkStatus();
}

// The service manager's watchdog is fed while both the publisher and the event loop run.
class Watchdog {
 public:
  Watchdog(ServiceNotify& notify, Web& web) : notify_(notify), web_(web) {
    if (const auto period = WatchdogPeriod()) period_ = *period / 2;
  }
  // Publisher thread. Returns when to be called again.
  Mono Feed(Mono now) {
    if (period_ == nanoseconds{0}) return Mono::max();
    if (now < next_) return next_;
    if (loop_runs_->exchange(false)) notify_.Alive();
    web_.Post([runs = loop_runs_] { runs->store(true); });
    return next_ = now + period_;
  }

 private:
  ServiceNotify& notify_;
  Web& web_;
  nanoseconds period_{0};  // 0: nobody watches
  Mono next_{};
  std::shared_ptr<std::atomic<bool>> loop_runs_ = std::make_shared<std::atomic<bool>>(true);
};

// All that the process is made of, in the order in which it is made.
class Front {
 public:
  Front(Settings settings, std::shared_ptr<const Catalog> catalog)
      : settings_(std::move(settings)), catalog_(std::move(catalog)) {}

  // `first`: no front was there before.
  absl::Status Prepare(bool first);
  int Run(const sigset_t& signals, std::string_view hosts);

 private:
  void Publish();
  void OnReload(bool reloading) { reloading ? notify_.Reloading() : notify_.Ready(); }

  const Settings settings_;
  const std::shared_ptr<const Catalog> catalog_;
  Clock& clock_ = RealClock();
  OwnMetrics own_;
  SnapshotStore store_;
  ServiceNotify notify_ = ServiceNotify::FromEnvironment();
  std::shared_ptr<Board> board_;
  std::unique_ptr<Alarm> alarm_;  // of the publisher's thread
  std::unique_ptr<Publisher> publisher_;
  std::unique_ptr<HostDirector> director_;
  std::unique_ptr<SupervisorLink> link_;
  std::unique_ptr<Web> web_;
  std::atomic<bool> stopping_{false};
};

absl::Status Front::Prepare(bool first) {
  SetBuildInfo(own_);
  auto board = MapBoard(supervisor::kBoardFd);
  if (!board.ok()) return board.status();
  board_ = *std::move(board);
  auto berths = MapBerths();
  if (!berths.ok()) return berths.status();
  alarm_ = MakeBellAlarm(board_);
  publisher_ = std::make_unique<Publisher>(
      Publisher::Parts{.catalog = catalog_,
                       .own = &own_,
                       .store = &store_,
                       .clock = &clock_,
                       .board = board_,
                       .on_trouble = [this] { director_->LookAgain(); }},
      MakePublishingOptions(settings_));
  director_ = std::make_unique<HostDirector>(
      HostDirector::Parts{.catalog = catalog_,
                          .publisher = publisher_.get(),
                          .berths = *std::move(berths),
                          .board = board_,
                          .own = &own_,
                          .clock = &clock_,
                          .send = &SupervisorLink::Send,
                          .on_reload = [this](bool reloading) { OnReload(reloading); }},
      settings_);
  const auto request = [this](void (HostDirector::*wish)()) {
    return [this, wish] {
      (director_.get()->*wish)();
      alarm_->Ring();
    };
  };
  auto web = Web::Listen(settings_, {.catalog = catalog_,
                                     .store = &store_,
                                     .own = &own_,
                                     .refresh = [this] { publisher_->Refresh(); },
                                     .lifecycle = {request(&HostDirector::RequestReload),
                                                   request(&HostDirector::RequestRelease),
                                                   request(&HostDirector::RequestAcquire)}});
  if (!web.ok()) return web.status();
  web_ = *std::move(web);
  if (first) SayHints(settings_);
  return GiveUpRights(settings_);
}

void Front::Publish() {
  Watchdog watchdog(notify_, *web_);
  while (!stopping_) {
    director_->Take(link_->Take());
    Mono next = publisher_->Step();
    next = std::min(next, director_->Watch());
    next = std::min(next, watchdog.Feed(clock_.Now()));
    alarm_->WaitUntil(next);
  }
}

int Front::Run(const sigset_t& signals, std::string_view hosts) {
  director_->Adopt(ParseHosts(hosts));
  director_->Watch();  // starts a host, while this process gets ready to serve
  link_ = std::make_unique<SupervisorLink>([this] { alarm_->Ring(); }, [] { _exit(EXIT_FAILURE); });
  std::thread publisher([this] { Publish(); });
  std::thread waiter([this, &signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    notify_.Stopping();
    web_->Stop();
    spdlog::info("stopping on signal {}", signal);
  });
  SupervisorLink::Send({supervisor::CommandKind::kReady, 0, 0});
  notify_.Ready();
  web_->Run();
  waiter.join();
  stopping_ = true;
  alarm_->Ring();
  publisher.join();
  _exit(EXIT_SUCCESS);  // the thread that reads the supervisor's pipe is inside of its read
}

}  // namespace

int RunFront(std::string_view hosts) {
  KeepHeapSmall();
  const sigset_t signals = BlockSignals();
  absl::StatusOr<Settings> settings = ReadPackedSettings(supervisor::kSettingsFd);
  if (!settings.ok()) return Fail(settings.status());
  StartLogging(settings->log_level, settings->log_format);
  auto catalog = SelectedCatalog(settings->collectors_enabled, settings->collectors_disabled);
  if (!catalog.ok()) return Fail(catalog.status());
  Front front(*std::move(settings), *std::move(catalog));
  if (const absl::Status prepared = front.Prepare(hosts.empty()); !prepared.ok())
    return Fail(prepared);
  try {
    return front.Run(signals, hosts);
  } catch (const std::system_error& error) {  // of a thread
    Fail(absl::ResourceExhaustedError(fmt::format(
        "cannot start a thread: {}; raise the limit of tasks or of memory", error.what())));
  }
  _exit(EXIT_FAILURE);  // some threads may run
}

}  // namespace ascend

#include "exporter/front/host_director.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "collectors/selection.h"
#include "exporter/compose/options.h"
#include "exporter/settings/changes.h"
#include "exporter/settings/packed.h"

namespace ascend {
namespace {

std::int64_t Nanoseconds(Mono time) { return time.time_since_epoch().count(); }

// A device that was held for a time calls again within a second.
constexpr nanoseconds kLeastSilence = std::chrono::seconds(5);
constexpr std::string_view kEveryCall = "all";

}  // namespace

HostDirector::HostDirector(Parts parts, Settings settings)
    : parts_(std::move(parts)), settings_(std::move(settings)) {}

void HostDirector::Adopt(std::span<const std::pair<int, pid_t>> hosts) {
  const Mono now = parts_.clock->Now();
  for (const auto& [berth, pid] : hosts) {
    processes_[static_cast<std::size_t>(berth)] = pid;
    Do(keeper_.Adopt(berth, now));
  }
  // What an earlier front was told holds for this one.
  const Mono released_until(nanoseconds(parts_.board->front.released_until.load()));
  if (released_until > now) Do(keeper_.Release(now, released_until));
  Connect();
  // It told an earlier front what it found; this one knows nothing.
  if (main_ != nullptr) {
    parts_.send({supervisor::CommandKind::kSignalHost,
                 static_cast<std::uint32_t>(*keeper_.current()), SIGUSR1});
  }
}

void HostDirector::LookAgain() {
  if (main_ == nullptr) return;
  parts_.send({supervisor::CommandKind::kSignalHost, static_cast<std::uint32_t>(*keeper_.current()),
               SIGUSR2});
}

void HostDirector::Take(const std::vector<SupervisorEvent>& events) {
  for (const SupervisorEvent& event : events) TakeOne(event);
}

void HostDirector::TakeOne(const SupervisorEvent& event) {
  const auto berth = static_cast<int>(event.head.berth % supervisor::kBerths);
  switch (event.head.kind) {
    case supervisor::EventKind::kHostStarted:
      return Started(berth, event.head.pid);
    case supervisor::EventKind::kHostFailed:
      spdlog::error("the driver host cannot be started: {}", strerror(event.head.status));
      processes_[static_cast<std::size_t>(berth)] = 0;
      Do(keeper_.OnStartFailed(berth, parts_.clock->Now()));
      return Connect();
    case supervisor::EventKind::kHostExited:
      return Exited(berth, event.head.status);
    case supervisor::EventKind::kSettings:
      return Reconfigure(event.payload);
    case supervisor::EventKind::kReloadFailed:
      parts_.on_reload(true);
      parts_.own->reload_successful.Add({}).Set(0);
      spdlog::error("the configuration was not reloaded; the one before stays");
      return parts_.on_reload(false);
    case supervisor::EventKind::kRelease:
      return RequestRelease();
    case supervisor::EventKind::kAcquire:
      return RequestAcquire();
  }
}

void HostDirector::Started(int berth, pid_t pid) {
  processes_[static_cast<std::size_t>(berth)] = pid;
  Do(keeper_.OnStarted(berth, parts_.clock->Now()));
  Connect();
}

void HostDirector::Exited(int berth, int wait_status) {
  const Berth& memory = *parts_.berths[static_cast<std::size_t>(berth)];
  processes_[static_cast<std::size_t>(berth)] = 0;
  const bool mattered = keeper_.current() == berth || keeper_.next() == berth;
  HostDeath death = ReadHostDeath(memory, *parts_.catalog, wait_status);
  // Only of devices that are known is anything remembered: a host could name a new one each time.
  const auto unknown = [&](const HostCall& call) { return !parts_.publisher->Knows(call.device); };
  if (death.culprit && unknown(*death.culprit)) death.culprit.reset();
  std::erase_if(death.in_progress, unknown);
  if (mattered) {
    spdlog::error("{}", DescribeDeath(memory, death, *parts_.catalog));
    crashed_ = crashed_ || (keeper_.current() == berth && !KilledFromOutside(death));
    if (const auto call = BlamedCall(death)) {
      const auto name = parts_.catalog->collectors()[call->collector]->name;
      parts_.own->call_crashes
          .Add({{"device", std::to_string(call->device)}, {"collector", std::string(name)}})
          .Increment();
    }
  }
  // Before another host is asked for: it clears the memory that is read here.
  if (parts_.berths[static_cast<std::size_t>(berth)] == main_) {
    parts_.publisher->Step();  // what it told before it ended
    parts_.publisher->Use(main_ = nullptr);
  }
  Do(keeper_.OnExit(berth, death, parts_.clock->Now()));
  Connect();
}

void HostDirector::Reconfigure(const std::string& packed) {
  parts_.on_reload(true);  // whoever asked for it
  absl::StatusOr<Settings> settings = UnpackSettings(packed);
  const auto catalog =
      settings.ok() ? SelectedCatalog(settings->collectors_enabled, settings->collectors_disabled)
                    : settings.status();
  parts_.own->reload_successful.Add({}).Set(catalog.ok() ? 1 : 0);
  if (!catalog.ok()) {
    spdlog::error("the configuration was not reloaded: {}",
                  std::string(catalog.status().message()));
    return parts_.on_reload(false);
  }
  parts_.own->reload_success_time.Add({}).Set(
      absl::ToDoubleSeconds(parts_.clock->Wall() - absl::UnixEpoch()));
  const SettingChanges changes = FindChanges(settings_, *settings);
  for (const std::string& flag : changes.after_restart) {
    spdlog::warn("{} has changed; that takes effect when the exporter is started again", flag);
  }
  spdlog::set_level(spdlog::level::from_str(settings->log_level));
  settings_ = *std::move(settings);
  parts_.publisher->Configure(*catalog, MakePublishingOptions(settings_));
  Forgive();
  if (changes.for_host) Do(keeper_.Replace(parts_.clock->Now()));
  spdlog::info("the configuration was reloaded{}",
               changes.for_host ? "; another driver host takes over with it" : "");
  parts_.on_reload(false);
}

void HostDirector::Grant() {
  const unsigned wishes = wishes_.exchange(0);
  const Mono now = parts_.clock->Now();
  if ((wishes & kReload) != 0) {
    parts_.send({supervisor::CommandKind::kReload, 0, 0});
  }
  if ((wishes & kAcquire) != 0) Acquire(now);
  if ((wishes & kRelease) != 0) {
    spdlog::info("letting go of the driver");
    const Mono until = now + settings_.release_for;
    parts_.board->front.released_until.store(Nanoseconds(until));
    Do(keeper_.Release(now, until));
  }
}

void HostDirector::Forgive() {
  parts_.board->holds.Clear();
  Do(keeper_.Forgive(parts_.clock->Now()));
}

// Whoever asks has repaired something, whether or not the driver was released for that.
void HostDirector::Acquire(Mono now) {
  spdlog::info(keeper_.released() ? "taking the driver again"
                                  : "trying again whatever was left alone");
  Forgive();
  Do(keeper_.Acquire(now));
  LookAgain();
}

void HostDirector::Do(const HostActions& actions) {
  for (const HostAction& action : actions) {
    if (const auto* start = std::get_if<StartHost>(&action)) {
      // The supervisor is about to clear the berth.
      if (parts_.berths[static_cast<std::size_t>(start->berth)] == main_) {
        parts_.publisher->Use(main_ = nullptr);
      }
      parts_.send(
          {supervisor::CommandKind::kStartHost, static_cast<std::uint32_t>(start->berth), 0});
    } else if (const auto* signal = std::get_if<SignalHost>(&action)) {
      parts_.send({supervisor::CommandKind::kSignalHost, static_cast<std::uint32_t>(signal->berth),
                   signal->signal});
    } else {
      Hold(action);
    }
  }
}

// Detaching needs nothing here: Connect leaves what is neither current nor next.
void HostDirector::Hold(const HostAction& action) {
  Holds& holds = parts_.board->holds;
  if (const auto* device = std::get_if<HoldDevice>(&action)) {
    if (device->until > parts_.clock->Now()) {
      spdlog::warn("device {} is left alone for a time: it may keep all others waiting",
                   device->device);
    } else {
      spdlog::info("device {} is asked again: it did not keep the others waiting", device->device);
    }
    if (auto* entry = holds.FindOrAdd(device->device))
      entry->whole.store(Nanoseconds(device->until));
  } else if (const auto* call = std::get_if<HoldCall>(&action)) {
    const bool for_ever = call->until == Mono::max();
    spdlog::warn("device {} is not asked for {} {}", call->call.device,
                 parts_.catalog->collectors()[call->call.collector]->name,
                 for_ever ? "any more: that crashes every time" : "for a time");
    if (auto* entry = holds.FindOrAdd(call->call.device)) {
      entry->calls[call->call.collector].store(Nanoseconds(call->until));
    }
  } else if (const auto* opening = std::get_if<HoldOpening>(&action)) {
    if (static_cast<std::size_t>(opening->opening) < kMaxOpenings) {
      holds.openings[static_cast<std::size_t>(opening->opening)].store(Nanoseconds(opening->until));
    }
  }
}

std::shared_ptr<Berth> HostDirector::Running(std::optional<int> berth) const {
  if (!berth || processes_[static_cast<std::size_t>(*berth)] == 0) return nullptr;
  return parts_.berths[static_cast<std::size_t>(*berth)];
}

// Shows the publisher the hosts that the keeper has chosen.
void HostDirector::Connect() {
  std::shared_ptr<Berth> main = Running(keeper_.current());
  std::shared_ptr<Berth> beside = Running(keeper_.next());
  if (main != main_) parts_.publisher->Use(main_ = main);
  if (beside_ == main_) beside_ = nullptr;  // it took over
  if (beside != beside_) parts_.publisher->Accompany(beside_ = beside);
}

// A host may stand still outside of its calls, too: stopped, or in a lock of the C library that the
// vendor's library has broken.
void HostDirector::NoticeSilence(DeviceCalls& calls, Mono now) const {
  const Holds::Device* const held = parts_.board->holds.Find(calls.device);
  if (calls.deadline || !calls.last_return) return;
  if (held != nullptr && held->whole.load() > Nanoseconds(now)) return;
  const nanoseconds longest = 3 * std::max(settings_.fast_period, settings_.health_period);
  const Mono expected = *calls.last_return + std::max<nanoseconds>(longest, kLeastSilence);
  if (now <= expected) return;
  calls.deadline = expected;
  calls.silent = true;
}

void HostDirector::ReadStates(Mono now) {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const bool is_main = main_ != nullptr && parts_.berths[i] == main_;
    const bool is_beside = beside_ != nullptr && parts_.berths[i] == beside_;
    if (!is_main && !is_beside) {
      states_[i].found = false;
      states_[i].devices.clear();
      continue;
    }
    const Topology* topology =
        is_main ? parts_.publisher->topology() : parts_.publisher->beside_topology();
    ReadHostState(*parts_.berths[i], topology, states_[i]);
    for (DeviceCalls& calls : states_[i].devices) {
      calls.sampled = parts_.publisher->Sampled(calls.device, is_beside);
      NoticeSilence(calls, now);
    }
  }
}

Mono HostDirector::Watch() {
  const Mono now = parts_.clock->Now();
  Grant();
  ReadStates(now);
  Do(keeper_.Observe(now, states_));
  Connect();
  if (parts_.publisher->topology() != nullptr) crashed_ = false;
  std::optional<DriverState> absence;
  const bool any_host = std::ranges::any_of(processes_, [](pid_t pid) { return pid != 0; });
  if (!keeper_.released()) parts_.board->front.released_until.store(0);
  if (keeper_.released()) {
    if (!any_host || keeper_.left_behind() > 0) absence = DriverState::kReleased;
  } else if (crashed_) {
    absence = DriverState::kCrashed;
  }
  const bool changed = parts_.publisher->SetAbsence(absence);
  ShowMetrics(now);
  return changed ? now : keeper_.NextCheck();
}

void HostDirector::ShowMetrics(Mono now) {
  for (std::size_t i = 0; i < kRestartReasonNames.size(); ++i) {
    const std::uint64_t restarts = keeper_.restarts(static_cast<RestartReason>(i));
    const std::uint64_t more = restarts - std::exchange(counted_restarts_[i], restarts);
    if (more == 0) continue;
    parts_.own->host_restarts.Add({{"reason", std::string(kRestartReasonNames[i])}})
        .Increment(static_cast<double>(more));
  }
  parts_.own->hosts_left_behind.Set(keeper_.left_behind());
  std::vector<NamedProcess> processes = {{"front", getpid()}, {"supervisor", getppid()}};
  for (const pid_t pid : processes_) {
    if (pid != 0) processes.push_back({"host", pid});
  }
  parts_.own->SetProcesses(std::move(processes));
  ShowHeld(now);
}

// From the board, which outlives a front.
void HostDirector::ShowHeld(Mono now) {
  std::set<std::pair<std::string, std::string>> held;
  for (const Holds::Device& device : parts_.board->holds.devices) {
    const std::int32_t id = device.id_plus_1.load() - 1;
    if (id < 0) break;
    if (device.whole.load() > Nanoseconds(now)) held.emplace(std::to_string(id), kEveryCall);
    for (std::size_t i = 0; i < parts_.catalog->collectors().size(); ++i) {
      if (device.calls[i].load() <= Nanoseconds(now)) continue;
      held.emplace(std::to_string(id), parts_.catalog->collectors()[i]->name);
    }
  }
  std::erase_if(held_, [&](const auto& shown) {
    if (held.contains(shown.first)) return false;
    parts_.own->held_calls.Remove(shown.second);
    return true;
  });
  for (const auto& call : held) {
    prometheus::Gauge*& gauge = held_[call];
    if (gauge != nullptr) continue;
    gauge = &parts_.own->held_calls.Add({{"device", call.first}, {"collector", call.second}});
    gauge->Set(1);
  }
}

}  // namespace ascend

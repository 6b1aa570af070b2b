// A supervisor with its hosts, as small as a keeper of hosts can tell: what it asks for is done,
// and what it must never ask for is written down. Time is the test's.
#pragma once

#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "exporter/front/host_keeper.h"
#include "fmt/format.h"

namespace ascend {

inline constexpr std::chrono::seconds kCallDeadline{2};
inline constexpr HostDeath kKilled{.kind = HostDeath::Kind::kSignalled, .code = SIGKILL};

class HostWorld {
 public:
  static constexpr int kBerths = HostKeeper::kBerths;
  enum class Life { kNone, kAsked, kAlive };
  struct Process {
    Life life = Life::kNone;
    bool dismissed = false;  // detached and told to end
    bool killed = false;
    Mono started{};
    HostState state{};
  };

  explicit HostWorld(HostKeeperOptions options = {}) : keeper_(options) {}

  HostKeeper& keeper() { return keeper_; }
  [[nodiscard]] const HostKeeper& keeper() const { return keeper_; }
  [[nodiscard]] Mono now() const { return now_; }
  [[nodiscard]] const Process& process(int berth) const { return processes_[berth]; }
  [[nodiscard]] const std::string& fault() const { return fault_; }  // the first; empty: none
  [[nodiscard]] int starts() const { return starts_; }
  [[nodiscard]] int alive() const {
    return static_cast<int>(
        std::count_if(processes_.begin(), processes_.end(),
                      [](const Process& process) { return process.life != Life::kNone; }));
  }
  // What was asked for last, holds only.
  [[nodiscard]] const HostActions& holds() const { return holds_; }

  // --- What the front does ---
  void Observe() {
    std::vector<HostState> states;
    for (const Process& process : processes_) states.push_back(process.state);
    Do(keeper_.Observe(now_, states));
    if (keeper_.NextCheck() <= now_) Fault("NextCheck is not later than Observe");
    Check();
  }
  void Acquire() { Do(keeper_.Acquire(now_)); }
  void Forgive() { Do(keeper_.Forgive(now_)); }
  void Release(std::optional<Mono> until) { Do(keeper_.Release(now_, until)); }
  void Replace() { Do(keeper_.Replace(now_)); }
  void Adopt(int berth) {
    processes_[berth] = {.life = Life::kAlive, .started = now_};
    Do(keeper_.Adopt(berth, now_));
  }

  // --- What happens to hosts ---
  void Answer(int berth) {
    processes_[berth].life = Life::kAlive;
    processes_[berth].started = now_;
    Do(keeper_.OnStarted(berth, now_));
  }
  void FailToStart(int berth) {
    processes_[berth] = {};
    Do(keeper_.OnStartFailed(berth, now_));
  }
  void Exit(int berth, const HostDeath& death) {
    processes_[berth] = {};
    Do(keeper_.OnExit(berth, death, now_));
  }
  // Finds its devices and samples them, but for those whose call hangs.
  void Sample(int berth, int devices) {
    HostState& state = processes_[berth].state;
    state.found = true;
    state.devices.resize(devices);
    for (int id = 0; id < devices; ++id) {
      DeviceCalls& device = state.devices[id];
      device.device = id;
      if (device.deadline || IsHeld(id)) continue;
      device.sampled = true;
      device.last_return = now_;
    }
  }
  void Find(int berth, int devices) {
    processes_[berth].state.found = true;
    processes_[berth].state.devices.resize(devices);
    for (int id = 0; id < devices; ++id) processes_[berth].state.devices[id].device = id;
  }
  void Hang(int berth, int device) {
    processes_[berth].state.devices[device].deadline = now_ + kCallDeadline;
  }
  void Return(int berth, int device) {
    processes_[berth].state.devices[device].deadline.reset();
    processes_[berth].state.devices[device].last_return = now_;
  }
  void SetState(int berth, const HostState& state) { processes_[berth].state = state; }

  // --- Time ---
  void Pass(nanoseconds time) { now_ += time; }
  // Observes whenever the keeper wants to, for so long.
  void Live(nanoseconds time) {
    const Mono end = now_ + time;
    Observe();
    while (keeper_.NextCheck() < end && fault_.empty()) {
      now_ = keeper_.NextCheck();
      Observe();
    }
    now_ = end;
    Observe();
  }

  [[nodiscard]] bool IsHeld(int device) const {
    for (const HoldDevice& hold : keeper_.HeldDevices(now_)) {
      if (hold.device == device) return true;
    }
    return false;
  }

  // All that matters for what can happen next, with times counted from now.
  [[nodiscard]] std::string Key() const {
    std::string key = keeper_.Describe(now_);
    for (const Process& process : processes_) {
      key += fmt::format("|{}{}{}{}", static_cast<int>(process.life), process.dismissed ? "d" : "",
                         process.killed ? "k" : "", process.state.found ? "f" : "");
      for (const DeviceCalls& device : process.state.devices) {
        key += fmt::format(",{}{}/{}", device.sampled ? "s" : "", Ago(device.deadline),
                           Ago(device.last_return));
      }
    }
    return key;
  }

 private:
  [[nodiscard]] std::string Ago(std::optional<Mono> time) const {
    if (!time) return "";
    const nanoseconds ago = std::min<nanoseconds>(now_ - *time, std::chrono::minutes(11));
    return std::to_string(ago.count() / 1'000'000);
  }

  void Fault(const std::string& what) {
    if (fault_.empty()) fault_ = what;
  }

  void Do(const HostActions& actions) {
    holds_.clear();
    for (const HostAction& action : actions) {
      std::visit([this](const auto& asked) { One(asked); }, action);
    }
    Check();
  }
  void One(const StartHost& start) {
    ++starts_;
    if (processes_[start.berth].life != Life::kNone) Fault("a start in a taken berth");
    if (keeper_.released()) Fault("a start while released");
    processes_[start.berth] = {.life = Life::kAsked};
  }
  void One(const SignalHost& signal) {
    Process& process = processes_[signal.berth];
    if (process.life != Life::kAlive) Fault("a signal to no process");
    if (!process.dismissed) Fault("a signal before the readers were detached");
    if (signal.signal == SIGKILL) process.killed = true;
  }
  void One(const DetachHost& detach) { processes_[detach.berth].dismissed = true; }
  template <typename Hold>
  void One(const Hold& hold) {
    holds_.emplace_back(hold);
  }

  void Check() {
    const std::optional<int> current = keeper_.current();
    const std::optional<int> next = keeper_.next();
    if (next && !current) Fault("a next host without a current one");
    if (next && next == current) Fault("the next host is the current one");
    if (keeper_.released() && current) Fault("a host although released");
    bool free = false;
    for (int berth = 0; berth < kBerths; ++berth) {
      const Process& process = processes_[berth];
      const bool used = berth == current || berth == next;
      free = free || process.life == Life::kNone;
      if (used && process.life == Life::kNone) Fault("a host in use that is none");
      if (used && process.dismissed) Fault("a host in use that was told to end");
      if (!used && process.life == Life::kAlive && !process.dismissed) Fault("a forgotten host");
    }
    if (!keeper_.released() && !current && free && keeper_.NextCheck() == Mono::max()) {
      Fault("no host and none is to come");
    }
  }

  HostKeeper keeper_;
  Mono now_ = Mono{} + std::chrono::hours(1000);
  std::array<Process, kBerths> processes_{};
  HostActions holds_;
  std::string fault_;
  int starts_ = 0;
};

}  // namespace ascend

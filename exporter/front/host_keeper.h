// Decides when driver hosts start and end, so that one device or call that hangs or crashes inside
// the vendor's library takes nothing else with it.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/front/blame.h"
#include "exporter/front/device_patience.h"
#include "exporter/front/host_events.h"
#include "exporter/front/lock_trial.h"
#include "exporter/supervisor/protocol.h"
#include "hal/clock.h"

namespace ascend {

struct HostKeeperOptions {
  nanoseconds hung_after = std::chrono::seconds(10);  // past a deadline: the call will not return
  // How long calls must have been stuck before one lock around the library is seen in that: devices
  // that are sampled each second show by then that they still answer.
  nanoseconds serialized_after = std::chrono::seconds(1);
  nanoseconds takeover_limit = std::chrono::seconds(10);  // for the next host to find and sample
  nanoseconds start_limit = std::chrono::seconds(10);     // for the answer to StartHost
  nanoseconds term_limit = std::chrono::seconds(1);       // from SIGTERM to SIGKILL
  nanoseconds kill_limit = std::chrono::seconds(5);       // from SIGKILL to "left behind"
  // While so many hosts are dismissed and not gone, hung calls have none replaced. Only new
  // settings, releases and starts that are answered late can bring more, up to one for each berth.
  int most_left_behind = 2;
  nanoseconds look_every = std::chrono::seconds(1);  // NextCheck() while there is a host
};

// Why hosts ended or were replaced.
enum class RestartReason : std::uint8_t { kCrashed, kKilled, kExited, kHung, kSerialized, kReload };
inline constexpr std::array<std::string_view, 6> kRestartReasonNames = {
    "crashed", "killed", "exited", "hung", "serialized", "reload"};

// A pure state machine: it has no clock, process, thread or memory that grows with time. One host
// is current. While it is replaced a next one runs beside it, which takes over when it samples what
// the current one does. Hosts that have been dismissed get SIGTERM, then SIGKILL; one that outlives
// that is left behind, and its berth with it.
//
// Not thread-safe. Times never go back. Each method that returns actions returns all that is to be
// done now, in order; call Observe once at the start, whenever a host's state changed in a way that
// may matter, and at NextCheck() at the latest.
class HostKeeper {
 public:
  static constexpr int kBerths = static_cast<int>(supervisor::kBerths);

  explicit HostKeeper(HostKeeperOptions options = {})
      : options_(options), patience_(options.hung_after) {}

  // Before everything else: a host that runs already, since the front was started again. Call it by
  // generation, the oldest first: the last one becomes current, the others are dismissed.
  HostActions Adopt(int berth, Mono now);

  // Answers to StartHost. A host that nobody asked for is dismissed, second answers are ignored.
  HostActions OnStarted(int berth, Mono now);
  // Also after OnStarted, if the program could not be executed. The berth is free.
  HostActions OnStartFailed(int berth, Mono now);
  // The berth is free. Ignored if it was.
  HostActions OnExit(int berth, const HostDeath& death, Mono now);

  // `states` by berth, kBerths of them; those of berths that are neither current nor next are not
  // looked at. NextCheck() is later than `now` when it returns.
  HostActions Observe(Mono now, std::span<const HostState> states);

  // Dismisses all hosts and starts none until Acquire, or until `until` has come.
  HostActions Release(Mono now, std::optional<Mono> until);
  HostActions Acquire(Mono now);
  // Somebody has repaired something: no call, device or opening is held any more or remembered for
  // what it did, and whatever waits for its turn is tried now.
  HostActions Forgive(Mono now);
  // The settings changed: another host, with the new ones, is to take over. It counts from the
  // StartHost on: the settings must be those that a host started now gets.
  HostActions Replace(Mono now);

  // When Observe must be called again although nothing happened; Mono::max(): never.
  [[nodiscard]] Mono NextCheck() const;

  // Berths. A host that was asked for is current or next before it runs.
  [[nodiscard]] std::optional<int> current() const { return current_; }
  [[nodiscard]] std::optional<int> next() const { return next_; }
  [[nodiscard]] bool released() const { return released_until_.has_value(); }
  // Hosts that SIGKILL did not end.
  [[nodiscard]] int left_behind() const;
  // Hosts that ended by themselves (crashed, killed, exited), and hosts that another one took over
  // from (hung, serialized, reload), since the keeper was made.
  [[nodiscard]] std::uint64_t restarts(RestartReason reason) const {
    return restarts_[static_cast<std::size_t>(reason)];
  }
  // What is held now.
  [[nodiscard]] std::vector<HoldCall> HeldCalls(Mono now) const { return blame_.HeldCalls(now); }
  [[nodiscard]] std::vector<HoldDevice> HeldDevices(Mono now) const {
    return patience_.HeldDevices(now);
  }
  [[nodiscard]] std::vector<HoldOpening> HeldOpenings(Mono now) const {
    return blame_.HeldOpenings(now);
  }

  // All of its state in one line, with times counted from `now`: two keepers that say the same will
  // do the same.
  [[nodiscard]] std::string Describe(Mono now) const;

 private:
  enum class Phase : std::uint8_t {
    kFree,
    kStarting,    // asked for, no answer yet
    kUnwanted,    // asked for and dismissed before it was answered: no process to signal yet
    kRunning,     // current or next
    kEnding,      // got SIGTERM
    kKilled,      // got SIGKILL
    kLeftBehind,  // and did not end
  };
  struct Host {
    Phase phase = Phase::kFree;
    Mono since{};  // of the phase
    // As last observed.
    bool sampled = false;
    bool stuck = false;
    // Its stuck calls may have begun before the last hold, or before all was forgiven.
    bool predates_hold = false;
  };

  [[nodiscard]] std::optional<int> FreeBerth() const;
  [[nodiscard]] int fading() const;  // dismissed and not gone
  [[nodiscard]] bool MayReplace(RestartReason reason) const;
  [[nodiscard]] Mono PhaseEnd(const Host& host) const;
  [[nodiscard]] bool Running(std::optional<int> berth) const;

  void Start(int berth, Mono now, HostActions& actions);
  void StartWhatIsDue(Mono now, HostActions& actions);
  void Dismiss(int berth, Mono now, HostActions& actions);
  void Lost(int berth, const Host& host, Mono now);  // current, next or neither
  void CurrentLost(const Host& host, Mono now);
  void NextLost(Mono now);
  void Want(RestartReason reason, Mono now);

  void Look(std::span<const HostState> states, Mono now);
  [[nodiscard]] bool CallsWhatIsHeld(std::span<const DeviceCalls> devices, Mono now) const;
  void Escalate(Mono now, HostActions& actions);
  void TakeOver(std::span<const HostState> states, Mono now, HostActions& actions);
  [[nodiscard]] bool Replaces(const HostState& next, const HostState& current, Mono now) const;
  void DismissFruitless(const HostState& next, Mono now, HostActions& actions);
  void WatchTrial(Mono now, HostActions& actions);
  void BreakLock(int berth, const HostState& state, Mono now, HostActions& actions);
  void Suspect(const Lock& lock, nanoseconds took, Mono now, HostActions& actions);
  void ReplaceHung(const HostState& state, Mono now, HostActions& actions);
  void CheckAt(Mono time) { check_ = std::min(check_, time); }

  const HostKeeperOptions options_;
  std::array<Host, kBerths> hosts_{};
  std::optional<int> current_;
  std::optional<int> next_;
  RestartReason next_reason_ = RestartReason::kReload;
  // A next host that is to be started, not before `retry_at_`. Never together with `next_`.
  std::optional<RestartReason> wanted_;
  Mono retry_at_{};
  nanoseconds retry_wait_{};
  Mono start_at_{};      // when a current host may be started, if there is none
  int short_lives_ = 0;  // of current hosts, in a row
  int last_berth_ = kBerths - 1;
  std::optional<Mono> released_until_;
  Mono check_{};  // what Observe found to wait for; after another event: at once
  Blame blame_;
  DevicePatience patience_;
  LockTrial trial_;
  std::array<std::uint64_t, kRestartReasonNames.size()> restarts_{};
};

}  // namespace ascend

// The part of HostKeeper that judges what hosts do and decides which one is to take over.
#include <algorithm>
#include <csignal>
#include <utility>

#include "exporter/front/doubling.h"
#include "exporter/front/host_keeper.h"

namespace ascend {
namespace {

bool SearchStuck(const HostState& state, Mono now) {
  return state.look_deadline && *state.look_deadline <= now;
}

bool AnySampled(const HostState& state) {
  return std::any_of(state.devices.begin(), state.devices.end(),
                     [](const DeviceCalls& device) { return device.sampled; });
}

}  // namespace

void HostKeeper::Look(std::span<const HostState> states, Mono now) {
  for (const std::optional<int> berth : {current_, next_}) {
    if (!Running(berth)) continue;
    Host& host = hosts_[*berth];
    const std::vector<DeviceCalls> calls = CallsAndSearch(states[*berth], host.since, now);
    host.sampled = host.sampled || std::any_of(calls.begin(), calls.end(),
                                               [](const auto& device) { return device.sampled; });
    host.stuck = std::any_of(calls.begin(), calls.end(),
                             [&](const DeviceCalls& device) { return Stuck(device, now); });
    const bool may_be_old = host.stuck || CallsWhatIsHeld(calls, now);
    host.predates_hold = host.predates_hold && may_be_old;
    if (berth == current_) patience_.Note(calls, now);
  }
  // What hung has returned by itself.
  if (wanted_ && *wanted_ != RestartReason::kReload && current_ && !hosts_[*current_].stuck) {
    wanted_.reset();
  }
}

bool HostKeeper::CallsWhatIsHeld(std::span<const DeviceCalls> devices, Mono now) const {
  return std::any_of(devices.begin(), devices.end(), [&](const DeviceCalls& device) {
    return device.deadline && now < patience_.HeldUntil(device.device);
  });
}

void HostKeeper::Escalate(Mono now, HostActions& actions) {
  for (int berth = 0; berth < kBerths; ++berth) {
    Host& host = hosts_[berth];
    if (host.phase == Phase::kRunning || now < PhaseEnd(host)) continue;
    if (host.phase == Phase::kStarting) {
      const Host unanswered = std::exchange(host, {.phase = Phase::kUnwanted, .since = now});
      Lost(berth, unanswered, now);
    } else if (host.phase == Phase::kEnding) {
      host.phase = Phase::kKilled;
      host.since = now;
      actions.emplace_back(SignalHost{berth, SIGKILL});
    } else if (host.phase == Phase::kKilled) {
      host.phase = Phase::kLeftBehind;
    }
  }
}

// Whether the next host does what the current one does, as far as it can be done.
bool HostKeeper::Replaces(const HostState& next, const HostState& current, Mono now) const {
  return std::all_of(current.devices.begin(), current.devices.end(), [&](const auto& device) {
    const bool needed =
        device.sampled && !Stuck(device, now) && patience_.HeldUntil(device.device) <= now;
    return !needed || std::any_of(next.devices.begin(), next.devices.end(), [&](const auto& other) {
      return other.device == device.device && other.sampled;
    });
  });
}

void HostKeeper::TakeOver(std::span<const HostState> states, Mono now, HostActions& actions) {
  const HostState& next = states[*next_];
  const HostState nothing;
  const HostState& current = Running(current_) ? states[*current_] : nothing;
  const bool late = now - hosts_[*next_].since >= options_.takeover_limit;
  const bool useful = next.found && (!next.devices.empty() || !AnySampled(current));
  if (useful && (late || Replaces(next, current, now))) {
    ++restarts_[static_cast<std::size_t>(next_reason_)];
    Dismiss(*current_, now, actions);
    current_ = std::exchange(next_, std::nullopt);
    retry_wait_ = {};
  } else if (late) {
    DismissFruitless(next, now, actions);
  } else {
    CheckAt(hosts_[*next_].since + options_.takeover_limit);
  }
}

// A first search that may still end in time is waited for: tools are slow on some machines.
void HostKeeper::DismissFruitless(const HostState& next, Mono now, HostActions& actions) {
  const bool searching = !next.found && next.look_deadline;
  if (searching && !SearchStuck(next, now)) return CheckAt(*next.look_deadline);
  if (searching && next.opening) actions.emplace_back(blame_.Hold(*next.opening, now));
  Dismiss(*next_, now, actions);
  NextLost(now);
}

void HostKeeper::WatchTrial(Mono now, HostActions& actions) {
  bool well = false;
  if (Running(current_)) {
    const Host& host = hosts_[*current_];
    well = host.sampled && !host.stuck && !host.predates_hold;
  }
  for (const HoldDevice& hold : trial_.Watch(well, patience_, now, check_)) {
    actions.emplace_back(hold);
  }
}

// For the current host or the next one. What a host does that may not know of all holds
// proves nothing new. A device whose hold this host knew of and that is stuck all the same is
// not held again: another host would do no better.
void HostKeeper::BreakLock(int berth, const HostState& state, Mono now, HostActions& actions) {
  const auto lock = FindLock(state.devices, options_.serialized_after, now, check_);
  if (!lock) return;
  const bool knows = !hosts_[berth].predates_hold;
  const bool last =
      knows && trial_.open() && patience_.HoldsAllBut(lock->device, state.devices, now);
  if (lock->waiting == 1 && !last) return;
  const Mono held_until = patience_.HeldUntil(lock->device);
  const Mono wait = std::max(trial_.given_up_until(), knows ? held_until : Mono::min());
  if (now < wait) return CheckAt(wait);
  const bool current = berth == current_;
  if (current && !next_ && !MayReplace(RestartReason::kSerialized)) return;
  const bool suspect = now >= held_until && knows;
  if (suspect) Suspect(*lock, now - hosts_[berth].since, now, actions);
  if (now < trial_.given_up_until()) return CheckAt(trial_.given_up_until());
  if (!current) {
    Dismiss(berth, now, actions);
    next_.reset();
    wanted_ = next_reason_;
    retry_at_ = now;
  } else if (!next_ && (suspect || !wanted_)) {
    Want(RestartReason::kSerialized, now);
  }
}

void HostKeeper::Suspect(const Lock& lock, nanoseconds took, Mono now, HostActions& actions) {
  for (const HoldDevice& hold : trial_.Suspect(lock, took, patience_, now)) {
    actions.emplace_back(hold);
  }
  for (Host& host : hosts_) host.predates_hold = true;
}

void HostKeeper::ReplaceHung(const HostState& state, Mono now, HostActions& actions) {
  const Host& host = hosts_[*current_];
  const std::vector<DeviceCalls> calls = CallsAndSearch(state, host.since, now);
  if (next_ || wanted_ || !MayReplace(RestartReason::kHung)) return;
  if (!patience_.ReplacementDue(calls, now, check_)) return;
  patience_.CountReplacement(calls, now);
  if (!state.found && SearchStuck(state, now) && state.opening) {
    actions.emplace_back(blame_.Hold(*state.opening, now));
  }
  Want(RestartReason::kHung, now);
}

}  // namespace ascend

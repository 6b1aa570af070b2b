#include "exporter/front/host_keeper.h"

#include <csignal>
#include <utility>

#include "exporter/front/doubling.h"
#include "fmt/format.h"

namespace ascend {
namespace {

// A host that lived so long and gave values did not fail because of how it was started.
constexpr std::chrono::seconds kSteady{10};
constexpr std::chrono::milliseconds kFirstStartWait{100};
constexpr std::chrono::seconds kMostStartWait{30};
constexpr int kMostShortLives = 10;  // kFirstStartWait << 9 is more than kMostStartWait
constexpr std::chrono::seconds kFirstRetry{1};
constexpr std::chrono::minutes kMostRetry{10};

nanoseconds StartWait(int short_lives) {
  if (short_lives == 0) return {};
  return std::min<nanoseconds>(kFirstStartWait * (1 << (short_lives - 1)), kMostStartWait);
}

RestartReason ReasonOf(const HostDeath& death) {
  if (KilledFromOutside(death)) return RestartReason::kKilled;
  const bool crashed = death.kind == HostDeath::Kind::kSignalled || death.culprit;
  return crashed ? RestartReason::kCrashed : RestartReason::kExited;
}

}  // namespace

HostActions HostKeeper::Adopt(int berth, Mono now) {
  HostActions actions;
  if (current_) Dismiss(*current_, now, actions);
  hosts_[berth] = {.phase = Phase::kRunning, .since = now};
  current_ = berth;
  last_berth_ = berth;
  check_ = now;
  return actions;
}

HostActions HostKeeper::OnStarted(int berth, Mono now) {
  Host& host = hosts_[berth];
  HostActions actions;
  if (host.phase == Phase::kStarting) {
    host.phase = Phase::kRunning;
    host.since = now;
  } else if (host.phase == Phase::kUnwanted || host.phase == Phase::kFree) {
    host = {.phase = Phase::kRunning};
    Dismiss(berth, now, actions);
  }
  check_ = now;
  return actions;
}

HostActions HostKeeper::OnStartFailed(int berth, Mono now) {
  const Host host = std::exchange(hosts_[berth], {});
  Lost(berth, host, now);
  HostActions actions;
  StartWhatIsDue(now, actions);
  check_ = now;
  return actions;
}

HostActions HostKeeper::OnExit(int berth, const HostDeath& death, Mono now) {
  HostActions actions;
  if (berth == current_ || berth == next_) {
    ++restarts_[static_cast<std::size_t>(ReasonOf(death))];
    actions = blame_.Judge(death, now);
  }
  const Host host = std::exchange(hosts_[berth], {});
  Lost(berth, host, now);
  StartWhatIsDue(now, actions);
  check_ = now;
  return actions;
}

HostActions HostKeeper::Observe(Mono now, std::span<const HostState> states) {
  HostActions actions;
  check_ = Mono::max();
  if (released_until_ && now >= *released_until_) released_until_.reset();
  Look(states, now);
  WatchTrial(now, actions);
  Escalate(now, actions);
  if (next_ && Running(next_)) TakeOver(states, now, actions);
  if (next_ && Running(next_)) BreakLock(*next_, states[*next_], now, actions);
  if (Running(current_)) {
    BreakLock(*current_, states[*current_], now, actions);
    ReplaceHung(states[*current_], now, actions);
  }
  StartWhatIsDue(now, actions);
  if (current_) CheckAt(now + options_.look_every);
  return actions;
}

HostActions HostKeeper::Release(Mono now, std::optional<Mono> until) {
  HostActions actions;
  released_until_ = until.value_or(Mono::max());
  if (current_) Dismiss(*current_, now, actions);
  if (next_) Dismiss(*next_, now, actions);
  current_.reset();
  next_.reset();
  wanted_.reset();
  short_lives_ = 0;
  start_at_ = now;
  check_ = now;
  return actions;
}

HostActions HostKeeper::Acquire(Mono now) {
  HostActions actions;
  released_until_.reset();
  StartWhatIsDue(now, actions);
  check_ = now;
  return actions;
}

HostActions HostKeeper::Forgive(Mono now) {
  HostActions actions;
  blame_ = Blame();
  patience_.Forget();
  trial_ = LockTrial();
  for (Host& host : hosts_) host.predates_hold = true;
  short_lives_ = 0;
  start_at_ = now;
  retry_at_ = now;
  retry_wait_ = {};
  StartWhatIsDue(now, actions);
  check_ = now;
  return actions;
}

HostActions HostKeeper::Replace(Mono now) {
  HostActions actions;
  if (!current_) return actions;  // the one to come will have them
  if (next_) Dismiss(*next_, now, actions);
  next_.reset();
  wanted_ = RestartReason::kReload;
  retry_at_ = now;
  retry_wait_ = {};
  StartWhatIsDue(now, actions);
  check_ = now;
  return actions;
}

// Until when the phase may last; of a running host: until its age no longer matters.
Mono HostKeeper::PhaseEnd(const Host& host) const {
  switch (host.phase) {
    case Phase::kStarting:
      return host.since + options_.start_limit;
    case Phase::kRunning:
      return host.since + std::max({nanoseconds(kSteady), options_.takeover_limit,
                                    kSilentStart + options_.hung_after});
    case Phase::kEnding:
      return host.since + options_.term_limit;
    case Phase::kKilled:
      return host.since + options_.kill_limit;
    default:
      return Mono::max();
  }
}

Mono HostKeeper::NextCheck() const {
  Mono check = check_;
  for (const Host& host : hosts_) {
    if (host.phase != Phase::kRunning) check = std::min(check, PhaseEnd(host));
  }
  if (released_until_) return std::min(check, *released_until_);
  if (!current_ && FreeBerth()) check = std::min(check, start_at_);
  if (current_ && wanted_ && MayReplace(*wanted_)) check = std::min(check, retry_at_);
  return check;
}

int HostKeeper::left_behind() const {
  return static_cast<int>(std::count_if(hosts_.begin(), hosts_.end(), [](const Host& host) {
    return host.phase == Phase::kLeftBehind;
  }));
}

int HostKeeper::fading() const {
  int count = 0;
  for (int berth = 0; berth < kBerths; ++berth) {
    const bool taken = hosts_[berth].phase != Phase::kFree;
    if (taken && berth != current_ && berth != next_) ++count;
  }
  return count;
}

// The one whose turn it is, so that what the last host wrote can be read for a while.
std::optional<int> HostKeeper::FreeBerth() const {
  for (int step = 1; step <= kBerths; ++step) {
    const int berth = (last_berth_ + step) % kBerths;
    if (hosts_[berth].phase == Phase::kFree) return berth;
  }
  return std::nullopt;
}

bool HostKeeper::Running(std::optional<int> berth) const {
  return berth && hosts_[*berth].phase == Phase::kRunning;
}

// Each host that hangs may have to be left behind: so many more are not risked for hung calls.
bool HostKeeper::MayReplace(RestartReason reason) const {
  const bool risky = reason == RestartReason::kHung || reason == RestartReason::kSerialized;
  return FreeBerth() && (!risky || fading() < options_.most_left_behind);
}

void HostKeeper::Start(int berth, Mono now, HostActions& actions) {
  hosts_[berth] = {.phase = Phase::kStarting, .since = now};
  last_berth_ = berth;
  actions.emplace_back(StartHost{berth});
}

void HostKeeper::StartWhatIsDue(Mono now, HostActions& actions) {
  if (released_until_) return;
  if (!current_ && now >= start_at_) {
    current_ = FreeBerth();
    if (current_) Start(*current_, now, actions);
  } else if (current_ && wanted_ && now >= retry_at_ && MayReplace(*wanted_)) {
    next_ = FreeBerth();
    next_reason_ = *std::exchange(wanted_, std::nullopt);
    Start(*next_, now, actions);
  }
}

void HostKeeper::Dismiss(int berth, Mono now, HostActions& actions) {
  Host& host = hosts_[berth];
  host = {.phase = host.phase == Phase::kStarting ? Phase::kUnwanted : Phase::kEnding,
          .since = now};
  if (host.phase == Phase::kUnwanted) return;
  actions.emplace_back(DetachHost{berth});
  actions.emplace_back(SignalHost{berth, SIGTERM});
}

void HostKeeper::Lost(int berth, const Host& host, Mono now) {
  if (berth == current_) CurrentLost(host, now);
  if (berth == next_) NextLost(now);
}

void HostKeeper::CurrentLost(const Host& host, Mono now) {
  const bool lived = host.phase == Phase::kRunning && now - host.since >= kSteady;
  if (host.sampled && lived) short_lives_ = 0;
  const int before = host.sampled ? short_lives_ : short_lives_ + 1;
  start_at_ = now + StartWait(before);
  short_lives_ = std::min(short_lives_ + 1, kMostShortLives);
  // Whatever comes now serves every wish.
  wanted_.reset();
  current_ = std::exchange(next_, std::nullopt);
}

void HostKeeper::NextLost(Mono now) {
  next_.reset();
  wanted_ = next_reason_;
  retry_wait_ = Doubled(retry_wait_, kFirstRetry, kMostRetry);
  retry_at_ = now + retry_wait_;
}

// A wish for new settings is not forgotten for another one.
void HostKeeper::Want(RestartReason reason, Mono now) {
  if (!wanted_) wanted_ = reason;
  retry_at_ = now;
}

std::string HostKeeper::Describe(Mono now) const {
  std::string text = fmt::format(
      "current {} next {} reason {} short lives {} last {}", current_.value_or(-1),
      next_.value_or(-1), next_ ? static_cast<int>(next_reason_) : -1, short_lives_, last_berth_);
  if (wanted_) {
    text += fmt::format(" wanted {} in {}", static_cast<int>(*wanted_), In(retry_at_, now));
  }
  text += fmt::format(" last wait {}", In(now + retry_wait_, now));
  if (!current_) text += " start in " + In(start_at_, now);
  if (released_until_) text += " released for " + In(*released_until_, now);
  text += ", check " + In(check_, now);
  for (const Host& host : hosts_) {
    text += fmt::format("; {}{}{}{}", static_cast<int>(host.phase), host.sampled ? " sampled" : "",
                        host.stuck ? " stuck" : "", host.predates_hold ? " predates" : "");
    if (host.phase != Phase::kFree) text += " until " + In(PhaseEnd(host), now);
  }
  return text + ";" + patience_.Describe(now) + trial_.Describe(now) + blame_.Describe(now);
}

}  // namespace ascend

#include "exporter/front/blame.h"

#include <algorithm>
#include <csignal>

#include "exporter/front/doubling.h"
#include "fmt/format.h"

namespace ascend {
namespace {

constexpr std::chrono::minutes kFirstHold{1};
constexpr std::chrono::minutes kSecondHold{10};
constexpr std::chrono::hours kMostHold{1};
constexpr std::chrono::hours kForgetOpening{1};

bool Contains(const std::vector<HostCall>& calls, const HostCall& call) {
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

}  // namespace

bool KilledFromOutside(const HostDeath& death) {
  return death.kind == HostDeath::Kind::kSignalled && !death.culprit &&
         (death.code == SIGKILL || death.code == SIGTERM);
}

std::optional<HostCall> BlamedCall(const HostDeath& death) {
  if (death.culprit) return death.culprit;
  if (death.opening || death.in_progress.size() != 1) return std::nullopt;
  if (KilledFromOutside(death)) return std::nullopt;
  return death.in_progress.front();
}

HostActions Blame::Judge(const HostDeath& death, Mono now) {
  if (KilledFromOutside(death)) return {};
  if (const auto call = BlamedCall(death)) return {Hold(*call, true, now)};
  if (death.opening) return {Hold(*death.opening, now)};
  return HoldSuspects(death.in_progress, now);
}

HostActions Blame::HoldSuspects(const std::vector<HostCall>& in_progress, Mono now) {
  if (in_progress.empty()) return {};
  HostActions actions;
  for (const HostCall& call : in_progress) {
    if (Contains(suspects_, call)) actions.emplace_back(Hold(call, false, now));
  }
  suspects_ = in_progress;
  return actions;
}

HoldCall Blame::Hold(const HostCall& call, bool proven, Mono now) {
  auto record = std::find_if(calls_.begin(), calls_.end(),
                             [&](const CallRecord& known) { return known.call == call; });
  if (record == calls_.end()) record = calls_.insert(calls_.end(), CallRecord{.call = call});
  // A host that made the call before it knew of the hold is no further proof.
  if (now < record->until) return {call, record->until};
  int& times = proven ? record->crashes : record->suspected;
  times = std::min(times + 1, 3);
  record->until = now + (times == 1 ? kFirstHold : kSecondHold);
  if (proven && times == 3) record->until = Mono::max();
  return {call, record->until};
}

HoldOpening Blame::Hold(std::int32_t opening, Mono now) {
  auto record = std::find_if(openings_.begin(), openings_.end(),
                             [&](const OpeningRecord& known) { return known.opening == opening; });
  if (record == openings_.end()) {
    record = openings_.insert(openings_.end(), OpeningRecord{.opening = opening});
  }
  if (now < record->until) return {opening, record->until};
  if (now - record->until >= kForgetOpening) record->wait = {};
  record->wait = Doubled(record->wait, kFirstHold, kMostHold);
  record->until = now + record->wait;
  return {opening, record->until};
}

std::vector<HoldCall> Blame::HeldCalls(Mono now) const {
  std::vector<HoldCall> held;
  for (const CallRecord& record : calls_) {
    if (now < record.until) held.push_back({record.call, record.until});
  }
  return held;
}

std::vector<HoldOpening> Blame::HeldOpenings(Mono now) const {
  std::vector<HoldOpening> held;
  for (const OpeningRecord& record : openings_) {
    if (now < record.until) held.push_back({record.opening, record.until});
  }
  return held;
}

bool Blame::Holds(std::int32_t opening, Mono now) const {
  return std::any_of(openings_.begin(), openings_.end(), [&](const OpeningRecord& record) {
    return record.opening == opening && now < record.until;
  });
}

std::string Blame::Describe(Mono now) const {
  std::string text;
  for (const CallRecord& record : calls_) {
    text +=
        fmt::format(" call {}/{} crashed {} suspected {} held {};", record.call.device,
                    record.call.collector, record.crashes, record.suspected, In(record.until, now));
  }
  for (const OpeningRecord& record : openings_) {
    const bool forgotten = now - record.until >= kForgetOpening;
    text += fmt::format(" opening {} held {} forgotten {} last {};", record.opening,
                        In(record.until, now), In(record.until + kForgetOpening, now),
                        forgotten ? "0" : In(now + record.wait, now));
  }
  for (const HostCall& call : suspects_) {
    text += fmt::format(" suspect {}/{};", call.device, call.collector);
  }
  return text;
}

}  // namespace ascend

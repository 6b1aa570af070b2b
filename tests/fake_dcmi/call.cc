#include "call.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

#include "crash.h"

namespace fake_dcmi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kHangPoll = std::chrono::milliseconds(5);

// As rules write it, but for the main command 0.
CountName& AppendType(CountName& name, int type) {
  const int main = type >> 16;
  if (main > 0) (name += main) += "/";
  return name += type & 0xFFFF;
}

// `pattern` is a name, or its beginning and a "*".
bool FunctionMatches(std::string_view pattern, std::string_view function) {
  if (!pattern.ends_with('*')) return pattern == function;
  pattern.remove_suffix(1);
  return function.starts_with(pattern);
}

template <class Char>
void CopyText(std::span<Char> out, const std::string& text) {
  std::ranges::fill(out, Char{});
  std::memcpy(out.data(), text.data(), std::min(out.size(), text.size()));
}

}  // namespace

Call::Call(const char* function, std::optional<LogicId> logic_id, std::optional<int> card,
           std::optional<int> device_id, std::optional<int> type)
    : function_(function), logic_id_(logic_id), card_(card), device_id_(device_id), type_(type) {
  Enter();
}

Call::Call(const char* function) : Call(function, {}, {}, {}, {}) {}

Call::Call(const char* function, LogicId logic_id, std::optional<int> type)
    : Call(function, std::optional(logic_id), {}, {}, type) {}

Call::Call(const char* function, int card) : Call(function, {}, std::optional(card), {}, {}) {}

Call::Call(const char* function, int card, int device_id, std::optional<int> type)
    : Call(function, {}, std::optional(card), std::optional(device_id), type) {}

void Call::Enter() {
  View view = Look();
  if (view.machine->one_lock) {
    one_lock_ = WaitForTheOneLock();
    view = Look();
  }
  machine_ = std::move(view.machine);
  started_ = view.started;
  if (started_ && logic_id_) {
    chip_ = machine_->WithLogicId(logic_id_->value);
  } else if (started_ && card_ && device_id_) {
    chip_ = machine_->At(*card_, *device_id_);
  }
  if (chip_ != nullptr) {
    card_ = chip_->card;
    device_id_ = chip_->device_id;
  }
  FindRules();
  if (view.counts != nullptr) Count(*view.counts);
}

void Call::FindRules() {
  rules_.clear();
  for (const Rule& rule : machine_->rules) {
    if (Matches(rule)) rules_.push_back(&rule);
  }
}

CountName Call::NameForDevice(std::string_view prefix) const {
  CountName name;
  (name += prefix) += function_;
  if (!card_) return name;
  ((name += " ") += *card_) += "/";
  return device_id_ ? name += *device_id_ : name += "*";
}

void Call::Count(CallCounts& counts) const {
  counts.Add(function_);
  if (type_) {
    CountName name;
    (name += function_) += ":";
    counts.Add(AppendType(name, *type_).text());
  }
  if (card_) counts.Add(NameForDevice("").text());
}

bool Call::HasGeneration() const {
  return machine_->generation == (function_.starts_with("dcmiv2_") ? 2 : 1);
}

bool Call::Matches(const Rule& rule) const {
  if (!FunctionMatches(rule.function, function_)) return false;
  if (rule.type && rule.type != type_) return false;
  if (rule.target == "*") return true;
  if (chip_ != nullptr && rule.target == std::to_string(chip_->physical_id)) return true;
  if (!card_) return false;
  const std::string card = std::to_string(*card_) + "/";
  return rule.target == card + "*" ||
         (device_id_ && rule.target == card + std::to_string(*device_id_));
}

const Rule* Call::RuleOf(Action action) const {
  const auto last = std::find_if(rules_.rbegin(), rules_.rend(),
                                 [&](const Rule* rule) { return rule->action == action; });
  return last == rules_.rend() ? nullptr : *last;
}

void Call::TakeTime() const {
  if (machine_->cost.count() > 0 && machine_->cost_is_work) {
    const auto end = Clock::now() + machine_->cost;
    while (Clock::now() < end) continue;
  } else if (machine_->cost.count() > 0) {
    std::this_thread::sleep_for(machine_->cost);
  }
  if (const Rule* slow = RuleOf(Action::kSlow)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(slow->number));
  }
}

// The chip stays that of the start of the call: a hang is over when the rule is gone.
void Call::WaitWhileHung() {
  if (RuleOf(Action::kHang) == nullptr) return;
  const std::shared_ptr<const Machine> at_start = machine_;
  while (RuleOf(Action::kHang) != nullptr) {
    std::this_thread::sleep_for(kHangPoll);
    machine_ = MachineNow();
    FindRules();
  }
  if (at_start != machine_ && card_ && device_id_) chip_ = machine_->At(*card_, *device_id_);
}

void Call::CrashIfTold() const {
  const Rule* rule = RuleOf(Action::kCrash);
  if (rule == nullptr) return;
  if (rule->number > 0) {
    CountName name;
    (name += "crash ") += rule->text;
    if (RuleCounts()->Add(name.text()) > static_cast<std::uint64_t>(rule->number)) return;
  }
  Die(rule->crash);
}

std::optional<int> Call::VerdictOf(std::span<const Room> outs) {
  TakeTime();
  WaitWhileHung();
  CrashIfTold();
  if (const Rule* code = RuleOf(Action::kCode); code != nullptr && code->number != 0) {
    return static_cast<int>(code->number);
  }
  if (!machine_->problem.empty()) return kInnerError;
  if (!HasGeneration()) return kNotSupported;
  const Rule* garbage = RuleOf(Action::kGarbage);
  if (garbage == nullptr || outs.empty()) return std::nullopt;
  const CountName name = NameForDevice("garbage ");
  Fill(outs, garbage->garbage,
       std::hash<std::string_view>()(name.text()) + RuleCounts()->Add(name.text()));
  return kOk;
}

std::optional<int> Call::CheckChip(const void* out) const {
  if (out == nullptr || !card_) return kInvalidParameter;
  if (chip_ != nullptr) return std::nullopt;
  const auto mcu = machine_->mcu_ids.find(*card_);
  const bool is_mcu = mcu != machine_->mcu_ids.end() && mcu->second == device_id_;
  return is_mcu ? kNotSupported : kInvalidParameter;
}

std::optional<std::int64_t> Call::NumberOfRules(std::string_view field) const {
  std::optional<std::int64_t> number;
  for (const Rule* rule : rules_) {
    if (rule->action != Action::kValue) continue;
    if (rule->field.empty() || rule->field == field) number = rule->number;
  }
  return number;
}

void Call::SetText(std::span<char> out, const char* field, const std::string& text) const {
  CopyText(out, text);
  for (const Rule* rule : rules_) {
    if (rule->action == Action::kText && rule->field == field) CopyText(out, rule->text);
  }
}

void Call::SetText(std::span<unsigned char> out, const char* field, const std::string& text) const {
  SetText(std::span<char>(reinterpret_cast<char*>(out.data()), out.size()), field, text);
}

}  // namespace fake_dcmi

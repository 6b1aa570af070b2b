#include "rule.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "machine_data.h"

namespace fake_dcmi {
namespace {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

struct ActionForm {
  Action action;
  std::size_t least;  // words after the action
  std::size_t most;
};
constexpr std::array<Named<ActionForm>, 7> kActions = {{{"code", {Action::kCode, 1, 1}},
                                                        {"value", {Action::kValue, 1, 2}},
                                                        {"text", {Action::kText, 2, 2}},
                                                        {"slow", {Action::kSlow, 1, 1}},
                                                        {"hang", {Action::kHang, 0, 0}},
                                                        {"crash", {Action::kCrash, 0, 3}},
                                                        {"garbage", {Action::kGarbage, 0, 1}}}};
constexpr std::array<Named<Crash>, 6> kCrashes = {{{"segv", Crash::kSegv},
                                                   {"abort", Crash::kAbort},
                                                   {"exit", Crash::kExit},
                                                   {"_exit", Crash::kExitAtOnce},
                                                   {"stack", Crash::kStackOverflow},
                                                   {"heap", Crash::kDoubleFree}}};
constexpr std::array<Named<Garbage>, 4> kGarbage = {{{"random", Garbage::kRandom},
                                                     {"ones", Garbage::kOnes},
                                                     {"zeros", Garbage::kZeros},
                                                     {"text", Garbage::kText}}};

template <class T, std::size_t N>
std::optional<T> Find(const std::array<Named<T>, N>& names, const std::string& name) {
  const auto* found = std::ranges::find(names, name, &Named<T>::name);
  return found == names.end() ? std::nullopt : std::optional(found->value);
}

// A number, or MAIN/SUB.
std::optional<int> ParseType(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) {
    const auto type = ParseNumber(text);
    return type ? std::optional(static_cast<int>(*type)) : std::nullopt;
  }
  const auto main = ParseNumber(text.substr(0, slash));
  const auto sub = ParseNumber(text.substr(slash + 1));
  if (!main || !sub) return std::nullopt;
  return InfoType(static_cast<int>(*main), static_cast<unsigned int>(*sub));
}

// Stores what was found; false where nothing was.
template <class T>
bool Store(const std::optional<T>& found, T& out) {
  if (found) out = *found;
  return found.has_value();
}

bool ReadCrash(Rule& rule, const Words& words) {
  if (words.size() > 0 && !Store(Find(kCrashes, words[0]), rule.crash)) return false;
  if (words.size() > 1 && !Store(ParseNumber(words[1]), rule.number)) return false;
  rule.text = words.size() > 2 ? words[2] : rule.function + " " + rule.target;
  return true;
}

// `words`: those after the action.
bool ReadAction(Rule& rule, const Words& words) {
  if (rule.action == Action::kHang) return true;
  if (rule.action == Action::kCrash) return ReadCrash(rule, words);
  if (rule.action == Action::kGarbage) {
    return words.empty() || Store(Find(kGarbage, words[0]), rule.garbage);
  }
  if (words.size() > 1) rule.field = words[0];
  if (rule.action == Action::kText) {
    rule.text = Decode(words.back());
    return true;
  }
  return Store(ParseNumber(words.back()), rule.number);
}

}  // namespace

std::optional<Rule> ParseRule(const Words& words) {
  if (words.size() < 4) return std::nullopt;
  Rule rule;
  rule.function = words[1];
  rule.target = words[2];
  if (const auto colon = rule.function.find(':'); colon != std::string::npos) {
    rule.type = ParseType(rule.function.substr(colon + 1));
    if (!rule.type) return std::nullopt;
    rule.function.resize(colon);
  }
  const auto form = Find(kActions, words[3]);
  const Words rest(words.begin() + 4, words.end());
  if (!form || rest.size() < form->least || rest.size() > form->most) return std::nullopt;
  rule.action = form->action;
  return ReadAction(rule, rest) ? std::optional(std::move(rule)) : std::nullopt;
}

}  // namespace fake_dcmi

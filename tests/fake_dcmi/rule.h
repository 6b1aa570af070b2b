// A line "rule" of the data file; machine_data.h says what each does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "crash.h"
#include "garbage.h"
#include "words.h"

namespace fake_dcmi {

enum class Action { kCode, kValue, kText, kSlow, kHang, kCrash, kGarbage };

struct Rule {
  std::string function;
  std::optional<int> type;
  std::string target;
  Action action = Action::kCode;
  std::string field;        // of value and text; empty: every field
  std::int64_t number = 0;  // of code, value, slow; of crash how many calls die, 0 for all
  std::string text;         // of text; of crash the name that its calls are counted by
  Crash crash = Crash::kSegv;
  Garbage garbage = Garbage::kRandom;
};

// Nothing where the line is no rule.
std::optional<Rule> ParseRule(const Words& words);

}  // namespace fake_dcmi

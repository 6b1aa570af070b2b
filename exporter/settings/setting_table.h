// The one table of settings. The command line, the file, --help and docs/configuration.md are all
// made from it, so a setting is added by a field in Settings and a row in setting_table.cc.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "exporter/settings/duration.h"
#include "exporter/settings/settings.h"

namespace ascend {

// Refuses a text; the error quotes it and fits behind "where: ".
using TextCheck = absl::Status (*)(const std::string&);

// What a setting holds, where, and what it may be.
struct TextKind {
  std::string Settings::*field;
  TextCheck check;
  std::string_view rule;  // `check` in words
};
struct ChoiceKind {
  std::string Settings::*field;
  std::span<const std::string_view> allowed;
};
struct TextListKind {  // at least one text
  std::vector<std::string> Settings::*field;
  TextCheck check;
  std::string_view rule;
};
struct SwitchKind {
  bool Settings::*field;
};
struct DurationKind {
  std::chrono::nanoseconds Settings::*field;
  DurationBounds bounds;
};
struct CountBounds {
  int least;
  int most;
};
struct CountKind {
  std::optional<int> Settings::*field;
  CountBounds bounds;
};

struct Setting {
  std::string_view group;  // heading in --help
  std::string_view flag;   // "--sampling.fast-period"
  std::string_view value;  // what --help calls the value
  std::string_view help;   // one sentence
  std::string_view unset;  // what an empty value means, in words
  std::variant<TextKind, ChoiceKind, TextListKind, SwitchKind, DurationKind, CountKind> kind;
};

// Rows of one group stand together.
std::span<const Setting> AllSettings();

// "sampling.fast_period" for --sampling.fast-period; empty for --config.file, which only a flag
// sets.
std::string FileKey(const Setting& setting);

bool TakesList(const Setting& setting);
bool IsSwitch(const Setting& setting);

// Reads `texts` (exactly one, unless the setting takes a list) into `settings`.
absl::Status Assign(const Setting& setting, const std::vector<std::string>& texts,
                    Settings& settings);

// The value in `settings` as a user would write it, one text for each element; empty if unset.
std::vector<std::string> ValueTexts(const Setting& setting, const Settings& settings);

// ":10910" or, for an empty value, the words of `unset`.
std::string DefaultText(const Setting& setting);

// "10ms to 1m"; what the value must look like where there are no bounds.
std::string BoundsText(const Setting& setting);

}  // namespace ascend

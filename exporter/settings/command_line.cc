#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "exporter/settings/commands.h"
#include "exporter/settings/config_file.h"
#include "exporter/settings/help.h"
#include "exporter/settings/quoted.h"
#include "exporter/settings/setting_table.h"
#include "exporter/settings/settings.h"
#include "exporter/settings/text_checks.h"

namespace ascend {
namespace {

using Texts = std::vector<std::string>;

constexpr int kMostFiles = 1000;  // behind parse
constexpr DurationBounds kSimulateFor{std::chrono::seconds(1), std::chrono::hours(24 * 365)};
constexpr DurationBounds kSimulateEvery{std::chrono::milliseconds(10), std::chrono::hours(24)};

absl::Status Refuse(std::string_view where, std::string_view problem) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", OneLine(where), problem));
}

const Setting* FindFlag(std::string_view flag) {
  const std::span<const Setting> all = AllSettings();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Setting& setting) { return setting.flag == flag; });
  return found == all.end() ? nullptr : &*found;
}

// Splits "--flag=" in two, since CLI11 would take the next word for its value.
absl::StatusOr<Texts> SplitEmptyValues(int argc, const char* const* argv) {
  Texts words;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    const bool empty_value = word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1;
    if (!empty_value) {
      words.push_back(std::move(word));
      continue;
    }
    word.pop_back();
    const Setting* setting = FindFlag(word);
    if (setting != nullptr && IsSwitch(*setting)) {
      return Refuse(word, "\"\" is neither true nor false");
    }
    words.push_back(std::move(word));
    words.emplace_back();
  }
  return words;
}

// Sorts the words of a command line by flag. What the texts mean is left to the table of settings.
class FlagSorter {
 public:
  FlagSorter() {
    app_.set_help_flag();  // ours shows the keys of the file, too
    app_.allow_extras();   // reported with a suggestion
    app_.fallthrough();
    app_.require_subcommand(0, 1);
    app_.add_flag("--help,-h");
    app_.add_flag("--version");
    for (const Setting& setting : AllSettings()) {
      const std::string flag(setting.flag);
      Collect(IsSwitch(setting) ? app_.add_flag(flag) : app_.add_option(flag));
    }
    for (const CommandRow& row : kCommands) {
      CLI::App* command = app_.add_subcommand(std::string(row.name));
      for (const CommandFlag& flag : kCommandFlags) {
        if (flag.command != row.command) continue;
        CLI::Option* option = command->add_option(std::string(flag.flag));
        Collect(option);
        if (flag.flag == kParseFiles.flag) option->expected(1, kMostFiles)->allow_extra_args();
      }
    }
  }

  absl::Status Sort(Texts words) {
    const std::string last = words.empty() ? "" : words.back();
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(std::move(words));
    } catch (const CLI::ArgumentMismatch&) {
      return Refuse(last, "needs a value");
    } catch (const std::exception& error) {
      return Refuse("command line", OneLine(error.what()));
    }
    return absl::OkStatus();
  }

  [[nodiscard]] bool Has(const std::string& flag) const { return app_.count(flag) > 0; }

  // Every value of the flag, in order; empty if it was not given.
  [[nodiscard]] Texts TextsOf(std::string_view flag) const {
    for (const CLI::App* app : Apps()) {
      const CLI::Option* option = app->get_option_no_throw(std::string(flag));
      if (option != nullptr) return option->results();
    }
    return {};
  }

  [[nodiscard]] Command command() const {
    for (const CommandRow& row : kCommands) {
      if (app_.got_subcommand(std::string(row.name))) return row.command;
    }
    return Command::kServe;
  }

  // Words that are no flag, no value and no command.
  [[nodiscard]] Texts Leftovers() const { return app_.remaining(true); }

 private:
  static void Collect(CLI::Option* option) {
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  }

  [[nodiscard]] std::vector<const CLI::App*> Apps() const {
    std::vector<const CLI::App*> apps = {&app_};
    for (const CLI::App* command : app_.get_subcommands()) apps.push_back(command);
    return apps;
  }

  CLI::App app_;
};

absl::Status RefuseWord(const std::string& word, Command command) {
  if (word.rfind('-', 0) != 0) {
    return absl::InvalidArgumentError(
        fmt::format("{}: is no command and no flag; see ascend-exporter --help", Quoted(word)));
  }
  const std::string flag = word.substr(0, word.find('='));
  std::vector<std::string_view> candidates = {"--help", "--version"};
  for (const Setting& setting : AllSettings()) candidates.push_back(setting.flag);
  for (const CommandFlag& known : kCommandFlags) {
    if (known.command == command) {
      candidates.push_back(known.flag);
    } else if (known.flag == flag) {
      const auto* owner =
          std::find_if(kCommands.begin(), kCommands.end(),
                       [&](const CommandRow& row) { return row.command == known.command; });
      return Refuse(flag, fmt::format("only for the command {}, and behind it", owner->name));
    }
  }
  const std::string_view nearest = Nearest(flag, candidates);
  return Refuse(flag, nearest.empty()
                          ? "unknown flag; see ascend-exporter --help"
                          : fmt::format("unknown flag; did you mean {}? See ascend-exporter --help",
                                        nearest));
}

// CLI11 takes the word behind a flag for its value even if it is a flag, too.
absl::Status CheckValuesAreNoFlags(const FlagSorter& sorter) {
  for (const Setting& setting : AllSettings()) {
    for (const std::string& text : sorter.TextsOf(setting.flag)) {
      if (text.rfind("--", 0) == 0) {
        return Refuse(setting.flag, fmt::format("needs a value, but {} follows", Quoted(text)));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status AssignFlags(const FlagSorter& sorter, Settings& settings) {
  for (const Setting& setting : AllSettings()) {
    const Texts texts = sorter.TextsOf(setting.flag);
    if (texts.empty()) continue;
    if (absl::Status status = Assign(setting, texts, settings); !status.ok()) {
      return Refuse(setting.flag, std::string(status.message()));
    }
  }
  return absl::OkStatus();
}

// The one text of a command's flag, or none.
absl::StatusOr<std::optional<std::string>> OneText(const FlagSorter& sorter,
                                                   std::string_view flag) {
  const Texts texts = sorter.TextsOf(flag);
  if (texts.size() > 1) {
    return Refuse(flag, fmt::format("given {} times; give it once", texts.size()));
  }
  return texts.empty() ? std::nullopt : std::optional(texts.front());
}

absl::Status AssignDuration(const FlagSorter& sorter, std::string_view flag,
                            const DurationBounds& bounds, std::chrono::nanoseconds& value) {
  const auto text = OneText(sorter, flag);
  if (!text.ok()) return text.status();
  if (!text->has_value()) return absl::OkStatus();
  const auto duration = ParseDuration(**text, bounds);
  if (!duration.ok()) return Refuse(flag, std::string(duration.status().message()));
  value = *duration;
  return absl::OkStatus();
}

absl::Status AssignLanguage(const FlagSorter& sorter, Language& language) {
  const auto text = OneText(sorter, kLanguageFlag.flag);
  if (!text.ok()) return text.status();
  if (!text->has_value() || **text == "en") return absl::OkStatus();
  if (**text != "zh") {
    return Refuse(kLanguageFlag.flag,
                  fmt::format("{} is no language of the list; want en or zh", Quoted(**text)));
  }
  language = Language::kChinese;
  return absl::OkStatus();
}

absl::Status AssignUrl(const FlagSorter& sorter, std::string_view flag, std::string& url) {
  const auto text = OneText(sorter, flag);
  if (!text.ok()) return text.status();
  if (!text->has_value()) return absl::OkStatus();
  url = **text;
  if (absl::Status status = CheckHttpUrl(url); !status.ok()) {
    return Refuse(flag, std::string(status.message()));
  }
  return absl::OkStatus();
}

absl::Status AssignUrls(const FlagSorter& sorter, Invocation& invocation) {
  absl::Status status = AssignUrl(sorter, kUrlFlag.flag, invocation.healthcheck_url);
  if (status.ok()) status = AssignUrl(sorter, kCompareUrl.flag, invocation.compare_url);
  if (status.ok()) status = AssignUrl(sorter, kWithFlag.flag, invocation.compare_with);
  if (status.ok() && invocation.command == Command::kCompare && invocation.compare_url.empty()) {
    return Refuse("compare", "needs a URL behind it, such as http://127.0.0.1:8082/metrics");
  }
  return status;
}

absl::Status AssignFiles(const FlagSorter& sorter, Invocation& invocation) {
  invocation.parse_files = sorter.TextsOf(kParseFiles.flag);
  if (invocation.command != Command::kParse || !invocation.parse_files.empty()) {
    return absl::OkStatus();
  }
  return Refuse("parse", "needs a file behind it, or - for standard input");
}

absl::Status AssignCommandFlags(const FlagSorter& sorter, Invocation& invocation) {
  absl::Status status = AssignUrls(sorter, invocation);
  if (status.ok()) status = AssignFiles(sorter, invocation);
  if (status.ok()) status = AssignLanguage(sorter, invocation.language);
  if (status.ok()) {
    status = AssignDuration(sorter, kForFlag.flag, kSimulateFor, invocation.simulate_for);
  }
  if (status.ok()) {
    status = AssignDuration(sorter, kEveryFlag.flag, kSimulateEvery, invocation.simulate_every);
  }
  if (!status.ok()) return status;
  if (invocation.simulate_every > invocation.simulate_for) {
    return Refuse(kEveryFlag.flag,
                  fmt::format("{} is longer than {} {}, so no page would be printed",
                              FormatDuration(invocation.simulate_every), kForFlag.flag,
                              FormatDuration(invocation.simulate_for)));
  }
  return absl::OkStatus();
}

// What no setting can know alone.
absl::Status CheckTogether(const Settings& settings) {
  if (settings.compat_path == settings.telemetry_path) {
    return Refuse("--compat.path",
                  fmt::format("{} is the path of the metrics page already (--web.telemetry-path); "
                              "write another one, such as /metrics/huawei",
                              settings.compat_path));
  }
  return absl::OkStatus();
}

absl::StatusOr<Settings> LayFlagsOverFile(const FlagSorter& sorter) {
  Settings flags_only;
  if (absl::Status status = AssignFlags(sorter, flags_only); !status.ok()) return status;
  if (flags_only.config_file.empty()) return flags_only;

  const auto text = ReadConfigFile(flags_only.config_file);
  if (!text.ok()) return text.status();
  Settings settings;
  if (absl::Status status = ApplyConfigText(*text, flags_only.config_file, settings);
      !status.ok()) {
    return status;
  }
  if (absl::Status status = AssignFlags(sorter, settings); !status.ok()) return status;
  return settings;
}

}  // namespace

absl::StatusOr<ParsedCommandLine> ParseCommandLine(int argc, const char* const* argv) {
  absl::StatusOr<Texts> words = SplitEmptyValues(argc, argv);
  if (!words.ok()) return words.status();
  FlagSorter sorter;
  if (absl::Status status = sorter.Sort(*std::move(words)); !status.ok()) return status;

  ParsedCommandLine parsed;
  if (sorter.Has("--help")) parsed.early_exit = EarlyExit{HelpText()};
  if (!parsed.early_exit && sorter.Has("--version")) parsed.early_exit = EarlyExit{VersionText()};
  if (parsed.early_exit) return parsed;

  if (absl::Status status = CheckValuesAreNoFlags(sorter); !status.ok()) return status;
  parsed.invocation.command = sorter.command();
  const Texts leftovers = sorter.Leftovers();
  if (!leftovers.empty()) return RefuseWord(leftovers.front(), parsed.invocation.command);
  absl::StatusOr<Settings> settings = LayFlagsOverFile(sorter);
  if (!settings.ok()) return settings.status();
  if (absl::Status status = CheckTogether(*settings); !status.ok()) return status;
  parsed.invocation.settings = *std::move(settings);
  if (absl::Status status = AssignCommandFlags(sorter, parsed.invocation); !status.ok()) {
    return status;
  }
  return parsed;
}

}  // namespace ascend

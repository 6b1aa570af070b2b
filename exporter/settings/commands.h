// The commands of the program and the flags that only one of them knows.
#pragma once

#include <array>
#include <string_view>

#include "exporter/settings/settings.h"

namespace ascend {

struct CommandRow {
  Command command;
  std::string_view name;
  std::string_view help;
};

inline constexpr std::array kCommands = {
    CommandRow{Command::kHealthcheck, "healthcheck",
               "Ask a running exporter whether it is alive; the exit status says so."},
    CommandRow{Command::kMetrics, "metrics", "Print the list of all metrics."},
    CommandRow{Command::kMigration, "migration",
               "Print the table from the names of Huawei's npu-exporter to those here."},
    CommandRow{Command::kCompare, "compare",
               "Say where the page of Huawei's npu-exporter and this program's differ, and why."},
    CommandRow{Command::kParse, "parse",
               "Print the page for pasted output of npu-smi and hccn_tool."},
    CommandRow{Command::kSimulate, "simulate",
               "Play a scenario in virtual time and print its pages."},
};

struct CommandFlag {
  Command command;
  std::string_view flag;
  std::string_view value;
  std::string_view help;
};

inline constexpr CommandFlag kUrlFlag = {Command::kHealthcheck, "--url", "URL",
                                         "What to ask; default: the first listen address."};
inline constexpr CommandFlag kLanguageFlag = {Command::kMetrics, "--language", "LANGUAGE",
                                              "Of the document: en or zh (default en)."};
inline constexpr CommandFlag kMigrationLanguageFlag = {Command::kMigration, kLanguageFlag.flag,
                                                       kLanguageFlag.value, kLanguageFlag.help};
// Not a flag: the word behind the command.
inline constexpr CommandFlag kCompareUrl = {
    Command::kCompare, "URL", "(required)",
    "The npu-exporter's page, such as http://127.0.0.1:8082/metrics."};
inline constexpr CommandFlag kWithFlag = {
    Command::kCompare, "--with", "URL",
    "This program's page, with names of either kind; default: of the first address."};
// Not a flag: the words behind the command.
inline constexpr CommandFlag kParseFiles = {
    Command::kParse, "FILE", "...", "Files with what the tools printed; - is standard input."};
inline constexpr CommandFlag kForFlag = {Command::kSimulate, "--for", "DURATION",
                                         "Virtual time to play."};
inline constexpr CommandFlag kEveryFlag = {Command::kSimulate, "--every", "DURATION",
                                           "Virtual time between two pages."};
inline constexpr std::array kCommandFlags = {kUrlFlag,    kLanguageFlag, kMigrationLanguageFlag,
                                             kCompareUrl, kWithFlag,     kParseFiles,
                                             kForFlag,    kEveryFlag};

}  // namespace ascend

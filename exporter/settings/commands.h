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
inline constexpr CommandFlag kForFlag = {Command::kSimulate, "--for", "DURATION",
                                         "Virtual time to play."};
inline constexpr CommandFlag kEveryFlag = {Command::kSimulate, "--every", "DURATION",
                                           "Virtual time between two pages."};
inline constexpr std::array kCommandFlags = {kUrlFlag, kForFlag, kEveryFlag};

}  // namespace ascend

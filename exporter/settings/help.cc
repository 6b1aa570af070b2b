#include "exporter/settings/help.h"

#include <fmt/format.h>

#include <string_view>

#include "exporter/settings/commands.h"
#include "exporter/settings/setting_table.h"
#include "exporter/settings/version.h"

namespace ascend {
namespace {

constexpr std::string_view kIntroduction = R"(Prometheus exporter for Huawei Ascend NPUs.

Usage: ascend-exporter [COMMAND] [FLAGS]

Without a command it samples the devices and serves their metrics until it is told to stop.

A flag is written --flag VALUE or --flag=VALUE, a switch --flag or --flag=false. The file named by
--config.file takes the same settings by their keys, a point being a level of the map, for example
"sampling: {fast_period: 250ms}" for sampling.fast_period. A flag wins over the file.
Durations are a number with ms, s, m, h or d.
)";

std::string CommandsText() {
  const Invocation defaults;
  std::string text = "\nCommands:\n";
  for (const CommandRow& row : kCommands) {
    text += fmt::format("  {}\n      {}\n", row.name, row.help);
    for (const CommandFlag& flag : kCommandFlags) {
      if (flag.command != row.command) continue;
      text += fmt::format("      {} {}: {}", flag.flag, flag.value, flag.help);
      if (flag.flag == kForFlag.flag) {
        text += fmt::format(" (default {})", FormatDuration(defaults.simulate_for));
      } else if (flag.flag == kEveryFlag.flag) {
        text += fmt::format(" (default {})", FormatDuration(defaults.simulate_every));
      }
      text += "\n";
    }
  }
  return text;
}

std::string SettingText(const Setting& setting) {
  const std::string key = FileKey(setting);
  std::string text = fmt::format("  {}", setting.flag);
  if (!IsSwitch(setting)) text += fmt::format(" {}", setting.value);
  text += key.empty() ? "\n" : fmt::format("  (key {})\n", key);
  text += fmt::format("      {}{}\n", setting.help, TakesList(setting) ? " May be repeated." : "");
  text +=
      fmt::format("      Default: {}. Allowed: {}.\n", DefaultText(setting), BoundsText(setting));
  return text;
}

}  // namespace

std::string HelpText() {
  std::string text(kIntroduction);
  text += CommandsText();
  std::string_view group;
  for (const Setting& setting : AllSettings()) {
    if (setting.group != group) {
      group = setting.group;
      text += fmt::format("\n{}:\n", group);
      if (group == "General") {
        text += "  --help, -h\n      Print this text.\n";
        text += "  --version\n      Print the version.\n";
      }
    }
    text += SettingText(setting);
  }
  return text;
}

std::string VersionText() {
  return fmt::format("ascend-exporter {} (revision {})\n", ReleaseVersion(), BuildRevision());
}

}  // namespace ascend

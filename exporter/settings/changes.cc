#include "exporter/settings/changes.h"

#include <algorithm>
#include <string_view>

#include "exporter/settings/setting_table.h"

namespace ascend {
namespace {

// Bound, chosen or given up at the start.
bool NeedsRestart(std::string_view flag) {
  constexpr std::string_view kPrefixes[] = {"--web.",      "--compat.",    "--front.",
                                            "--isolation", "--log.format", "--driver"};
  return std::ranges::any_of(kPrefixes, [&](auto prefix) { return flag.starts_with(prefix); });
}

// The front alone works by these.
bool IsFrontsOwn(std::string_view flag) {
  return flag == "--devices.expected" || flag == "--devices.release-for" || flag == "--log.level";
}

}  // namespace

SettingChanges FindChanges(const Settings& before, const Settings& after) {
  SettingChanges changes;
  for (const Setting& setting : AllSettings()) {
    if (ValueTexts(setting, before) == ValueTexts(setting, after)) continue;
    // Which of the two programs hosts the driver is settled at the start; which driver it takes is
    // not.
    const bool kind_of_host =
        setting.flag == "--driver" && (before.driver == "sim" || after.driver == "sim");
    if (setting.flag == "--driver" ? kind_of_host : NeedsRestart(setting.flag)) {
      changes.after_restart.emplace_back(setting.flag);
    } else if (!IsFrontsOwn(setting.flag) && setting.flag != "--config.file") {
      changes.for_host = true;
    }
  }
  return changes;
}

}  // namespace ascend

// What another configuration means for a program that runs.
#pragma once

#include <string>
#include <vector>

#include "exporter/settings/settings.h"

namespace ascend {

struct SettingChanges {
  bool for_host = false;                   // the driver host works by them: another one must start
  std::vector<std::string> after_restart;  // flags whose new values are not used before a restart
};
SettingChanges FindChanges(const Settings& before, const Settings& after);

}  // namespace ascend

// How the program that a user starts becomes the supervisor of the processes that do the work.
#pragma once

#include "absl/status/status.h"
#include "exporter/settings/settings.h"

namespace ascend {

// Replaces this process by the supervisor, which lies beside its program and starts those that lie
// there, too. Returns only an error: what is missing, and what to do.
absl::Status BecomeSupervisor(const Settings& settings, char** argv);

// Whether the supervisor runs this program for its settings alone, at a reload.
bool IsSettingsReader();
// Hands it them. Returns the exit status of the process.
int WriteSettings(const Settings& settings);

}  // namespace ascend

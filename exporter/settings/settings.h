// What the user set, from flags and from one YAML file. One table (setting_table.cc) holds every
// setting: its flag, its key in the file, its default and its help.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend {

struct Settings {
  std::string config_file;
  std::string isolation = "full";                          // --isolation: full, none
  std::vector<std::string> listen_addresses = {":10910"};  // --web.listen-address, repeatable
  std::string telemetry_path = "/metrics";                 // --web.telemetry-path
  bool lifecycle_enabled = false;                          // --web.enable-lifecycle
  std::string front_user = "65534";                        // --front.user: a name or a number
  std::string compat_path;                                 // --compat.path; empty: not served
  std::vector<std::string> compat_listen_addresses;        // --compat.listen-address, repeatable
  std::string driver = "auto";                             // --driver: auto, dcmi, npu-smi, sim
  std::string dcmi_library;                                // --dcmi.library
  bool dcmi_allow_untrusted_library = false;               // --dcmi.allow-untrusted-library
  std::string npu_smi_path;                                // --npu-smi.path
  std::string hccn_tool_path;                              // --hccn-tool.path
  std::string sysfs_path = "/sys";                         // --path.sysfs
  std::string state_path;                                  // --path.state; empty: none
  std::string sim_scenario = "8x910b";                     // --sim.scenario
  std::string log_level = "info";                          // --log.level: debug, info, warn, error
  std::string log_format = "logfmt";                       // --log.format: logfmt, json
  // --sampling.fast-period, ...: in the file sampling.fast_period, ... Floors: 10 ms (fast),
  // 100 ms (others).
  std::chrono::nanoseconds fast_period = std::chrono::seconds(1);
  std::chrono::nanoseconds health_period = std::chrono::seconds(1);
  std::chrono::nanoseconds memory_period = std::chrono::seconds(5);
  std::chrono::nanoseconds links_period = std::chrono::seconds(15);
  std::chrono::nanoseconds network_period = std::chrono::seconds(30);
  std::chrono::nanoseconds identity_period = std::chrono::seconds(60);
  // --sampling.fast-deadline, ...: how long a call of the group may take. Floor 10 ms.
  std::chrono::nanoseconds fast_deadline = std::chrono::seconds(1);
  std::chrono::nanoseconds health_deadline = std::chrono::seconds(1);
  std::chrono::nanoseconds memory_deadline = std::chrono::seconds(2);
  std::chrono::nanoseconds links_deadline = std::chrono::seconds(5);
  std::chrono::nanoseconds network_deadline = std::chrono::seconds(10);
  std::chrono::nanoseconds identity_deadline = std::chrono::seconds(10);
  std::chrono::nanoseconds window = std::chrono::seconds(60);  // --sampling.window
  std::vector<std::string> collectors_enabled;                 // --collectors.enable
  std::vector<std::string> collectors_disabled;                // --collectors.disable
  std::chrono::nanoseconds discovery_period =
      std::chrono::seconds(60);                                      // --devices.discovery-period
  std::chrono::nanoseconds lost_retention = std::chrono::hours(24);  // --devices.lost-retention
  std::optional<int> devices_expected;                               // --devices.expected
  std::chrono::nanoseconds release_for = std::chrono::minutes(10);   // --devices.release-for
};

enum class Command { kServe, kHealthcheck, kMetrics, kMigration, kCompare, kSimulate, kParse };
enum class Language { kEnglish, kChinese };

struct Invocation {
  Command command = Command::kServe;
  Settings settings;
  std::string healthcheck_url;  // empty: from the first listen address
  std::string compare_url;      // of the npu-exporter's page
  std::string compare_with;     // empty: this program's, from the first listen address
  Language language = Language::kEnglish;
  std::vector<std::string> parse_files;  // "-": standard input
  std::chrono::nanoseconds simulate_for = std::chrono::minutes(1);
  std::chrono::nanoseconds simulate_every = std::chrono::seconds(30);
};

// What to print to standard output before ending with status 0: --help and --version.
struct EarlyExit {
  std::string text;
};

struct ParsedCommandLine {
  std::optional<EarlyExit> early_exit;
  Invocation invocation;
};

// Reads the command line, then the file that it names; flags win over the file. An error is one
// line: what is wrong, where (flag, or file:line: key) and what to write instead.
absl::StatusOr<ParsedCommandLine> ParseCommandLine(int argc, const char* const* argv);

// The file alone, laid over `settings`. `path` names it in errors.
absl::Status ApplyConfigText(const std::string& text, const std::string& path, Settings& settings);

}  // namespace ascend

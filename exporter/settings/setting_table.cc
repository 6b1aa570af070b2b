#include "exporter/settings/setting_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "exporter/settings/quoted.h"
#include "exporter/settings/text_checks.h"

namespace ascend {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::string_view kDrivers[] = {"auto", "dcmi", "npu-smi", "sim"};
constexpr std::string_view kIsolations[] = {"full", "none"};
constexpr std::string_view kLogLevels[] = {"debug", "info", "warn", "error"};
constexpr std::string_view kLogFormats[] = {"logfmt", "json"};

constexpr DurationBounds kFastPeriod{milliseconds(10), minutes(1)};
constexpr DurationBounds kPeriod{milliseconds(100), hours(1)};
constexpr DurationBounds kDeadline{milliseconds(10), minutes(5)};
constexpr DurationBounds kWindow{seconds(1), hours(1)};
constexpr DurationBounds kRetention{seconds(1), hours(24 * 365)};
constexpr DurationBounds kRelease{seconds(1), hours(24)};
constexpr CountBounds kExpectedDevices{0, 1024};  // more than any host holds

constexpr std::string_view kPathRule = "a path";
constexpr std::string_view kAddressRule = "host:port, [::1]:port or :port";
constexpr std::string_view kTelemetryRule = "begins with /; not / and nothing below /-/";
constexpr std::string_view kCollectorRule = "the name of a collector";
constexpr std::string_view kScenarioRule = "a name or a path";
constexpr std::string_view kUserRule = "the name or the number of a user";

constexpr std::array kSettings = {
    Setting{"General", "--config.file", "PATH", "YAML file with settings; flags win over it.",
            "none", TextKind{&Settings::config_file, CheckPath, kPathRule}},
    Setting{"General", "--isolation", "MODE",
            "Processes: full keeps driver and web server in separate ones; none is a single one.",
            "", ChoiceKind{&Settings::isolation, kIsolations}},
    Setting{"General", "--front.user", "USER",
            "User that the process of the web server becomes if it starts as root.", "",
            TextKind{&Settings::front_user, CheckName, kUserRule}},
    Setting{"General", "--path.state", "PATH",
            "Folder of the small file that keeps state from one start to the next.", "none",
            TextKind{&Settings::state_path, CheckPath, kPathRule}},
    Setting{"Web", "--web.listen-address", "ADDRESS",
            "Address to listen on; without a host all addresses, port 0 picks one.", "",
            TextListKind{&Settings::listen_addresses, CheckListenAddress, kAddressRule}},
    Setting{"Web", "--web.telemetry-path", "PATH", "Path of the metrics page.", "",
            TextKind{&Settings::telemetry_path, CheckTelemetryPath, kTelemetryRule}},
    Setting{"Web", "--web.enable-lifecycle", "BOOL",
            "Let a POST reload the settings, or release and acquire the driver.", "",
            SwitchKind{&Settings::lifecycle_enabled}},
    Setting{"Compatibility", "--compat.path", "PATH",
            "Path of a second page, with the names of Huawei's npu-exporter.", "no such page",
            TextKind{&Settings::compat_path, CheckOptionalTelemetryPath, kTelemetryRule}},
    Setting{"Compatibility", "--compat.listen-address", "ADDRESS",
            "Address that serves those names at /metrics, such as :8082.", "none",
            TextListKind{&Settings::compat_listen_addresses, CheckListenAddress, kAddressRule}},
    Setting{"Driver", "--driver", "NAME",
            "Where readings come from; auto takes dcmi, else npu-smi.", "",
            ChoiceKind{&Settings::driver, kDrivers}},
    Setting{"Driver", "--dcmi.library", "PATH", "The vendor's library, libdcmi.so.",
            "search for it", TextKind{&Settings::dcmi_library, CheckPath, kPathRule}},
    Setting{"Driver", "--dcmi.allow-untrusted-library", "BOOL",
            "Load the library even if users other than root could have changed it.", "",
            SwitchKind{&Settings::dcmi_allow_untrusted_library}},
    Setting{"Driver", "--npu-smi.path", "PATH", "The vendor's tool, npu-smi.",
            "/usr/local/sbin, /usr/local/bin, /usr/sbin, /usr/bin, then PATH",
            TextKind{&Settings::npu_smi_path, CheckPath, kPathRule}},
    Setting{"Driver", "--hccn-tool.path", "PATH",
            "The vendor's tool for the chips' network, hccn_tool.",
            "/usr/local/Ascend/driver/tools/hccn_tool",
            TextKind{&Settings::hccn_tool_path, CheckPath, kPathRule}},
    Setting{"Driver", "--path.sysfs", "PATH", "Where the kernel tells of PCI devices.", "",
            TextKind{&Settings::sysfs_path, CheckPath, kPathRule}},
    Setting{"Driver", "--sim.scenario", "NAME",
            "What driver sim plays: a built-in machine, or the path of a scenario file.", "",
            TextKind{&Settings::sim_scenario, CheckName, kScenarioRule}},
    Setting{"Logging", "--log.level", "LEVEL", "Least severe level that is logged.", "",
            ChoiceKind{&Settings::log_level, kLogLevels}},
    Setting{"Logging", "--log.format", "FORMAT", "How a line of the log is written.", "",
            ChoiceKind{&Settings::log_format, kLogFormats}},
    Setting{"Sampling", "--sampling.fast-period", "DURATION",
            "Time between two readings of temperature, power and utilisation.", "",
            DurationKind{&Settings::fast_period, kFastPeriod}},
    Setting{"Sampling", "--sampling.health-period", "DURATION",
            "Time between two readings of health and fault codes.", "",
            DurationKind{&Settings::health_period, kPeriod}},
    Setting{"Sampling", "--sampling.memory-period", "DURATION",
            "Time between two readings of memory, ECC and processes.", "",
            DurationKind{&Settings::memory_period, kPeriod}},
    Setting{"Sampling", "--sampling.links-period", "DURATION",
            "Time between two readings of HCCS, PCIe and network counters.", "",
            DurationKind{&Settings::links_period, kPeriod}},
    Setting{"Sampling", "--sampling.network-period", "DURATION",
            "Time between two readings of network links and optical modules.", "",
            DurationKind{&Settings::network_period, kPeriod}},
    Setting{"Sampling", "--sampling.identity-period", "DURATION",
            "Time between two readings of who a device is.", "",
            DurationKind{&Settings::identity_period, kPeriod}},
    Setting{"Sampling", "--sampling.fast-deadline", "DURATION",
            "How long a call of the fast group may take; what comes later is dropped.", "",
            DurationKind{&Settings::fast_deadline, kDeadline}},
    Setting{"Sampling", "--sampling.health-deadline", "DURATION",
            "The same for a call of the health group.", "",
            DurationKind{&Settings::health_deadline, kDeadline}},
    Setting{"Sampling", "--sampling.memory-deadline", "DURATION",
            "The same for a call of the memory group.", "",
            DurationKind{&Settings::memory_deadline, kDeadline}},
    Setting{"Sampling", "--sampling.links-deadline", "DURATION",
            "The same for a call of the links group.", "",
            DurationKind{&Settings::links_deadline, kDeadline}},
    Setting{"Sampling", "--sampling.network-deadline", "DURATION",
            "The same for a call of the network group.", "",
            DurationKind{&Settings::network_deadline, kDeadline}},
    Setting{"Sampling", "--sampling.identity-deadline", "DURATION",
            "The same for a call of the identity group.", "",
            DurationKind{&Settings::identity_deadline, kDeadline}},
    Setting{"Sampling", "--sampling.window", "DURATION",
            "Span of the window metrics, the extremes of the fast group's samples.", "",
            DurationKind{&Settings::window, kWindow}},
    Setting{"Collectors", "--collectors.enable", "NAME",
            "Collector to run that is off by default; METRICS.md lists them.", "none",
            TextListKind{&Settings::collectors_enabled, CheckName, kCollectorRule}},
    Setting{"Collectors", "--collectors.disable", "NAME", "Collector not to run.", "none",
            TextListKind{&Settings::collectors_disabled, CheckName, kCollectorRule}},
    Setting{"Devices", "--devices.discovery-period", "DURATION",
            "Time between two searches for new and missing devices.", "",
            DurationKind{&Settings::discovery_period, kPeriod}},
    Setting{"Devices", "--devices.lost-retention", "DURATION",
            "How long a missing device is still shown as lost.", "",
            DurationKind{&Settings::lost_retention, kRetention}},
    Setting{"Devices", "--devices.expected", "COUNT", "Devices that this host should have.",
            "the most ever seen", CountKind{&Settings::devices_expected, kExpectedDevices}},
    Setting{"Devices", "--devices.release-for", "DURATION",
            "How long the driver stays released, unless it is acquired before.", "",
            DurationKind{&Settings::release_for, kRelease}},
};

absl::Status Read(const TextKind& kind, const std::string& text, Settings& settings) {
  if (absl::Status status = kind.check(text); !status.ok()) return status;
  settings.*kind.field = text;
  return absl::OkStatus();
}

absl::Status Read(const ChoiceKind& kind, const std::string& text, Settings& settings) {
  if (std::find(kind.allowed.begin(), kind.allowed.end(), text) == kind.allowed.end()) {
    return absl::InvalidArgumentError(
        fmt::format("{} is not one of {}", Quoted(text), fmt::join(kind.allowed, ", ")));
  }
  settings.*kind.field = text;
  return absl::OkStatus();
}

// Appends: Assign empties the list first.
absl::Status Read(const TextListKind& kind, const std::string& text, Settings& settings) {
  if (absl::Status status = kind.check(text); !status.ok()) return status;
  (settings.*kind.field).push_back(text);
  return absl::OkStatus();
}

absl::Status Read(const SwitchKind& kind, const std::string& text, Settings& settings) {
  if (text != "true" && text != "false") {
    return absl::InvalidArgumentError(fmt::format("{} is neither true nor false", Quoted(text)));
  }
  settings.*kind.field = text == "true";
  return absl::OkStatus();
}

absl::Status Read(const DurationKind& kind, const std::string& text, Settings& settings) {
  const auto duration = ParseDuration(text, kind.bounds);
  if (!duration.ok()) return duration.status();
  settings.*kind.field = *duration;
  return absl::OkStatus();
}

absl::StatusOr<int> ParseCount(const std::string& text, const CountBounds& bounds) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} is not a whole number; write one such as 8", Quoted(text)));
  }
  const bool in_range = error == std::errc();  // of an int; else far above or far below
  if (in_range ? count < bounds.least : text.front() == '-') {
    return absl::InvalidArgumentError(
        fmt::format("{} is below the least, {}", OneLine(text), bounds.least));
  }
  if (!in_range || count > bounds.most) {
    return absl::InvalidArgumentError(
        fmt::format("{} is above the most, {}", OneLine(text), bounds.most));
  }
  return count;
}

absl::Status Read(const CountKind& kind, const std::string& text, Settings& settings) {
  const auto count = ParseCount(text, kind.bounds);
  if (!count.ok()) return count.status();
  settings.*kind.field = *count;
  return absl::OkStatus();
}

std::vector<std::string> Texts(const std::string& value) {
  if (value.empty()) return {};
  return {value};
}
std::vector<std::string> Texts(const std::vector<std::string>& value) { return value; }
std::vector<std::string> Texts(bool value) { return {value ? "true" : "false"}; }
std::vector<std::string> Texts(std::chrono::nanoseconds value) { return {FormatDuration(value)}; }
std::vector<std::string> Texts(const std::optional<int>& value) {
  if (!value) return {};
  return {fmt::format("{}", *value)};
}

std::string Bounds(const TextKind& kind) { return std::string(kind.rule); }
std::string Bounds(const TextListKind& kind) { return std::string(kind.rule); }
std::string Bounds(const ChoiceKind& kind) {
  return fmt::format("{}", fmt::join(kind.allowed, ", "));
}
std::string Bounds(const SwitchKind& /*kind*/) { return "true or false"; }
std::string Bounds(const DurationKind& kind) {
  return fmt::format("{} to {}", FormatDuration(kind.bounds.least),
                     FormatDuration(kind.bounds.most));
}
std::string Bounds(const CountKind& kind) {
  return fmt::format("{} to {}", kind.bounds.least, kind.bounds.most);
}

}  // namespace

std::span<const Setting> AllSettings() { return kSettings; }

std::string FileKey(const Setting& setting) {
  if (setting.flag == "--config.file") return "";
  std::string key(setting.flag.substr(2));
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

bool TakesList(const Setting& setting) {
  return std::holds_alternative<TextListKind>(setting.kind);
}

bool IsSwitch(const Setting& setting) { return std::holds_alternative<SwitchKind>(setting.kind); }

absl::Status Assign(const Setting& setting, const std::vector<std::string>& texts,
                    Settings& settings) {
  if (const auto* list = std::get_if<TextListKind>(&setting.kind)) {
    if (texts.empty()) return absl::InvalidArgumentError("is empty; give at least one");
    (settings.*list->field).clear();
  } else if (texts.size() != 1) {
    return absl::InvalidArgumentError(fmt::format("given {} times; give it once", texts.size()));
  }
  for (const std::string& text : texts) {
    absl::Status status =
        std::visit([&](const auto& kind) { return Read(kind, text, settings); }, setting.kind);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::vector<std::string> ValueTexts(const Setting& setting, const Settings& settings) {
  return std::visit([&](const auto& kind) { return Texts(settings.*kind.field); }, setting.kind);
}

std::string DefaultText(const Setting& setting) {
  const std::vector<std::string> texts = ValueTexts(setting, Settings{});
  return texts.empty() ? std::string(setting.unset) : fmt::format("{}", fmt::join(texts, ", "));
}

std::string BoundsText(const Setting& setting) {
  return std::visit([](const auto& kind) { return Bounds(kind); }, setting.kind);
}

}  // namespace ascend

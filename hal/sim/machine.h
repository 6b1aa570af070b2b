// A machine description (docs/scenarios.md): what its chips are and what they report at rest.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/npu_driver.h"
#include "hal/readings.h"
#include "hal/sim/yaml_fields.h"

namespace ascend::sim {

// An absent field or section is one that the chip does not support.
struct Chip {
  FoundDevice found;
  DeviceIdentity identity;
  std::optional<Health> health;
  std::vector<std::uint32_t> faults;
  std::optional<Celsius> temperature;
  std::optional<Watts> power;
  std::optional<Watts> card_power;
  std::optional<UtilizationReading> utilization;
  std::optional<HbmReading> hbm;
  std::optional<DdrReading> ddr;
  std::optional<EccReading> ecc;
  std::optional<std::vector<ProcessReading>> processes;
};

struct Machine {
  DriverInfo info;
  std::vector<Chip> chips;  // no two of one physical id or one address
};

inline constexpr std::string_view kHealthNames[] = {"ok", "warning", "alarm", "critical",
                                                    "unknown"};
inline constexpr int kMaxChips = 1024;

constexpr Bytes MiB(double count) { return Bytes{count * 1048576.0}; }
constexpr Ratio Percent(double percent) { return Ratio{percent / 100.0}; }

// The text of a fault code: eight hex digits.
std::optional<std::uint32_t> ParseFaultCode(std::string_view text);

// The description in `root`; what is wrong with it goes to `problems`.
Machine ParseMachine(const YamlValue& root, YamlProblems& problems);

// Reads the file of a description. May block on the file.
absl::StatusOr<Machine> LoadMachine(const std::string& path);

// "8x910b, ..." for messages.
std::string BuiltinNames();
// The built-in machine of the name: nothing where there is none, an error for a fleet of a bad
// size.
absl::StatusOr<std::optional<Machine>> BuiltinMachine(std::string_view name);

}  // namespace ascend::sim

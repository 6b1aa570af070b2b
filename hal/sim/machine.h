// A machine description (docs/scenarios.md): what its chips are and what they report at rest.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/sim/chip.h"
#include "hal/sim/yaml_fields.h"

namespace ascend::sim {

struct Machine {
  DriverInfo info;
  std::optional<Health> driver_health;
  std::vector<Chip> chips;  // no two of one physical id or one address
};

inline constexpr std::string_view kHealthNames[] = {"ok", "warning", "alarm", "critical",
                                                    "unknown"};
// A kernel driver that is unknown is one that says nothing.
inline constexpr std::span<const std::string_view> kDriverHealthNames =
    std::span(kHealthNames).first(4);
inline constexpr int kMaxChips = 1024;

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

#include "hal/sim/scenario.h"

#include <filesystem>
#include <system_error>

#include "fmt/format.h"
#include "hal/driver_state.h"
#include "hal/sim/event.h"

namespace ascend::sim {
namespace {

constexpr std::array<std::string_view, 3> kLoadNames = {"steady", "idle", "waves"};
constexpr Bounds kSeed{0, 9'007'199'254'740'992.0};
constexpr std::size_t kMaxEvents = 100'000;
constexpr std::size_t kMaxPathBytes = 4096;

// The machine that `machine:` names, or that stands under it.
Machine ReadMachine(YamlFields& fields, const std::string& scenario_path) {
  const YamlValue* value = fields.Any("machine");
  if (value == nullptr) {
    fields.RefuseAbsent("machine");
    return {};
  }
  if (value->kind == YamlValue::Kind::kMap) return ParseMachine(*value, fields.problems());
  const auto text = fields.Text("machine", kMaxPathBytes);
  if (!text) return {};
  auto builtin = BuiltinMachine(*text);
  if (!builtin.ok()) {
    fields.Refuse("machine", std::string(builtin.status().message()));
    return {};
  }
  if (builtin->has_value()) return **std::move(builtin);

  const std::string path = (std::filesystem::path(scenario_path).parent_path() / *text).string();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    fields.Refuse("machine", fmt::format("there is no file {}, and \"{}\" is no built-in machine; "
                                         "built-in are {}",
                                         path, *text, BuiltinNames()));
    return {};
  }
  auto machine = LoadMachine(path);
  if (machine.ok()) return *std::move(machine);
  fields.Refuse("machine", std::string(machine.status().message()));
  return {};
}

void ReadEvents(YamlFields& fields, Scenario& scenario) {
  const YamlValue* list = fields.List("events");
  if (list == nullptr) return;
  if (list->items.size() > kMaxEvents) {
    fields.Refuse("events",
                  fmt::format("{} events, want at most {}", list->items.size(), kMaxEvents));
    return;
  }
  for (const YamlValue& item : list->items) {
    const auto placed = ParseEvent(item, scenario.machine, fields.problems());
    if (!placed) return;
    scenario.events[placed->chip].push_back(placed->event);
  }
}

absl::StatusOr<Scenario> LoadScenarioFile(const std::string& path) {
  const auto root = LoadYaml(path);
  if (!root.ok()) return root.status();
  if (const YamlEntry* chips = root->Find("chips"); chips && !root->Find("machine")) {
    return YamlError(path, chips->line, "chips",
                     "this file describes a machine; a scenario names it as machine: FILE");
  }
  YamlProblems problems(path);
  YamlFields fields(*root, "scenario", problems);
  Scenario scenario;
  scenario.machine = ReadMachine(fields, path);
  scenario.seed = static_cast<std::uint64_t>(fields.Integer("seed", kSeed).value_or(1));
  const auto load = fields.Choice("load", kLoadNames);
  if (load) scenario.load = static_cast<Load>(*load);
  scenario.events.resize(scenario.machine.chips.size());
  if (problems.status().ok()) ReadEvents(fields, scenario);
  fields.RefuseOthers();
  if (!problems.status().ok()) return problems.status();
  return scenario;
}

}  // namespace

absl::StatusOr<Scenario> LoadScenario(const std::string& name_or_path) {
  auto builtin = BuiltinMachine(name_or_path);
  if (!builtin.ok()) return builtin.status();
  if (builtin->has_value()) {
    Scenario scenario;
    scenario.machine = **std::move(builtin);
    scenario.events.resize(scenario.machine.chips.size());
    return scenario;
  }
  std::error_code error;
  if (std::filesystem::exists(name_or_path, error)) return LoadScenarioFile(name_or_path);
  return DriverError(DriverState::kInitFailed,
                     fmt::format("\"{}\" is no built-in scenario and no file; built-in are {}",
                                 name_or_path, BuiltinNames()));
}

}  // namespace ascend::sim

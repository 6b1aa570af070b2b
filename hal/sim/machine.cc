#include "hal/sim/machine.h"

#include <charconv>
#include <map>

#include "fmt/format.h"
#include "hal/sim/parse_chip.h"

namespace ascend::sim {
namespace {

constexpr std::size_t kMaxVersionBytes = 63;

// Two chips of one id would be two truths about one device.
void RefuseRepeats(const std::vector<Chip>& chips, const YamlValue& list, YamlProblems& problems) {
  std::map<std::int32_t, int> devices;
  std::map<DeviceAddress, int> addresses;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const FoundDevice& found = chips[i].found;
    const int line = list.items[i].line;
    if (const auto [first, added] = devices.emplace(found.device, line); !added) {
      problems.Add(line, "device",
                   fmt::format("{} is already the device of the chip on line {}", found.device,
                               first->second));
    }
    if (const auto [first, added] = addresses.emplace(found.address, line); !added) {
      problems.Add(line, "npu_id",
                   fmt::format("chip {} of NPU {} is already the chip on line {}",
                               found.address.chip, found.address.card, first->second));
    }
  }
}

}  // namespace

std::optional<std::uint32_t> ParseFaultCode(std::string_view text) {
  std::uint32_t code = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, code, 16);
  if (text.size() != 8 || result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return code;
}

Machine ParseMachine(const YamlValue& root, YamlProblems& problems) {
  YamlFields fields(root, "machine", problems);
  Machine machine;
  machine.info.backend = "sim";
  machine.info.device_id_source = "phy_id";
  machine.info.driver_version = fields.Text("driver_version", kMaxVersionBytes).value_or("");
  machine.info.library_version = fields.Text("library_version", kMaxVersionBytes).value_or("");
  fields.Text("tool_version", kMaxVersionBytes);  // of the stand-in for the tool
  if (const auto health = fields.Choice("driver_health", kDriverHealthNames)) {
    machine.driver_health = static_cast<Health>(*health);
  }
  fields.Any("rules");  // of the stand-in for the library
  const YamlValue* given = fields.Map("defaults");
  const YamlValue defaults = given == nullptr ? YamlValue() : MergeMaps(YamlValue(), *given);
  const YamlValue* list = fields.List("chips");
  fields.RefuseAbsent("chips");
  fields.RefuseOthers();
  if (list == nullptr) return machine;
  if (list->items.size() > kMaxChips) {
    fields.Refuse("chips", fmt::format("{} chips, want at most {}", list->items.size(), kMaxChips));
    return machine;
  }
  for (const YamlValue& item : list->items) {
    const bool is_map = item.kind == YamlValue::Kind::kMap;
    machine.chips.push_back(ParseChip(is_map ? MergeMaps(defaults, item) : item, problems));
  }
  if (problems.status().ok()) RefuseRepeats(machine.chips, *list, problems);
  return machine;
}

absl::StatusOr<Machine> LoadMachine(const std::string& path) {
  const auto root = LoadYaml(path);
  if (!root.ok()) return root.status();
  YamlProblems problems(path);
  Machine machine = ParseMachine(*root, problems);
  if (!problems.status().ok()) return problems.status();
  return machine;
}

}  // namespace ascend::sim

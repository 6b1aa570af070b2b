#include "hal/sim/machine.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>

#include "fmt/format.h"
#include "hal/chip_family.h"

namespace ascend::sim {
namespace {

constexpr Bounds kPercent{0, 100};
constexpr Bounds kWatts{0, 100'000};
// Wider than what a chip may have, so that a scenario can show what becomes of impossible values.
constexpr Bounds kCelsius{-273, 1000};
constexpr Bounds kCounter{0, 9'007'199'254'740'992.0};  // exact as a double up to here
constexpr Bounds kMebibytes{0, 1e9};
constexpr Bounds kId{0, 65535};
constexpr Bounds kPid{1, 2'147'483'647};
constexpr Bounds kBoardId{0, 4'294'967'295.0};
constexpr double kBytesPerKib = 1024;
constexpr std::size_t kMaxVersionBytes = 63;

template <typename To>
std::optional<To> As(std::optional<double> value) {
  return value ? std::optional(To{*value}) : std::nullopt;
}

std::optional<Ratio> ReadPercent(YamlFields& fields, std::string_view key) {
  const auto percent = fields.Number(key, kPercent);
  return percent ? std::optional(Percent(*percent)) : std::nullopt;
}

std::optional<Bytes> ReadMiB(YamlFields& fields, std::string_view key) {
  const auto mebibytes = fields.Number(key, kMebibytes);
  return mebibytes ? std::optional(MiB(*mebibytes)) : std::nullopt;
}

std::optional<Count> ReadCount(YamlFields& fields, std::string_view key) {
  const auto count = fields.Integer(key, kCounter);
  return count ? std::optional(Count{static_cast<double>(*count)}) : std::nullopt;
}

// "0000:c1:00.0": domain, bus, device and function.
bool IsPciAddress(std::string_view text) {
  constexpr std::string_view kPattern = "xxxx:xx:xx.x";
  return std::ranges::equal(text, kPattern, [](char c, char wanted) {
    return wanted == 'x' ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : c == wanted;
  });
}

std::string ReadPciAddress(YamlFields& fields) {
  std::string address = fields.Text("pci_address", 31).value_or("");
  std::ranges::transform(address, address.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!address.empty() && !IsPciAddress(address)) {
    fields.Refuse("pci_address",
                  fmt::format("\"{}\" is no PCI address, want one as 0000:c1:00.0", address));
  }
  return address;
}

DeviceIdentity ParseIdentity(YamlFields& fields) {
  DeviceIdentity identity;
  const auto board_id = fields.Integer("board_id", kBoardId);
  const std::string name = fields.Text("chip_name", 31).value_or("");
  const auto board = board_id ? std::optional(static_cast<std::uint32_t>(*board_id)) : std::nullopt;
  identity.family = FamilyOf(name, board);
  identity.traits = TraitsOf(identity.family);
  identity.chip_name = name;
  if (board) identity.board_id = fmt::format("0x{:02x}", *board);
  identity.pci_address = ReadPciAddress(fields);
  identity.die_id = fields.Text("die_id", 63).value_or("");
  identity.serial = fields.Text("serial", 63).value_or("");
  identity.model = fields.Text("model", 63).value_or("");
  identity.product = fields.Text("product", 63).value_or("");
  identity.firmware_version = fields.Text("firmware_version", 63).value_or("");
  return identity;
}

UtilizationReading ParseUtilization(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "utilization", problems);
  UtilizationReading reading;
  reading.aicore = ReadPercent(fields, "aicore");
  reading.vector = ReadPercent(fields, "vector");
  reading.cube = ReadPercent(fields, "cube");
  reading.aicpu = ReadPercent(fields, "aicpu");
  reading.ctrlcpu = ReadPercent(fields, "ctrlcpu");
  reading.overall = ReadPercent(fields, "overall");
  fields.RefuseOthers();
  return reading;
}

HbmReading ParseHbm(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "hbm", problems);
  HbmReading reading;
  reading.total = ReadMiB(fields, "total_mib");
  reading.used = ReadMiB(fields, "used_mib");
  reading.temperature = As<Celsius>(fields.Number("temperature_celsius", kCelsius));
  reading.utilization = ReadPercent(fields, "utilization");
  reading.bandwidth_utilization = ReadPercent(fields, "bandwidth_utilization");
  fields.RefuseOthers();
  return reading;
}

DdrReading ParseDdr(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "ddr", problems);
  DdrReading reading;
  reading.total = ReadMiB(fields, "total_mib");
  reading.used = ReadMiB(fields, "used_mib");
  reading.bandwidth_utilization = ReadPercent(fields, "bandwidth_utilization");
  const auto total = fields.Integer("hugepages_total", kMebibytes);
  const auto free = fields.Integer("hugepages_free", kMebibytes);
  const auto kib = fields.Integer("hugepage_kib", kMebibytes);
  if (total && free && kib) {
    const double page = static_cast<double>(*kib) * kBytesPerKib;
    reading.hugepages_capacity = Bytes{static_cast<double>(*total) * page};
    reading.hugepages_used = Bytes{static_cast<double>(*total - *free) * page};
    if (*free > *total) {
      fields.Refuse("hugepages_free",
                    fmt::format("{} is more than hugepages_total, want 0 to {}", *free, *total));
    }
  } else if (total || free || kib) {
    fields.RefuseAbsent("hugepages_total");
    fields.RefuseAbsent("hugepages_free");
    fields.RefuseAbsent("hugepage_kib");
  }
  fields.RefuseOthers();
  return reading;
}

EccCounts ParseEccCounts(const YamlValue& value, const std::string& key, YamlProblems& problems) {
  YamlFields fields(value, key, problems);
  EccCounts counts;
  const auto enabled = fields.Flag("enabled");
  if (enabled) counts.enabled = Count{*enabled ? 1.0 : 0.0};
  counts.single_bit = ReadCount(fields, "single_bit");
  counts.double_bit = ReadCount(fields, "double_bit");
  counts.lifetime_single_bit = ReadCount(fields, "lifetime_single_bit");
  counts.lifetime_double_bit = ReadCount(fields, "lifetime_double_bit");
  counts.isolated_pages = ReadCount(fields, "isolated_pages");
  fields.RefuseOthers();
  return counts;
}

EccReading ParseEcc(const YamlValue& value, YamlProblems& problems) {
  struct Memory {
    const char* key;
    EccCounts EccReading::*counts;
  };
  static constexpr std::array<Memory, 4> kMemories = {{{"hbm", &EccReading::hbm},
                                                       {"ddr", &EccReading::ddr},
                                                       {"sram", &EccReading::sram},
                                                       {"npu", &EccReading::npu}}};
  YamlFields fields(value, "ecc", problems);
  EccReading reading;
  for (const Memory& memory : kMemories) {
    if (const YamlValue* counts = fields.Any(memory.key)) {
      reading.*memory.counts = ParseEccCounts(*counts, memory.key, problems);
    }
  }
  fields.RefuseOthers();
  return reading;
}

ProcessReading ParseProcess(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "processes", problems);
  ProcessReading process;
  process.pid = static_cast<std::int32_t>(fields.Required("pid", fields.Integer("pid", kPid)));
  process.name = fields.Text("name", 31).value_or("");
  process.memory = ReadMiB(fields, "memory_mib");
  fields.RefuseOthers();
  return process;
}

std::vector<std::uint32_t> ParseFaults(YamlFields& fields) {
  std::vector<std::uint32_t> codes;
  const YamlValue* list = fields.List("faults");
  if (list == nullptr) return codes;
  for (const YamlValue& item : list->items) {
    const auto code = ParseFaultCode(item.text);
    if (!code) {
      fields.problems().Add(
          item.line, "faults",
          fmt::format("\"{}\" is no fault code, want eight hex digits in quotes", item.text));
    }
    codes.push_back(code.value_or(0));
  }
  return codes;
}

void ParseSections(YamlFields& fields, Chip& chip) {
  YamlProblems& problems = fields.problems();
  if (const YamlValue* value = fields.Any("utilization")) {
    chip.utilization = ParseUtilization(*value, problems);
  }
  if (const YamlValue* value = fields.Any("hbm")) chip.hbm = ParseHbm(*value, problems);
  if (const YamlValue* value = fields.Any("ddr")) chip.ddr = ParseDdr(*value, problems);
  if (const YamlValue* value = fields.Any("ecc")) chip.ecc = ParseEcc(*value, problems);
  if (const YamlValue* list = fields.List("processes")) {
    auto& processes = chip.processes.emplace();
    for (const YamlValue& item : list->items) processes.push_back(ParseProcess(item, problems));
  }
}

Chip ParseChip(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "chips", problems);
  const auto id = [&fields](std::string_view key) {
    const auto number = fields.Integer(key, kId);
    return number ? std::optional(static_cast<std::int32_t>(*number)) : std::nullopt;
  };
  Chip chip;
  chip.found.device = fields.Required("device", id("device"));
  chip.found.logic_id = id("logic_id");
  chip.found.address.card = fields.Required("npu_id", id("npu_id"));
  chip.found.address.chip = id("chip_id").value_or(0);
  chip.identity = ParseIdentity(fields);
  if (const auto health = fields.Choice("health", kHealthNames)) {
    chip.health = static_cast<Health>(*health);
  }
  chip.faults = ParseFaults(fields);
  chip.temperature = As<Celsius>(fields.Number("temperature_celsius", kCelsius));
  chip.power = As<Watts>(fields.Number("power_watts", kWatts));
  chip.card_power = As<Watts>(fields.Number("card_power_watts", kWatts));
  ParseSections(fields, chip);
  fields.RefuseOthers();
  return chip;
}

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

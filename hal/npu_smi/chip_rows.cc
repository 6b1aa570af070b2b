#include "hal/npu_smi/chip_rows.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace ascend::npu_smi {
namespace {

// Beyond these the tool printed a sentinel of the driver (0x7ffd, all ones, ...) as a number.
constexpr double kMaxPowerWatts = 3000;
constexpr double kMinTemperatureCelsius = -100;
constexpr double kMaxTemperatureCelsius = 250;
constexpr double kMaxPercent = 100;
constexpr std::uint64_t kMaxMegabytes = 1U << 26;  // 64 TiB

constexpr std::array<std::pair<std::string_view, Health>, 5> kHealthWords = {{
    {"OK", Health::kOk},
    {"Warning", Health::kWarning},
    {"Alarm", Health::kAlarm},
    {"Critical", Health::kCritical},
    {"UNKNOWN", Health::kUnknown},
}};

std::optional<Health> ParseHealth(std::string_view word) {
  for (const auto& [name, health] : kHealthWords) {
    if (word == name) return health;
  }
  return std::nullopt;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), Lower);
  return lower;
}

bool AllOf(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

// "0000:c1:00.0"; documentation masks digits with x.
bool IsBusId(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEFx";
  constexpr std::size_t kTail = 8;  // ":hh:hh.h"
  if (text.size() < kTail + 4 || text.size() > kTail + kTail) return false;
  const std::string_view domain = text.substr(0, text.size() - kTail);
  const std::string_view tail = text.substr(text.size() - kTail);
  return tail[0] == ':' && tail[3] == ':' && tail[6] == '.' && AllOf(domain, kDigits) &&
         AllOf(tail.substr(1, 2), kDigits) && AllOf(tail.substr(4, 2), kDigits) &&
         AllOf(tail.substr(7), kDigits);
}

void SetPower(std::optional<double> watts, Chip& chip) {
  if (!watts) return;
  // A chip that answers this query draws power; 0.0 is what a failed query leaves.
  chip.power_refused = !(*watts > 0 && *watts < kMaxPowerWatts);
  if (!chip.power_refused) chip.power_watts = watts;
}

// Last of all: whether 0 degrees is believed depends on the other numbers of the chip.
void SetTemperature(std::optional<double> celsius, Chip& chip) {
  if (!celsius) return;
  const bool failed_zero = *celsius == 0 && (chip.power_refused || chip.hbm_refused);
  chip.temperature_refused =
      failed_zero || *celsius < kMinTemperatureCelsius || *celsius > kMaxTemperatureCelsius;
  if (!chip.temperature_refused) chip.temperature_celsius = celsius;
}

void SetLoad(std::optional<double> percent, std::optional<double>& field, Chip& chip) {
  if (!percent) return;
  if (*percent < 0 || *percent > kMaxPercent) {
    chip.load_refused = true;
  } else {
    field = percent;
  }
}

void SetMemory(const Numbers& numbers, bool hbm_column, Chip& chip) {
  if (const auto hbm = numbers.pair(Column::kHbm)) {
    chip.hbm_refused = hbm->total == 0 || hbm->total > kMaxMegabytes;
    if (!chip.hbm_refused) chip.hbm = hbm;
  }
  if (const auto ddr = numbers.pair(Column::kMemory)) {
    if (ddr->total == 0 && hbm_column) return;  // no DDR, by design
    chip.ddr_refused = ddr->total == 0 || ddr->total > kMaxMegabytes;
    if (!chip.ddr_refused) chip.ddr = ddr;
  }
}

void SetSecondId(std::optional<std::int32_t> id, SecondId kind, Chip& chip) {
  if (kind == SecondId::kPhyId) chip.phy_id = id;
  if (kind == SecondId::kDevice) chip.device_id = id;
}

}  // namespace

bool ReadChipHeader(const Row& row, ChipLayout& layout) {
  bool header = false;
  for (std::size_t cell = 0; cell < row.count; ++cell) {
    if (Has(row[cell], "Name")) layout.name_cell = cell;
    if (row[cell] == "Health") {
      header = true;
      layout.health_cell = cell;
      layout.first = Columns::FromHeader(row[cell + 1]);
    } else if (row[cell] == "Bus-Id") {
      header = true;
      layout.bus_cell = cell;
      layout.second = Columns::FromHeader(row[cell + 1]);
      layout.second_id = Has(row[0], "Phy-ID")   ? SecondId::kPhyId
                         : Has(row[0], "Device") ? SecondId::kDevice
                                                 : SecondId::kNone;
    }
  }
  return header;
}

std::optional<std::size_t> FindBusCell(const Row& row, const ChipLayout& layout) {
  if (row[layout.bus_cell] == "NA") return layout.bus_cell;
  for (std::size_t cell = 0; cell < row.count; ++cell) {
    if (IsBusId(row[cell])) return cell;
  }
  return std::nullopt;
}

std::optional<Chip> ReadChip(const Row& first, const Row& second, const ChipLayout& layout) {
  const std::string_view npu_word = SplitWords(first[0])[0];
  const auto npu = ParseWhole<std::int32_t>(npu_word);
  const Words ids = SplitWords(second[0]);  // none on 950, which has one chip on an NPU
  const auto chip_id = ids.count == 0 ? 0 : ParseWhole<std::int32_t>(ids[0]);
  const auto bus_cell = FindBusCell(second, layout);
  if (!npu || *npu < 0 || !chip_id || *chip_id < 0 || !bus_cell) return std::nullopt;

  Chip chip;
  chip.npu = *npu;
  chip.chip = *chip_id;
  SetSecondId(ParseWhole<std::int32_t>(ids[1]), layout.second_id, chip);
  chip.name =
      layout.name_cell == 0 ? Trim(first[0].substr(npu_word.size())) : first[layout.name_cell];
  chip.health = ParseHealth(first[layout.health_cell]);
  if (!Has(second[*bus_cell], "x") && second[*bus_cell] != "NA") {
    chip.bus_id = ToLower(second[*bus_cell]);
  }
  const Numbers upper = ReadNumbers(first[layout.health_cell + 1], layout.first, first.closed);
  const Numbers lower = ReadNumbers(second[*bus_cell + 1], layout.second, second.closed);
  SetPower(upper.scalar(Column::kPower), chip);
  SetMemory(lower, layout.second.Has(Column::kHbm), chip);
  SetTemperature(upper.scalar(Column::kTemperature), chip);
  SetLoad(lower.scalar(Column::kAicore), chip.aicore_percent, chip);
  SetLoad(lower.scalar(Column::kNpuUtil), chip.npu_percent, chip);
  chip.hugepages = upper.pair(Column::kHugepages);
  return chip;
}

}  // namespace ascend::npu_smi

#include "hal/npu_smi/health_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "hal/npu_smi/fields.h"

namespace ascend::npu_smi {
namespace {

constexpr std::array<std::pair<std::string_view, Health>, 5> kHealthWords = {{
    {"OK", Health::kOk},
    {"Warning", Health::kWarning},
    {"Alarm", Health::kAlarm},
    {"Critical", Health::kCritical},
    {"UNKNOWN", Health::kUnknown},
}};

constexpr std::array<std::string_view, 6> kKeys = {"Health",
                                                   "Health Status",
                                                   "Error Code",
                                                   "Error Information",
                                                   "Fault Event Count",
                                                   "Fault Event Information"};

// Up to eight hex digits, with or without "0x".
std::optional<std::uint32_t> ParseCode(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint32_t code = 0;
  const char* const end = text.data() + text.size();
  constexpr int kHex = 16;
  const auto result = std::from_chars(text.data(), end, code, kHex);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return code;
}

// All words of the list, which may have any number of them.
std::optional<std::vector<std::uint32_t>> ParseCodes(std::string_view list) {
  std::vector<std::uint32_t> codes;
  for (list = Trim(list); !list.empty(); list = Trim(list)) {
    const std::string_view word = list.substr(0, list.find_first_of(" \t,"));
    list.remove_prefix(std::min(word.size() + 1, list.size()));
    if (word.empty()) continue;
    const auto code = ParseCode(word);
    if (!code) return std::nullopt;
    codes.push_back(*code);
  }
  return codes;
}

// The number after "NAME=" in "event id=0x81AF8000, severity=2, ...".
std::optional<std::string_view> Attribute(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = Trim(text.substr(0, comma));
    text.remove_prefix(std::min(comma, text.size() - 1) + 1);
    if (part.starts_with(name) && part.substr(name.size()).starts_with('=')) {
      return part.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

int Rank(Health health) {
  // In the order of the enumeration: ok, warning, alarm, critical, unknown.
  constexpr std::array<int, 5> kRanks = {0, 2, 3, 4, 1};
  return kRanks[static_cast<std::size_t>(health)];
}

}  // namespace

std::optional<Health> HealthOf(std::string_view word) {
  for (const auto& [name, health] : kHealthWords) {
    if (word == name) return health;
  }
  return std::nullopt;
}

Health Worse(Health a, Health b) { return Rank(a) < Rank(b) ? b : a; }

HealthValues HealthOf(const Block& block) {
  HealthValues values;
  bool in_information = false;
  for (const KeyValue& pair : block.pairs) {
    if (pair.key == "Health" || pair.key == "Health Status") {
      if (IsNoValue(pair.value)) continue;
      values.state = HealthOf(pair.value);
      values.state_refused = !values.state;
      if (values.state_refused) values.state = Health::kUnknown;
    } else if (pair.key == "Error Code") {
      values.codes = IsNoValue(pair.value) ? std::vector<std::uint32_t>() : ParseCodes(pair.value);
    }
    in_information = pair.key == "Error Information" || (in_information && pair.key.empty());
    if (in_information && !IsNoValue(pair.value)) values.informations.push_back(pair.value);
  }
  return values;
}

FaultEvents FaultEventsOf(const Block& block) {
  FaultEvents events;
  events.count = NumberOf(block.Find("Fault Event Count"));
  for (const KeyValue& pair : block.pairs) {
    if (pair.key != "Fault Event Information" || IsNoValue(pair.value)) continue;
    FaultEvent event;
    if (const auto id = Attribute(pair.value, "event id")) event.id = ParseCode(*id);
    if (const auto severity = Attribute(pair.value, "severity")) {
      event.severity = ParseWhole<std::uint32_t>(*severity);
    }
    events.events.push_back(event);
  }
  return events;
}

bool IsHealthKey(std::string_view key) { return std::ranges::find(kKeys, key) != kKeys.end(); }

}  // namespace ascend::npu_smi

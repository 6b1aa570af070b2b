#include "hal/sim/yaml_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "absl/time/time.h"
#include "fmt/format.h"

namespace ascend::sim {
namespace {

constexpr nanoseconds kLongestDuration = std::chrono::hours(24 * 365);

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  if (hex && text.starts_with('-')) return std::nullopt;
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, hex ? 16 : 10);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

std::string_view NameOf(YamlValue::Kind kind) {
  switch (kind) {
    case YamlValue::Kind::kNull:
      return "nothing";
    case YamlValue::Kind::kScalar:
      return "a single value";
    case YamlValue::Kind::kList:
      return "a list";
    case YamlValue::Kind::kMap:
      return "a map";
  }
  return "something else";
}

}  // namespace

std::optional<double> ParseNumber(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string NearestOf(std::string_view word, std::span<const std::string> known) {
  // Half of a short word, so that two letters in the wrong order are one slip.
  const std::size_t near = std::min<std::size_t>(3, (word.size() + 1) / 2);
  std::string nearest;
  std::size_t best = near + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

YamlFields::YamlFields(const YamlValue& value, const std::string& key, YamlProblems& problems)
    : map_(value), problems_(problems) {
  if (value.kind != YamlValue::Kind::kMap) {
    problems.Add(value.line, key, fmt::format("is {}, want a map of keys", NameOf(value.kind)));
  }
}

const YamlEntry* YamlFields::Ask(std::string_view key) {
  if (std::ranges::find(asked_, key) == asked_.end()) asked_.emplace_back(key);
  return map_.Find(key);
}

const YamlEntry* YamlFields::AskPlain(std::string_view key, std::string_view wanted) {
  const YamlEntry* entry = Ask(key);
  if (entry == nullptr) return nullptr;
  if (entry->value.kind == YamlValue::Kind::kScalar && !entry->value.quoted) return entry;
  problems_.Add(
      entry->line, entry->key,
      fmt::format("is {}, want {}",
                  entry->value.quoted ? "text in quotes" : NameOf(entry->value.kind), wanted));
  return nullptr;
}

void YamlFields::RefuseRange(const YamlEntry& entry, Bounds bounds) {
  problems_.Add(
      entry.line, entry.key,
      fmt::format("{} is out of range, want {} to {}", entry.value.text, bounds.low, bounds.high));
}

std::optional<double> YamlFields::Number(std::string_view key, Bounds bounds) {
  const YamlEntry* entry = AskPlain(key, "a number");
  if (entry == nullptr) return std::nullopt;
  const auto value = ParseNumber(entry->value.text);
  if (!value) {
    problems_.Add(entry->line, entry->key,
                  fmt::format("\"{}\" is no number, want {} to {}", entry->value.text, bounds.low,
                              bounds.high));
    return std::nullopt;
  }
  if (*value >= bounds.low && *value <= bounds.high) return value;
  RefuseRange(*entry, bounds);
  return std::nullopt;
}

std::optional<std::int64_t> YamlFields::Integer(std::string_view key, Bounds bounds) {
  const YamlEntry* entry = AskPlain(key, "a whole number");
  if (entry == nullptr) return std::nullopt;
  const auto value = ParseInteger(entry->value.text);
  if (!value) {
    problems_.Add(entry->line, entry->key,
                  fmt::format("\"{}\" is no whole number, want {} to {}", entry->value.text,
                              bounds.low, bounds.high));
    return std::nullopt;
  }
  const auto number = static_cast<double>(*value);
  if (number >= bounds.low && number <= bounds.high) return value;
  RefuseRange(*entry, bounds);
  return std::nullopt;
}

std::optional<std::string> YamlFields::Text(std::string_view key, std::size_t max_bytes) {
  const YamlEntry* entry = Ask(key);
  if (entry == nullptr) return std::nullopt;
  if (entry->value.kind != YamlValue::Kind::kScalar) {
    problems_.Add(entry->line, entry->key,
                  fmt::format("is {}, want text", NameOf(entry->value.kind)));
    return std::nullopt;
  }
  if (entry->value.text.size() <= max_bytes) return entry->value.text;
  problems_.Add(
      entry->line, entry->key,
      fmt::format("is {} bytes long, want at most {}", entry->value.text.size(), max_bytes));
  return std::nullopt;
}

std::optional<bool> YamlFields::Flag(std::string_view key) {
  const YamlEntry* entry = AskPlain(key, "true or false");
  if (entry == nullptr) return std::nullopt;
  if (entry->value.text == "true") return true;
  if (entry->value.text == "false") return false;
  problems_.Add(entry->line, entry->key,
                fmt::format("\"{}\" is unknown, want true or false", entry->value.text));
  return std::nullopt;
}

std::optional<nanoseconds> YamlFields::Duration(std::string_view key) {
  const auto text = Text(key, 64);
  if (!text) return std::nullopt;
  absl::Duration duration;
  // The parser takes a bare 0; a duration always has its unit here.
  const bool has_unit = !text->empty() && text->back() >= 'a' && text->back() <= 'z';
  if (!has_unit || !absl::ParseDuration(*text, &duration)) {
    Refuse(key,
           fmt::format("\"{}\" is no duration, want a number with ms, s, m or h, as 1m30s", *text));
    return std::nullopt;
  }
  if (duration >= absl::ZeroDuration() && duration <= absl::FromChrono(kLongestDuration)) {
    return absl::ToChronoNanoseconds(duration);
  }
  Refuse(key, fmt::format("{} is out of range, want 0s to 8760h", *text));
  return std::nullopt;
}

std::optional<std::size_t> YamlFields::Choice(std::string_view key,
                                              std::span<const std::string_view> choices) {
  const YamlEntry* entry = Ask(key);
  if (entry == nullptr) return std::nullopt;
  const auto found = std::ranges::find(choices, std::string_view(entry->value.text));
  if (entry->value.kind == YamlValue::Kind::kScalar && found != choices.end()) {
    return static_cast<std::size_t>(found - choices.begin());
  }
  const std::string is = entry->value.kind == YamlValue::Kind::kScalar
                             ? fmt::format("\"{}\" is unknown", entry->value.text)
                             : fmt::format("is {}", NameOf(entry->value.kind));
  problems_.Add(entry->line, entry->key, fmt::format("{}, want one of {}", is, Listed(choices)));
  return std::nullopt;
}

const YamlValue* YamlFields::Any(std::string_view key) {
  const YamlEntry* entry = Ask(key);
  return entry == nullptr ? nullptr : &entry->value;
}

const YamlValue* YamlFields::Map(std::string_view key) {
  const YamlEntry* entry = Ask(key);
  if (entry == nullptr) return nullptr;
  if (entry->value.kind == YamlValue::Kind::kMap) return &entry->value;
  problems_.Add(entry->line, entry->key,
                fmt::format("is {}, want a map of keys", NameOf(entry->value.kind)));
  return nullptr;
}

const YamlValue* YamlFields::List(std::string_view key) {
  const YamlEntry* entry = Ask(key);
  if (entry == nullptr) return nullptr;
  if (entry->value.kind == YamlValue::Kind::kList) return &entry->value;
  problems_.Add(entry->line, entry->key,
                fmt::format("is {}, want a list", NameOf(entry->value.kind)));
  return nullptr;
}

void YamlFields::RefuseAbsent(std::string_view key) {
  if (map_.kind != YamlValue::Kind::kMap || map_.Find(key) != nullptr) return;
  std::vector<std::string> strangers;
  for (const YamlEntry& entry : map_.entries) {
    if (std::ranges::find(asked_, entry.key) == asked_.end()) strangers.push_back(entry.key);
  }
  // Often the key is there and only misspelt.
  const std::string misspelt = NearestOf(key, strangers);
  if (misspelt.empty()) {
    problems_.Add(map_.line, std::string(key), "is missing and must be given");
  } else {
    Refuse(misspelt, fmt::format("unknown key, did you mean {}?", key));
  }
}

void YamlFields::Refuse(std::string_view key, const std::string& what) {
  const YamlEntry* entry = map_.Find(key);
  problems_.Add(entry == nullptr ? map_.line : entry->line, std::string(key), what);
}

void YamlFields::RefuseOthers() {
  for (const YamlEntry& entry : map_.entries) {
    if (std::ranges::find(asked_, entry.key) != asked_.end()) continue;
    const std::string nearest = NearestOf(entry.key, asked_);
    problems_.Add(entry.line, entry.key,
                  fmt::format("unknown key{}; allowed: {}",
                              nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest),
                              Listed(asked_)));
    return;
  }
}

}  // namespace ascend::sim

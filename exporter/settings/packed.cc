#include "exporter/settings/packed.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "exporter/settings/quoted.h"
#include "exporter/settings/setting_table.h"

namespace ascend {
namespace {

constexpr char kEnd = '\0';

bool IsPacked(const Setting& setting) { return !FileKey(setting).empty(); }

// An empty text is packed, too: it need not be the default. A duration is packed to the nanosecond.
std::vector<std::string> TextsToPack(const Setting& setting, const Settings& settings) {
  if (const auto* text = std::get_if<TextKind>(&setting.kind)) return {settings.*text->field};
  if (const auto* duration = std::get_if<DurationKind>(&setting.kind)) {
    constexpr std::chrono::nanoseconds kUnit = std::chrono::milliseconds(1);
    const std::chrono::nanoseconds value = settings.*duration->field;
    return {fmt::format("{}.{:06}ms", value / kUnit, (value % kUnit).count())};
  }
  return ValueTexts(setting, settings);
}

absl::Status Refuse(std::string_view problem) {
  return absl::InvalidArgumentError(fmt::format("packed settings: {}", problem));
}

// Takes the next text off the front; nothing if no text ends there.
std::optional<std::string> TakeText(std::string_view& rest) {
  const std::size_t end = rest.find(kEnd);
  if (end == std::string_view::npos) return std::nullopt;
  std::string text(rest.substr(0, end));
  rest.remove_prefix(end + 1);
  return text;
}

std::optional<std::size_t> TakeCount(std::string_view& rest) {
  const std::optional<std::string> text = TakeText(rest);
  if (!text) return std::nullopt;
  std::size_t count = 0;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, count);
  if (text->empty() || error != std::errc() || stop != end) return std::nullopt;
  return count;
}

using TextsByFlag = std::map<std::string, std::vector<std::string>, std::less<>>;

absl::StatusOr<TextsByFlag> Sort(std::string_view packed) {
  const std::optional<std::size_t> count = TakeCount(packed);
  if (!count) return Refuse("do not begin with a number of pairs");
  TextsByFlag sorted;
  for (std::size_t i = 0; i < *count; ++i) {
    std::optional<std::string> flag = TakeText(packed);
    std::optional<std::string> value = TakeText(packed);
    if (!flag || !value) return Refuse(fmt::format("end after {} of {} pairs", i, *count));
    sorted[*std::move(flag)].push_back(*std::move(value));
  }
  if (!packed.empty()) {
    return Refuse(fmt::format("go on for {} bytes after the last pair", packed.size()));
  }
  return sorted;
}

}  // namespace

std::string PackSettings(const Settings& settings) {
  std::string pairs;
  std::size_t count = 0;
  for (const Setting& setting : AllSettings()) {
    if (!IsPacked(setting)) continue;
    for (const std::string& text : TextsToPack(setting, settings)) {
      pairs.append(setting.flag).push_back(kEnd);
      pairs.append(text).push_back(kEnd);
      ++count;
    }
  }
  return fmt::format("{}{}{}", count, kEnd, pairs);
}

absl::StatusOr<Settings> UnpackSettings(std::string_view packed) {
  absl::StatusOr<TextsByFlag> sorted = Sort(packed);
  if (!sorted.ok()) return sorted.status();
  Settings settings;
  for (const Setting& setting : AllSettings()) {
    const auto found = sorted->find(setting.flag);
    if (found == sorted->end() || !IsPacked(setting)) continue;
    if (absl::Status status = Assign(setting, found->second, settings); !status.ok()) {
      return Refuse(fmt::format("{}: {}", setting.flag, std::string(status.message())));
    }
    sorted->erase(found);
  }
  if (!sorted->empty()) {
    return Refuse(fmt::format("{}: unknown flag; they are of another version",
                              OneLine(sorted->begin()->first)));
  }
  return settings;
}

}  // namespace ascend

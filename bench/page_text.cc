#include "bench/page_text.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

namespace ascend {
namespace {

constexpr std::string_view kHelp = "# HELP ";

// Takes what stands before `end` off `text`, and `end` too; absent if `end` does not come.
std::optional<std::string_view> TakeUntil(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return taken;
}

// Takes a label's value and its closing quote; absent if there is no closing quote.
std::optional<std::string> TakeQuoted(std::string_view& text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return value;
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      value += text[i] == 'n' ? '\n' : text[i];
    } else {
      value += text[i];
    }
  }
  return std::nullopt;
}

// Takes `name="value",...}`.
bool TakeLabels(std::string_view& text, std::map<std::string, std::string>& labels) {
  while (!text.starts_with('}')) {
    const std::optional<std::string_view> name = TakeUntil(text, "=\"");
    std::optional<std::string> value = TakeQuoted(text);
    if (!name || !value) return false;
    labels.emplace(*name, std::move(*value));
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  text.remove_prefix(1);
  return true;
}

std::optional<PageSeries> ParseSeries(std::string_view line) {
  PageSeries series;
  const std::size_t name_end = line.find_first_of("{ ");
  if (name_end == std::string_view::npos) return std::nullopt;
  series.name = line.substr(0, name_end);
  line.remove_prefix(name_end);
  if (line.starts_with('{')) {
    line.remove_prefix(1);
    if (!TakeLabels(line, series.labels)) return std::nullopt;
  }
  const std::string number(line);
  char* end = nullptr;
  series.value = std::strtod(number.c_str(), &end);
  if (end == number.c_str() || *end != '\0') return std::nullopt;
  return series;
}

}  // namespace

absl::StatusOr<PageText> ParsePage(std::string_view page) {
  PageText text;
  while (!page.empty()) {
    const std::string_view line = TakeUntil(page, "\n").value_or(std::string_view());
    if (line.starts_with(kHelp)) {
      std::string_view rest = line.substr(kHelp.size());
      const std::optional<std::string_view> name = TakeUntil(rest, " ");
      if (name) text.help.emplace(*name, rest);
      continue;
    }
    if (line.starts_with('#')) continue;
    std::optional<PageSeries> series = ParseSeries(line);
    if (!series) {
      return absl::InternalError(
          fmt::format("not a line of a page: '{}'", line.empty() ? page : line));
    }
    text.series.push_back(std::move(*series));
  }
  return text;
}

}  // namespace ascend

#include "exporter/compat/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "exporter/page/text.h"

namespace ascend {
namespace {

constexpr std::size_t kMaxLabels = 64;
constexpr std::size_t kMaxSamples = 500'000;
constexpr std::size_t kMaxQuoted = 60;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

void SkipBlanks(std::string_view& text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
}

bool Take(std::string_view& text, char c) {
  SkipBlanks(text);
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// Empty if there is no name.
std::string_view TakeName(std::string_view& text, bool colons) {
  SkipBlanks(text);
  std::size_t size = 0;
  while (size < text.size() && (IsLetter(text[size]) || (colons && text[size] == ':') ||
                                (size > 0 && IsDigit(text[size])))) {
    ++size;
  }
  const std::string_view name = text.substr(0, size);
  text.remove_prefix(size);
  return name;
}

// Between quotes, with escapes undone. Nothing where the quotes do not close.
std::optional<std::string> TakeQuoted(std::string_view& text) {
  if (!Take(text, '"')) return std::nullopt;
  std::string value;
  while (!text.empty()) {
    char c = text.front();
    text.remove_prefix(1);
    if (c == '"') return value;
    if (c == '\\') {
      if (text.empty()) return std::nullopt;
      c = text.front() == 'n' ? '\n' : text.front();
      text.remove_prefix(1);
    }
    value += c;
  }
  return std::nullopt;
}

std::optional<SeriesLabels> TakeLabels(std::string_view& text) {
  SeriesLabels labels;
  while (!Take(text, '}')) {
    const std::string_view name = TakeName(text, false);
    if (name.empty() || labels.size() == kMaxLabels || !Take(text, '=')) return std::nullopt;
    std::optional<std::string> value = TakeQuoted(text);
    const bool known = std::ranges::any_of(labels, [&](const auto& l) { return l.first == name; });
    if (!value || known) return std::nullopt;
    labels.emplace_back(name, *std::move(value));
    if (!Take(text, ',') && (text.empty() || text.front() != '}')) return std::nullopt;
  }
  return labels;
}

std::string_view TakeWord(std::string_view& text) {
  SkipBlanks(text);
  const auto end = std::ranges::find_if(text, IsBlank);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

std::optional<double> ReadNumber(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const char* end = word.data() + word.size();
  const auto [parsed, error] = std::from_chars(word.data(), end, value);
  if (parsed != end || word.empty()) return std::nullopt;
  // Too large or too small for a double; no metric means such a number.
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<PageSample> ReadSample(std::string_view line) {
  PageSample sample;
  std::optional<SeriesName> series = TakeSeries(line);
  if (!series) return std::nullopt;
  const std::optional<double> value = ReadNumber(TakeWord(line));
  if (!value) return std::nullopt;
  const std::string_view timestamp = TakeWord(line);
  if (!timestamp.empty() && !ReadNumber(timestamp)) return std::nullopt;
  SkipBlanks(line);
  if (!line.empty()) return std::nullopt;
  return PageSample{*std::move(series), *value, !timestamp.empty()};
}

// The beginning of a line, fit for a message of one line.
std::string Beginning(std::string_view line) {
  std::string text;
  while (!line.empty() && text.size() < kMaxQuoted) {
    const std::string_view character = TakeCharacter(line);
    const bool control = character.size() == 1 && (character[0] < ' ' || character[0] == 0x7f);
    text += control ? "?" : character;
  }
  return text;
}

}  // namespace

std::string_view SeriesName::Label(std::string_view label) const {
  const auto found = std::ranges::find_if(labels, [&](const auto& l) { return l.first == label; });
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<SeriesName> TakeSeries(std::string_view& text) {
  SeriesName series;
  series.name = TakeName(text, true);
  if (series.name.empty()) return std::nullopt;
  if (Take(text, '{')) {
    std::optional<SeriesLabels> labels = TakeLabels(text);
    if (!labels) return std::nullopt;
    series.labels = *std::move(labels);
  }
  return series;
}

absl::StatusOr<MetricsPage> ReadMetricsPage(std::string_view text) {
  MetricsPage page;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    SkipBlanks(line);
    if (line.empty() || line.front() == '#') continue;
    std::optional<PageSample> sample = ReadSample(line);
    if (sample) {
      if (page.samples.size() == kMaxSamples) {
        return absl::ResourceExhaustedError(
            fmt::format("not a metrics page of one host: more than {} series", kMaxSamples));
      }
      page.samples.push_back(*std::move(sample));
    } else if (page.bad_lines++ == 0) {
      page.first_bad = fmt::format("line {}: {}", number, Beginning(line));
    }
  }
  if (!page.samples.empty()) return page;
  return absl::InvalidArgumentError(page.bad_lines == 0
                                        ? "not a metrics page: it has no series"
                                        : fmt::format("not a metrics page: {}", page.first_bad));
}

}  // namespace ascend

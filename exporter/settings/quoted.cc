#include "exporter/settings/quoted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/strings/escaping.h"

namespace ascend {
namespace {

constexpr std::size_t kLongest = 200;  // bytes; paths fit, a pasted document does not

std::size_t EditDistance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string OneLine(std::string_view text) {
  const bool cut = text.size() > kLongest;
  const std::string escaped = absl::Utf8SafeCEscape(std::string(text.substr(0, kLongest)));
  return cut ? escaped + "..." : escaped;
}

std::string Quoted(std::string_view text) { return fmt::format("\"{}\"", OneLine(text)); }

std::string_view Nearest(std::string_view text, const std::vector<std::string_view>& candidates) {
  if (text.size() > kLongest) return {};
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(2, text.size() / 4) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = EditDistance(text, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace ascend

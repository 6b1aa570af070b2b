#include "exporter/compat/vendor_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ascend {
namespace {

bool IsAlternative(std::string_view alternatives, std::string_view value) {
  while (true) {
    const std::size_t bar = alternatives.find('|');
    if (alternatives.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    alternatives.remove_prefix(bar + 1);
  }
}

std::string MatcherOf(const LabelMatch& match) {
  if (match.value.starts_with('!')) {
    return fmt::format("{}!=\"{}\"", match.name, match.value.substr(1));
  }
  const bool several = match.value.find('|') != std::string_view::npos;
  return fmt::format("{}{}\"{}\"", match.name, several ? "=~" : "=", match.value);
}

std::string Scaled(std::string expression, const Scale& scale) {
  if (scale.times != 1) expression += fmt::format(" * {}", scale.times);
  if (scale.over != 1) expression += fmt::format(" / {}", scale.over);
  return expression;
}

// Whether `name` is `pattern` with a number in place of its "{}".
bool IsName(std::string_view pattern, std::string_view name) {
  const std::size_t hole = pattern.find("{}");
  if (hole == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, hole))) return false;
  unsigned number = 0;
  const char* end = name.data() + name.size();
  const auto [parsed, error] = std::from_chars(name.data() + hole, end, number);
  return error == std::errc() && parsed == end;
}

}  // namespace

bool Accepts(const LabelMatch& match, std::string_view value) {
  if (match.value.starts_with('!')) return value != match.value.substr(1);
  return IsAlternative(match.value, value);
}

std::vector<VendorName> VendorNames() {
  std::vector<VendorName> all;
  for (std::span<const VendorName> part :
       {ChipNames(), MemoryNames(), LinkNames(), NetworkNames()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  const std::vector<VendorName> ub = UbNames();
  all.insert(all.end(), ub.begin(), ub.end());
  return all;
}

const VendorName* FindVendorName(std::string_view name, bool with_port) {
  static const std::vector<VendorName> all = VendorNames();
  const auto found = std::ranges::find_if(all, [&](const VendorName& row) {
    return IsName(row.name, name) &&
           (row.ports == Ports::kWhereKnown || (row.ports == Ports::kAlways) == with_port);
  });
  return found == all.end() ? nullptr : &*found;
}

std::string SelectorOf(const VendorName& row) {
  if (row.rule == Rule::kNone) return "";
  const bool several = row.rule == Rule::kCountSeries;
  std::string labels = several ? fmt::format("__name__=~\"{}\"", row.family) : "";
  const LabelMatch state{"state", "ok"};
  for (const LabelMatch& match : {row.rule == Rule::kState ? state : row.match, row.also}) {
    if (match.name.empty()) continue;
    if (!labels.empty()) labels += ',';
    labels += MatcherOf(match);
  }
  if (row.rule == Rule::kValue && row.name.find("{}") != std::string_view::npos) {
    labels += "link=\"N\"";
  }
  return fmt::format("{}{}", several ? "" : row.family.substr(0, row.family.find('|')),
                     labels.empty() ? labels : fmt::format("{{{}}}", labels));
}

std::string ExpressionOf(const VendorName& row) {
  const std::string selector = SelectorOf(row);
  const std::string_view by = row.shape == Shape::kNode ? "instance" : "instance, device";
  switch (row.rule) {
    case Rule::kSum:
      return Scaled(fmt::format("sum by ({}) ({})", by, selector), row.scale);
    case Rule::kDecibels:
      return fmt::format("10 * log10({} * 1000)", selector);
    case Rule::kCountSeries:
      return fmt::format("count by (instance, device, udie, port) ({})", selector);
    case Rule::kCards:
      return fmt::format("count by (instance) (count by (instance, card) ({}))", selector);
    case Rule::kValue:
    case Rule::kState:
    case Rule::kFaultCode:
    case Rule::kOne:
      return Scaled(selector, row.scale);
    case Rule::kProfilingMs:
    case Rule::kNone:
      return "";
  }
  return "";
}

}  // namespace ascend

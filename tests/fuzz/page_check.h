// Whether a page is one that Prometheus reads: the text format 0.0.4, each series once, and values
// that can be true.
#pragma once

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "collectors/catalog.h"
#include "collectors/ranges.h"

namespace ascend {

// Ends the program if `good` is false.
inline void Require(bool good, std::string_view what, std::string_view where = "") {
  if (good) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(where.size()), where.data());
  __builtin_trap();
}

// Immutable.
class PageCheck {
 public:
  explicit PageCheck(const Catalog& catalog) {
    for (const auto rows : {catalog.rows(), catalog.node_rows()}) {
      for (const CatalogRow& row : rows) rows_.emplace(row.row->spec.name, row.row);
    }
  }

  // `own`: what the exporter says of itself, which the catalogue does not know.
  void Check(std::string_view page, bool own = false) const {
    std::unordered_set<std::string_view> seen;
    while (!page.empty()) {
      const std::size_t end = page.find('\n');
      Require(end != std::string_view::npos, "the last line does not end", page);
      const std::string_view line = page.substr(0, end);
      page.remove_prefix(end + 1);
      if (line.starts_with("# HELP ") || line.starts_with("# TYPE ")) continue;
      CheckLine(line, own, seen);
    }
  }

 private:
  void CheckLine(std::string_view line, bool own,
                 std::unordered_set<std::string_view>& seen) const {
    const std::string_view name = line.substr(0, line.find_first_of("{ "));
    const std::size_t labels_end = name.size() + Labels(line.substr(name.size()));
    Require(labels_end < line.size() && line[labels_end] == ' ', "no value", line);
    Require(seen.insert(line.substr(0, labels_end)).second, "twice on the page", line);
    const std::string_view number = line.substr(labels_end + 1);
    double value = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
    Require(read.ec == std::errc() && read.ptr == number.data() + number.size(), "no number", line);
    Require(std::isfinite(value), "not finite", line);
    if (own) return Require(value >= 0, "below zero", line);
    CheckValue(name, value, line);
  }

  // How long the labels are, with their braces.
  static std::size_t Labels(std::string_view text) {
    if (!text.starts_with('{')) return 0;
    std::size_t i = 0;
    do {
      const std::size_t name = ++i;
      while (i < text.size() && (std::islower(text[i]) != 0 || text[i] == '_')) ++i;
      Require(i > name && text.substr(i).starts_with("=\""), "no label", text);
      i += 2;
      while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
      Require(++i < text.size(), "a label's value does not end", text);
    } while (text[i] == ',');
    Require(text[i] == '}', "the labels do not end", text);
    return i + 1;
  }

  void CheckValue(std::string_view name, double value, std::string_view line) const {
    const auto found = rows_.find(name);
    Require(found != rows_.end(), "not in the catalogue", line);
    const Row& row = *found->second;
    if (row.is_counter()) return Require(value >= 0, "a counter below zero", line);
    if (row.kind == Kind::kState) return Require(value == 0 || value == 1, "no state", line);
    Require(IsPlausible(value, row), "cannot be true", line);
  }

  std::unordered_map<std::string_view, const Row*> rows_;
};

}  // namespace ascend

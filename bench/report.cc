#include "bench/report.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace ascend {

std::string Microseconds(double seconds) { return fmt::format("{:.2f} us", seconds * 1e6); }

void Report::AddRatio(const std::string& name, double our_seconds, double baseline_seconds,
                      double divisor) {
  Add({.name = name,
       .ours = Microseconds(our_seconds),
       .baseline = Microseconds(baseline_seconds),
       .ratio = fmt::format("1/{:.1f}", baseline_seconds / our_seconds),
       .bar = fmt::format("1/{}", divisor),
       .verdict = ""},
      our_seconds * divisor <= baseline_seconds);
}

void Report::AddLimit(const std::string& name, double ours, double limit, const std::string& unit) {
  Add({.name = name,
       .ours = fmt::format("{:.3g} {}", ours, unit),
       .baseline = "",
       .ratio = "",
       .bar = fmt::format("{} {}", limit, unit),
       .verdict = ""},
      ours <= limit);
}

void Report::AddNote(const std::string& name, const std::string& ours,
                     const std::string& baseline) {
  rows_.push_back({name, ours, baseline, "", "", ""});
}

void Report::Add(Row row, bool pass) {
  row.verdict = pass ? "pass" : "FAIL";
  passed_ = passed_ && pass;
  rows_.push_back(std::move(row));
}

void Report::Print() const {
  const auto print = [](const Row& row) {
    fmt::print("{:<44}{:>14}{:>14}{:>10}{:>14}  {}\n", row.name, row.ours, row.baseline, row.ratio,
               row.bar, row.verdict);
  };
  print({"", "ours", "baseline", "ratio", "at most", ""});
  for (const Row& row : rows_) print(row);
  std::fflush(stdout);
}

}  // namespace ascend

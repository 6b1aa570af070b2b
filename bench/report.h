// The table that a run prints.
#pragma once

#include <string>
#include <vector>

namespace ascend {

// A figure with its unit, already text: "23.1 us".
std::string Microseconds(double seconds);

class Report {
 public:
  // A cost of ours must be at most 1/`divisor` of the baseline's.
  void AddRatio(const std::string& name, double our_seconds, double baseline_seconds,
                double divisor);
  // A figure of ours must be at most `limit`, in the same unit.
  void AddLimit(const std::string& name, double ours, double limit, const std::string& unit);
  // Without a bar.
  void AddNote(const std::string& name, const std::string& ours, const std::string& baseline = "");

  void Print() const;  // to standard output
  [[nodiscard]] bool passed() const { return passed_; }

 private:
  struct Row {
    std::string name, ours, baseline, ratio, bar, verdict;
  };
  void Add(Row row, bool pass);

  std::vector<Row> rows_;
  bool passed_ = true;
};

}  // namespace ascend

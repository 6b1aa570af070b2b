// Lines of a tool's output that a reader did not understand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hal/npu_smi/cells.h"

namespace ascend::npu_smi {

struct UnknownLines {
  static constexpr std::size_t kKept = 5;

  std::size_t count = 0;
  std::vector<std::string> first;  // the first few, fit for a log line

  void Add(std::string_view line) {
    ++count;
    if (first.size() < kKept) first.push_back(Quotable(line));
  }
  friend bool operator==(const UnknownLines&, const UnknownLines&) = default;
};

// Calls `read` with every line that is not blank. A last line without its end was cut off, perhaps
// within a number, and is not read but counted.
template <typename Read>
void ForEachLine(std::string_view text, UnknownLines& unknown, const Read& read) {
  while (!text.empty()) {
    bool ended = false;
    const std::string_view line = TakeLine(text, ended);
    if (Trim(line).empty()) continue;
    if (ended) {
      read(line);
    } else {
      unknown.Add(line);
    }
  }
}

}  // namespace ascend::npu_smi

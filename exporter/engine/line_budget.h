// Keeps a log short: so many lines in so much time, and a count of those that were left out.
#pragma once

#include <cstddef>
#include <optional>

#include "hal/clock.h"

namespace ascend {

// One thread at a time.
class LineBudget {
 public:
  LineBudget(std::size_t lines, nanoseconds window) : lines_(lines), window_(window) {}

  // Asks for a line. Null: stay silent. Else how many were silenced before it.
  std::optional<std::size_t> Take(Mono now) {
    if (used_ == 0 || now - window_start_ >= window_) {
      window_start_ = now;
      used_ = 0;
    }
    if (used_ == lines_) {
      ++left_out_;
      return std::nullopt;
    }
    ++used_;
    const std::size_t left_out = left_out_;
    left_out_ = 0;
    return left_out;
  }

 private:
  const std::size_t lines_;
  const nanoseconds window_;
  Mono window_start_{};
  std::size_t used_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace ascend

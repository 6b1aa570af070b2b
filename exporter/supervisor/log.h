// Lines on standard error in logfmt, as the other programs of the exporter write them.
#pragma once

#include <cstdarg>
#include <cstdint>

namespace ascend::supervisor {

// A line has at most 512 bytes, what is longer is cut; it is dropped if standard error has no room.
// Not for several threads.
class Log {
 public:
  // At most 10 lines in 10 minutes, so that what goes wrong again and again fills no disk. How many
  // were left out stands in the next line.
  void Warn(const char* format, ...) __attribute__((format(printf, 2, 3)));
  // What ends the program: always.
  void Error(const char* format, ...) __attribute__((format(printf, 2, 3)));

 private:
  [[nodiscard]] bool WithinBudget();
  void Write(const char* level, const char* format, va_list arguments);

  std::int64_t window_start_ms_ = 0;
  int lines_in_window_ = 0;
  unsigned left_out_ = 0;
};

}  // namespace ascend::supervisor

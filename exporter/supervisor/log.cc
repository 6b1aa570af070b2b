#include "exporter/supervisor/log.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

#include "exporter/supervisor/clock.h"

namespace ascend::supervisor {
namespace {

constexpr std::size_t kMaxLine = 512;
constexpr std::size_t kMaxMessage = 400;
constexpr int kLinesInWindow = 10;
constexpr std::int64_t kWindowMs = 600'000;

// What could end the quoted message, or the line, early.
void MakeHarmless(char* text) {
  for (; *text != '\0'; ++text) {
    if (static_cast<unsigned char>(*text) < 0x20 || *text == '"' || *text == '\\') *text = '?';
  }
}

// A pipe that can be written to has room for PIPE_BUF bytes, so a line does not wait there.
void WriteIfRoom(const char* line, std::size_t size) {
  pollfd wanted = {.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (poll(&wanted, 1, 0) != 1 || (wanted.revents & POLLOUT) == 0) return;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, size);
}

}  // namespace

void Log::Warn(const char* format, ...) {
  if (!WithinBudget()) {
    ++left_out_;
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  Write("warning", format, arguments);
  va_end(arguments);
}

void Log::Error(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  Write("error", format, arguments);
  va_end(arguments);
}

bool Log::WithinBudget() {
  const std::int64_t now = NowMs();
  if (lines_in_window_ == 0 || now - window_start_ms_ >= kWindowMs) {
    window_start_ms_ = now;
    lines_in_window_ = 0;
  }
  if (lines_in_window_ == kLinesInWindow) return false;
  ++lines_in_window_;
  return true;
}

void Log::Write(const char* level, const char* format, va_list arguments) {
  char message[kMaxMessage];
  vsnprintf(message, sizeof message, format, arguments);
  MakeHarmless(message);
  char left_out[48] = "";
  if (left_out_ > 0) snprintf(left_out, sizeof left_out, " (%u lines left out before)", left_out_);
  left_out_ = 0;

  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  tm utc = {};
  gmtime_r(&now.tv_sec, &utc);
  char time[32];
  strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
  char line[kMaxLine];
  const int size = snprintf(line, sizeof line, "ts=%s.%03dZ level=%s msg=\"%s%s\"\n", time,
                            static_cast<int>(now.tv_nsec / 1'000'000), level, message, left_out);
  WriteIfRoom(line, static_cast<std::size_t>(size));
}

}  // namespace ascend::supervisor

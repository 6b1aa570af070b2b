#include "exporter/log_sink.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace ascend {
namespace {

// A pipe that can be written to has room for PIPE_BUF bytes, so a line does not wait there. (The
// descriptor is not made non-blocking: it is shared with whoever started the program.)
bool HasRoom() {
  pollfd wanted = {.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&wanted, 1, 0) == 1 && (wanted.revents & POLLOUT) != 0;
}

}  // namespace

void StderrSink::sink_it_(const spdlog::details::log_msg& message) {
  if (lost_ > 0) {
    const std::string text =
        fmt::format("{} lines of the log were lost: standard error took no more", lost_);
    if (Write({message.logger_name, spdlog::level::warn, text})) lost_ = 0;
  }
  if (lost_ > 0 || !Write(message)) ++lost_;
}

bool StderrSink::Write(const spdlog::details::log_msg& message) {
  if (!WriteRest()) return false;
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  rest_.assign(line.data(), line.size());
  if (WriteRest() || rest_.size() < line.size()) return true;
  rest_.clear();
  return false;
}

bool StderrSink::WriteRest() {
  while (!rest_.empty() && HasRoom()) {
    const ssize_t written = write(STDERR_FILENO, rest_.data(), rest_.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) rest_.erase(0, static_cast<std::size_t>(written));
  }
  return rest_.empty();
}

}  // namespace ascend

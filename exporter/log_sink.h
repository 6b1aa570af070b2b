// Where the log's lines go.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace ascend {

// Writes lines to standard error and never waits for who reads them: a line that finds no room is
// dropped, and the next one that does find room stands below a line that says how many were lost.
// Lines must be at most PIPE_BUF bytes long. Needs SIGPIPE to be ignored. Any thread.
class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 private:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {}  // nothing is held back

  [[nodiscard]] bool Write(const spdlog::details::log_msg& message);
  [[nodiscard]] bool WriteRest();

  std::string rest_;      // of the last line, where only a part of it found room
  std::size_t lost_ = 0;  // lines since the last one that was written
};

}  // namespace ascend

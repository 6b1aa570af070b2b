// One run of the settings reader at a time.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "exporter/supervisor/clock.h"
#include "exporter/supervisor/log.h"
#include "exporter/supervisor/options.h"

namespace ascend::supervisor {

enum class ReloadState { kRunning, kSucceeded, kFailed };

class Reload {
 public:
  Reload(const Options& options, Log& log) : options_(options), log_(log) {}

  // Once, before anything else. False with errno.
  [[nodiscard]] bool Prepare();

  // Not while one runs. False if no process could be made, which is said.
  [[nodiscard]] bool Start();
  [[nodiscard]] bool running() const { return pid_ != 0; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] std::int64_t deadline_ms() const { return running() ? deadline_ms_ : kNever; }

  // What poll(2) should wait for; -1: nothing.
  [[nodiscard]] int fd() const { return fd_; }
  // kFailed, and the reader is killed, if it writes too much.
  [[nodiscard]] ReloadState Read();
  // The reader was waited for. Says what is wrong with it, unless it has done so itself.
  [[nodiscard]] ReloadState Ended(int status);
  // Kills the reader and forgets it.
  void Abandon();
  void AbandonLate();

  // What the last one read that succeeded.
  [[nodiscard]] const char* content() const { return content_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] pid_t Launch(int write_end) const;
  void Close();

  const Options& options_;
  Log& log_;
  pid_t pid_ = 0;
  volatile int* exec_error_ = nullptr;
  int fd_ = -1;
  std::int64_t deadline_ms_ = kNever;
  char* content_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ascend::supervisor

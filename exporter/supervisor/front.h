// The front's process, its two pipes, and when it is started again.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "exporter/supervisor/clock.h"
#include "exporter/supervisor/event_queue.h"
#include "exporter/supervisor/hosts.h"
#include "exporter/supervisor/log.h"
#include "exporter/supervisor/options.h"
#include "exporter/supervisor/settings.h"

namespace ascend::supervisor {

class Front {
 public:
  Front(const Options& options, const Settings& settings, const Hosts& hosts, Log& log)
      : options_(options), settings_(settings), hosts_(hosts), log_(log) {}

  // Once, before anything else. False with errno.
  [[nodiscard]] bool Prepare();

  // False with errno: no process could be made. A start is then due later.
  [[nodiscard]] bool Start();
  // When to start it, in NowMs(); kNever while it lives.
  [[nodiscard]] std::int64_t start_due_ms() const { return alive() ? kNever : start_due_ms_; }

  [[nodiscard]] bool alive() const { return pid_ != 0; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  void Signal(int number) const;

  // What poll(2) should wait for; -1: nothing.
  [[nodiscard]] int command_fd() const { return command_fd_; }
  [[nodiscard]] int waiting_fd() const { return events_.waiting_fd(); }

  // Kills the front if it leaves too many events unread.
  void Tell(const Event& event, const char* payload = nullptr);
  void Flush() { events_.Flush(); }

  // True, with the next command, while there is one to read now.
  [[nodiscard]] bool NextCommand(Command& command);
  // Whether there is one for which poll(2) need not wait.
  [[nodiscard]] bool has_command() const {
    return commands_end_ - commands_begin_ >= sizeof(Command);
  }
  // Says once for each front that it said what makes no sense.
  void Complain();

  // Says how it ended. Before Ended.
  void ReportEnd(int status);
  bool exec_failed() const { return *exec_error_ != 0; }
  // It was waited for, and its last commands were read; a start is now due.
  void Ended();

 private:
  [[nodiscard]] bool OpenPipes(int (&events)[2], int (&commands)[2]) const;
  [[nodiscard]] pid_t Launch(int events, int commands, int settings);
  void SetNextStart();
  void CloseCommands();

  const Options& options_;
  const Settings& settings_;
  const Hosts& hosts_;
  Log& log_;
  EventQueue events_;
  pid_t pid_ = 0;
  volatile int* exec_error_ = nullptr;
  bool complained_ = false;

  int command_fd_ = -1;
  char commands_[64 * sizeof(Command)];
  std::size_t commands_begin_ = 0;
  std::size_t commands_end_ = 0;

  std::int64_t started_ms_ = 0;
  std::int64_t start_due_ms_ = 0;
  std::int64_t pause_ms_ = 0;  // between the last start and the next
};

}  // namespace ascend::supervisor

// The loop: waits for signals, commands and deadlines, and does what they ask for.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "exporter/supervisor/clock.h"
#include "exporter/supervisor/front.h"
#include "exporter/supervisor/hosts.h"
#include "exporter/supervisor/log.h"
#include "exporter/supervisor/options.h"
#include "exporter/supervisor/protocol.h"
#include "exporter/supervisor/reload.h"
#include "exporter/supervisor/settings.h"

namespace ascend::supervisor {

// Waits for nothing but poll(2): a front that does not read, a host that does not end, a reader
// that hangs hold up nothing else.
class Supervisor {
 public:
  // `settings` have been read.
  Supervisor(const Options& options, Settings& settings, Log& log)
      : settings_(settings),
        log_(log),
        hosts_(options, settings),
        front_(options, settings, hosts_, log),
        reload_(options, log) {}

  // Until everything has ended; the status to exit with. `signals` is a signalfd for those of
  // protocol.h and SIGCHLD, without blocking.
  [[nodiscard]] int Run(int signals);

 private:
  [[nodiscard]] bool Begin();
  void Wait(int signals) const;
  [[nodiscard]] std::int64_t NextDeadline() const;

  void TakeSignals(int signals);
  void Reap();
  void ProcessEnded(pid_t pid, int status);
  void EndOrphans() const;
  void FrontEnded(int status);

  void TakeCommands();
  void Obey(const Command& command);
  [[nodiscard]] bool SignalHost(const Command& command);

  void RequestReload();
  void ReloadEnded(ReloadState state);

  void MeetDeadlines();
  // Ends all children: with SIGTERM, and after `grace_ms` with SIGKILL.
  void Stop(int exit_status, std::int64_t grace_ms);
  [[nodiscard]] bool Done() const;

  Settings& settings_;
  Log& log_;
  Hosts hosts_;
  Front front_;
  Reload reload_;
  bool reload_again_ = false;
  bool was_ready_ = false;  // a front has served

  bool stopping_ = false;
  int exit_status_ = 0;
  std::int64_t kill_due_ms_ = kNever;
  std::int64_t give_up_due_ms_ = kNever;
};

}  // namespace ascend::supervisor

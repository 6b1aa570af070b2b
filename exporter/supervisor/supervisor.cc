#include "exporter/supervisor/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "exporter/supervisor/orphans.h"

namespace ascend::supervisor {
namespace {

constexpr std::int64_t kGraceMs = 3000;
// For processes to end after SIGKILL. One that cannot is inside the kernel, and not waited for.
constexpr std::int64_t kAfterKillMs = 900;
// Read in one go, so that a front that gives commands without end holds up nothing else. More than
// its pipe holds.
constexpr int kMaxCommands = 8192;

std::int64_t Earlier(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

}  // namespace

int Supervisor::Run(int signals) {
  if (!Begin()) return EXIT_FAILURE;
  while (!Done()) {
    Wait(signals);
    TakeSignals(signals);
    TakeCommands();
    if (reload_.Read() == ReloadState::kFailed) ReloadEnded(ReloadState::kFailed);
    front_.Flush();
    MeetDeadlines();
  }
  return exit_status_;
}

bool Supervisor::Begin() {
  if (hosts_.Prepare() && front_.Prepare() && reload_.Prepare() && front_.Start()) return true;
  log_.Error("cannot start: %s", strerror(errno));
  return false;
}

void Supervisor::Wait(int signals) const {
  pollfd wanted[] = {
      {.fd = signals, .events = POLLIN, .revents = 0},
      {.fd = front_.command_fd(), .events = POLLIN, .revents = 0},
      {.fd = front_.waiting_fd(), .events = POLLOUT, .revents = 0},
      {.fd = reload_.fd(), .events = POLLIN, .revents = 0},
  };
  const std::int64_t due = NextDeadline();
  int timeout_ms = -1;
  if (due != kNever) {
    const std::int64_t left = due - NowMs();
    timeout_ms = left < 0 ? 0 : static_cast<int>(Earlier(left, INT_MAX));
  }
  // Whatever it says, everything is looked at, without blocking.
  poll(wanted, sizeof wanted / sizeof wanted[0], timeout_ms);
}

std::int64_t Supervisor::NextDeadline() const {
  if (front_.has_command()) return 0;
  if (stopping_) return Earlier(kill_due_ms_, give_up_due_ms_);
  return Earlier(front_.start_due_ms(), reload_.deadline_ms());
}

void Supervisor::TakeSignals(int signals) {
  signalfd_siginfo info;
  while (read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    switch (info.ssi_signo) {
      case SIGTERM:
      case SIGINT:
        Stop(EXIT_SUCCESS, kGraceMs);
        break;
      case SIGHUP:
        RequestReload();
        break;
      case SIGUSR1:
        front_.Tell({.kind = EventKind::kAcquire});
        break;
      case SIGUSR2:
        front_.Tell({.kind = EventKind::kRelease});
        break;
      default:
        Reap();
    }
  }
}

void Supervisor::Reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) ProcessEnded(pid, status);
}

void Supervisor::ProcessEnded(pid_t pid, int status) {
  Event event;
  if (pid == front_.pid()) {
    FrontEnded(status);
  } else if (pid == reload_.pid()) {
    ReloadEnded(reload_.Ended(status));
  } else if (hosts_.Ended(pid, status, event)) {
    EndOrphans();
    front_.Tell(event);
  }  // else an orphan of a child
}

// What a host has run lies in process groups of its own, and would outlive it.
void Supervisor::EndOrphans() const {
  pid_t known[kBerths + 2] = {front_.pid(), reload_.pid()};
  for (std::uint32_t berth = 0; berth < kBerths; ++berth) known[berth + 2] = hosts_.pid(berth);
  KillOrphans(known, kBerths + 2);
}

void Supervisor::FrontEnded(int status) {
  TakeCommands();  // it may have said that it serves just before it ended
  // Before it served, an exit with an error is a failure of its setup, and it has said which.
  const bool said_why = !was_ready_ && WIFEXITED(status) && WEXITSTATUS(status) != 0;
  if (!stopping_ && (!said_why || front_.exec_failed())) front_.ReportEnd(status);
  front_.Ended();
  if (was_ready_) return;
  Stop(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), 0);
}

void Supervisor::TakeCommands() {
  Command command;
  for (int i = 0; i < kMaxCommands && front_.NextCommand(command); ++i) Obey(command);
}

void Supervisor::Obey(const Command& command) {
  bool sensible = true;
  switch (command.kind) {
    case CommandKind::kReady:
      was_ready_ = true;
      break;
    case CommandKind::kStartHost:
      sensible = command.berth < kBerths && !hosts_.Busy(command.berth);
      if (sensible && !stopping_) front_.Tell(hosts_.StartIn(command.berth));
      break;
    case CommandKind::kSignalHost:
      sensible = SignalHost(command);
      break;
    case CommandKind::kReload:
      RequestReload();
      break;
    default:
      sensible = false;
  }
  if (!sensible) front_.Complain();
}

bool Supervisor::SignalHost(const Command& command) {
  const bool allowed = command.signal == SIGTERM || command.signal == SIGKILL ||
                       command.signal == SIGUSR1 || command.signal == SIGUSR2;
  if (!allowed || command.berth >= kBerths) return false;
  hosts_.Signal(command.berth, command.signal);
  return true;
}

void Supervisor::RequestReload() {
  if (stopping_) return;
  if (reload_.running()) {
    reload_again_ = true;
  } else if (!reload_.Start()) {
    front_.Tell({.kind = EventKind::kReloadFailed});
  }
}

void Supervisor::ReloadEnded(ReloadState state) {
  if (state == ReloadState::kSucceeded) {
    settings_.Replace(reload_.content(), reload_.bytes());
    front_.Tell({.kind = EventKind::kSettings,
                 .payload_bytes = static_cast<std::uint32_t>(reload_.bytes())},
                reload_.content());
  } else {
    front_.Tell({.kind = EventKind::kReloadFailed});
  }
  if (!reload_again_) return;
  reload_again_ = false;
  RequestReload();
}

void Supervisor::MeetDeadlines() {
  const std::int64_t now = NowMs();
  if (stopping_) {
    if (now < kill_due_ms_) return;
    kill_due_ms_ = kNever;
    front_.Signal(SIGKILL);
    hosts_.SignalAll(SIGKILL);
    return;
  }
  if (now >= front_.start_due_ms() && !front_.Start()) {
    log_.Warn("cannot start the front: %s", strerror(errno));
  }
  if (now >= reload_.deadline_ms()) {
    reload_.AbandonLate();
    ReloadEnded(ReloadState::kFailed);
  }
}

void Supervisor::Stop(int exit_status, std::int64_t grace_ms) {
  if (stopping_) return;
  stopping_ = true;
  exit_status_ = exit_status;
  kill_due_ms_ = NowMs() + grace_ms;
  give_up_due_ms_ = kill_due_ms_ + kAfterKillMs;
  front_.Signal(SIGTERM);
  hosts_.SignalAll(SIGTERM);
  reload_.Abandon();
}

bool Supervisor::Done() const {
  if (!stopping_) return false;
  return (!front_.alive() && !hosts_.AnyAlive()) || NowMs() >= give_up_due_ms_;
}

}  // namespace ascend::supervisor

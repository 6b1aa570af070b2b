#include "exporter/supervisor/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace ascend::supervisor {
namespace {

// What an ignored signal was to the supervisor, or to who started it, is nothing to the child.
void ResetSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// First out of the way of the numbers that are wanted, then to them.
bool PlaceDescriptors(const int (&fds)[kMaxChildFds]) {
  int moved[kMaxChildFds];
  for (int i = 0; i < kMaxChildFds; ++i) {
    moved[i] = fds[i] < 0 ? -1 : fcntl(fds[i], F_DUPFD_CLOEXEC, kFirstChildFd + kMaxChildFds);
    if (fds[i] >= 0 && moved[i] < 0) return false;
  }
  for (int i = 0; i < kMaxChildFds; ++i) {
    if (moved[i] >= 0 && dup2(moved[i], kFirstChildFd + i) < 0) return false;
  }
  return true;
}

bool Announce() {
  char number[12];
  snprintf(number, sizeof number, "%d", kWriteSettingsFd);
  return setenv(kWriteSettingsVariable, number, 1) == 0;
}

[[noreturn]] void Become(const Child& child, pid_t supervisor) {
  // The supervisor may have died before this call.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != supervisor) _exit(kNotExecuted);
  ResetSignals();
  if (PlaceDescriptors(child.fds) && (!child.writes_settings || Announce())) {
    execv(child.program, child.arguments);
  }
  *child.exec_error = errno;
  _exit(kNotExecuted);
}

}  // namespace

pid_t Start(const Child& child) {
  *child.exec_error = 0;
  const pid_t supervisor = getpid();
  const pid_t pid = fork();
  if (pid == 0) Become(child, supervisor);
  return pid;
}

}  // namespace ascend::supervisor

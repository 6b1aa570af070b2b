#include "exporter/supervisor/reload.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exporter/supervisor/child.h"
#include "exporter/supervisor/memory.h"
#include "exporter/supervisor/protocol.h"

namespace ascend::supervisor {
namespace {

constexpr std::int64_t kDeadlineMs = 10'000;
constexpr std::size_t kRoom = kMaxSettingsBytes + 1;  // to see that there is too much
// So that a reader never waits for a supervisor that is stopped, and misses no deadline thereby.
constexpr int kPipeBytes = 2 * kMaxSettingsBytes;

}  // namespace

bool Reload::Prepare() {
  exec_error_ = ReserveSharedInts(1);
  content_ = Reserve(kRoom);
  return exec_error_ != nullptr && content_ != nullptr;
}

bool Reload::Start() {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    log_.Warn("cannot read the settings again: pipe: %s", strerror(errno));
    return false;
  }
  fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
  fcntl(pipe_ends[0], F_SETPIPE_SZ, kPipeBytes);
  fd_ = pipe_ends[0];
  const pid_t pid = Launch(pipe_ends[1]);
  if (pid < 0) log_.Warn("cannot read the settings again: fork: %s", strerror(errno));
  close(pipe_ends[1]);
  if (pid < 0) {
    Close();
    return false;
  }
  pid_ = pid;
  bytes_ = 0;
  deadline_ms_ = NowMs() + kDeadlineMs;
  return true;
}

pid_t Reload::Launch(int write_end) const {
  Child child = {.program = options_.settings_reader, .arguments = options_.reader_arguments};
  child.fds[kWriteSettingsFd - kFirstChildFd] = write_end;
  child.writes_settings = true;
  child.exec_error = exec_error_;
  return supervisor::Start(child);
}

ReloadState Reload::Read() {
  while (fd_ >= 0) {
    const ssize_t got = read(fd_, content_ + bytes_, kRoom - bytes_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) break;
    if (got <= 0) {
      Close();
      break;
    }
    bytes_ += static_cast<std::size_t>(got);
    if (bytes_ < kRoom) continue;
    log_.Warn("the settings stay: the new ones have more than %u bytes", kMaxSettingsBytes);
    Abandon();
    return ReloadState::kFailed;
  }
  return ReloadState::kRunning;
}

ReloadState Reload::Ended(int status) {
  pid_ = 0;  // there is nothing left to kill
  if (Read() == ReloadState::kFailed) return ReloadState::kFailed;
  Close();
  if (*exec_error_ != 0) {
    log_.Warn("the settings stay: cannot execute %s: %s", options_.settings_reader,
              strerror(*exec_error_));
  } else if (WIFSIGNALED(status)) {
    log_.Warn("the settings stay: reading them was ended by signal %d", WTERMSIG(status));
  } else if (WEXITSTATUS(status) == 0 && bytes_ == 0) {
    log_.Warn("the settings stay: the new ones are empty");
  } else if (WEXITSTATUS(status) == 0) {
    return ReloadState::kSucceeded;
  }
  return ReloadState::kFailed;
}

void Reload::Abandon() {
  if (running()) kill(pid_, SIGKILL);
  pid_ = 0;
  Close();
}

void Reload::AbandonLate() {
  log_.Warn("the settings stay: reading them took more than %d s",
            static_cast<int>(kDeadlineMs / 1000));
  Abandon();
}

void Reload::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

}  // namespace ascend::supervisor

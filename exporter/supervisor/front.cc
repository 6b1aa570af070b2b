#include "exporter/supervisor/front.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exporter/supervisor/child.h"
#include "exporter/supervisor/memory.h"

namespace ascend::supervisor {
namespace {

constexpr std::int64_t kFirstPauseMs = 100;
constexpr std::int64_t kLongestPauseMs = 2000;
constexpr std::int64_t kRanWellMs = 60'000;

void CloseBoth(const int (&fds)[2]) {
  const int reason = errno;
  for (const int fd : fds) {
    if (fd >= 0) close(fd);
  }
  errno = reason;
}

}  // namespace

bool Front::Prepare() {
  exec_error_ = ReserveSharedInts(1);
  return exec_error_ != nullptr && events_.Prepare();
}

bool Front::Start() {
  SetNextStart();
  int events[2] = {-1, -1};
  int commands[2] = {-1, -1};
  const int settings = settings_.MakeDescriptor();
  const bool opened = settings >= 0 && OpenPipes(events, commands);
  const pid_t pid = opened ? Launch(events[0], commands[1], settings) : -1;
  const int reason = errno;
  if (settings >= 0) close(settings);
  if (pid < 0) {
    CloseBoth(events);
    CloseBoth(commands);
    errno = reason;
    return false;
  }
  close(events[0]);
  close(commands[1]);
  events_.Open(events[1]);
  command_fd_ = commands[0];
  complained_ = false;
  pid_ = pid;
  return true;
}

bool Front::OpenPipes(int (&events)[2], int (&commands)[2]) const {
  if (pipe2(events, O_CLOEXEC) != 0 || pipe2(commands, O_CLOEXEC) != 0) return false;
  return fcntl(commands[0], F_SETFL, O_NONBLOCK) == 0;
}

pid_t Front::Launch(int events, int commands, int settings) {
  char hosts[256];
  hosts_.List(hosts, sizeof hosts);
  char* arguments[] = {const_cast<char*>(options_.front), hosts, nullptr};

  Child child = {.program = options_.front, .arguments = arguments};
  child.exec_error = exec_error_;
  child.fds[kSettingsFd - kFirstChildFd] = settings;
  child.fds[kEventFd - kFirstChildFd] = events;
  child.fds[kCommandFd - kFirstChildFd] = commands;
  child.fds[kBoardFd - kFirstChildFd] = hosts_.board();
  for (std::uint32_t berth = 0; berth < kBerths; ++berth) {
    child.fds[kFirstBerthFd - kFirstChildFd + static_cast<int>(berth)] = hosts_.berth(berth);
  }
  return supervisor::Start(child);
}

// The pause grows with each start and is counted from the last one, so that a front that lived for
// longer than the pause is started at once.
void Front::SetNextStart() {
  started_ms_ = NowMs();
  start_due_ms_ = started_ms_ + pause_ms_;
  pause_ms_ = pause_ms_ == 0 ? kFirstPauseMs : pause_ms_ * 2;
  if (pause_ms_ > kLongestPauseMs) pause_ms_ = kLongestPauseMs;
}

void Front::Signal(int number) const {
  if (alive()) kill(pid_, number);
}

void Front::Tell(const Event& event, const char* payload) {
  if (events_.Push(event, payload)) return;
  log_.Warn("the front (process %d) does not read what it is told and is killed", pid_);
  Signal(SIGKILL);
}

bool Front::NextCommand(Command& command) {
  if (!has_command()) {
    commands_end_ -= commands_begin_;
    memmove(commands_, commands_ + commands_begin_, commands_end_);
    commands_begin_ = 0;
    if (command_fd_ < 0) return false;
    const ssize_t got =
        read(command_fd_, commands_ + commands_end_, sizeof commands_ - commands_end_);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (got <= 0) {
      CloseCommands();
      return false;
    }
    commands_end_ += static_cast<std::size_t>(got);
    if (!has_command()) return false;
  }
  memcpy(&command, commands_ + commands_begin_, sizeof command);
  commands_begin_ += sizeof command;
  return true;
}

void Front::Complain() {
  if (complained_) return;
  complained_ = true;
  log_.Warn("the front (process %d) gives commands that make no sense; they are ignored", pid_);
}

void Front::ReportEnd(int status) {
  if (*exec_error_ != 0) {
    log_.Warn("cannot execute the front: %s; is %s installed?", strerror(*exec_error_),
              options_.front);
  } else if (WIFSIGNALED(status)) {
    log_.Warn("the front (process %d) was ended by signal %d", pid_, WTERMSIG(status));
  } else {
    log_.Warn("the front (process %d) ended with status %d", pid_, WEXITSTATUS(status));
  }
}

void Front::Ended() {
  if (NowMs() - started_ms_ >= kRanWellMs) {
    start_due_ms_ = 0;
    pause_ms_ = 0;
  }
  CloseCommands();
  events_.Close();
  pid_ = 0;
}

void Front::CloseCommands() {
  if (command_fd_ >= 0) close(command_fd_);
  command_fd_ = -1;
  commands_begin_ = commands_end_ = 0;
}

}  // namespace ascend::supervisor

#include "exporter/supervisor/hosts.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "exporter/supervisor/child.h"
#include "exporter/supervisor/memory.h"

namespace ascend::supervisor {

bool Hosts::Prepare() {
  exec_errors_ = ReserveSharedInts(kBerths);
  int life[2];
  if (exec_errors_ == nullptr || pipe2(life, O_CLOEXEC) != 0) return false;
  life_ = life[0];
  board_ = MakeShared("ascend-board", options_.board_bytes);
  if (board_ < 0) return false;
  for (Host& host : hosts_) {
    host.memory = MakeShared("ascend-berth", options_.berth_bytes);
    if (host.memory < 0) return false;
  }
  return true;
}

Event Hosts::StartIn(std::uint32_t berth) {
  const std::uint32_t generation = ++last_generation_;
  Event event = {.kind = EventKind::kHostFailed, .berth = berth, .generation = generation};
  const pid_t pid = Launch(berth, generation);
  if (pid < 0) {
    event.status = errno;
    return event;
  }
  hosts_[berth].pid = pid;
  hosts_[berth].generation = generation;
  event.kind = EventKind::kHostStarted;
  event.pid = pid;
  return event;
}

pid_t Hosts::Launch(std::uint32_t berth, std::uint32_t generation) {
  if (!Clear(hosts_[berth].memory, options_.berth_bytes)) return -1;
  const int settings = settings_.MakeDescriptor();
  if (settings < 0) return -1;

  char berth_word[32];
  char generation_word[32];
  snprintf(berth_word, sizeof berth_word, "%s%u", kBerthOption, berth);
  snprintf(generation_word, sizeof generation_word, "%s%u", kGenerationOption, generation);
  char* arguments[] = {const_cast<char*>(options_.host), berth_word, generation_word, nullptr};

  Child child = {.program = options_.host, .arguments = arguments};
  child.exec_error = &exec_errors_[berth];
  child.fds[kSettingsFd - kFirstChildFd] = settings;
  child.fds[kLifeFd - kFirstChildFd] = life_;
  child.fds[kBoardFd - kFirstChildFd] = board_;
  child.fds[kHostBerthFd - kFirstChildFd] = hosts_[berth].memory;
  const pid_t pid = Start(child);
  const int reason = errno;
  close(settings);
  errno = reason;
  return pid;
}

void Hosts::Signal(std::uint32_t berth, int number) const {
  // No other process can have the number before this one was waited for.
  if (Busy(berth)) kill(hosts_[berth].pid, number);
}

void Hosts::SignalAll(int number) const {
  for (std::uint32_t berth = 0; berth < kBerths; ++berth) Signal(berth, number);
}

bool Hosts::Ended(pid_t pid, int status, Event& event) {
  for (std::uint32_t berth = 0; berth < kBerths; ++berth) {
    Host& host = hosts_[berth];
    if (host.pid != pid) continue;
    event = {.kind = EventKind::kHostExited,
             .berth = berth,
             .pid = pid,
             .generation = host.generation,
             .status = status};
    if (exec_errors_[berth] != 0) {
      event.kind = EventKind::kHostFailed;
      event.status = exec_errors_[berth];
    }
    host.pid = 0;
    return true;
  }
  return false;
}

bool Hosts::AnyAlive() const {
  for (const Host& host : hosts_) {
    if (host.pid != 0) return true;
  }
  return false;
}

void Hosts::List(char* text, std::size_t room) const {
  int used = snprintf(text, room, "%s", kHostsOption);
  const char* separator = "";
  for (std::uint32_t berth = 0; berth < kBerths; ++berth) {
    const Host& host = hosts_[berth];
    if (host.pid == 0) continue;
    used += snprintf(text + used, room - static_cast<std::size_t>(used), "%s%u:%d:%u", separator,
                     berth, static_cast<int>(host.pid), host.generation);
    separator = ",";
  }
}

}  // namespace ascend::supervisor

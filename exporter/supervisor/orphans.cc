#include "exporter/supervisor/orphans.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

namespace ascend::supervisor {
namespace {

bool Contains(const pid_t* known, std::size_t count, pid_t pid) {
  for (std::size_t i = 0; i < count; ++i) {
    if (known[i] == pid) return true;
  }
  return false;
}

}  // namespace

void KillOrphans(const pid_t* known, std::size_t count) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(getpid()));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[4096];  // more than there can be in use; what is cut off is left to its own deadline
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return;
  text[size] = '\0';
  char* end = text;
  for (char* next = text; *next != '\0'; next = end) {
    const auto pid = static_cast<pid_t>(strtol(next, &end, 10));
    if (end == next) return;
    while (*end == ' ') ++end;
    if (pid <= 1 || Contains(known, count, pid)) continue;
    if (getpgid(pid) == pid) kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
  }
}

}  // namespace ascend::supervisor

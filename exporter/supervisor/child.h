// Starts a program as a child that dies with the supervisor and has only the descriptors given.
#pragma once

#include <sys/types.h>

#include "exporter/supervisor/protocol.h"

namespace ascend::supervisor {

inline constexpr int kFirstChildFd = 3;
inline constexpr int kMaxChildFds = 4 + kBerths;

struct Child {
  const char* program = nullptr;
  char* const* arguments = nullptr;  // with the program's name, ends with null
  // What the child has as kFirstChildFd + index; -1: nothing. All of the supervisor's own
  // descriptors are closed by exec.
  int fds[kMaxChildFds] = {-1, -1, -1, -1, -1, -1, -1, -1};
  static_assert(kMaxChildFds == 8);
  bool writes_settings = false;  // sets kWriteSettingsVariable
  // In memory that is shared with the child: becomes 0, and errno if the program cannot be
  // executed. The child then exits with status 127.
  volatile int* exec_error = nullptr;
};

// The process, which is about to execute the program; -1, with errno, if there is none. Only from
// the thread that lives as long as the supervisor.
[[nodiscard]] pid_t Start(const Child& child);

inline constexpr int kNotExecuted = 127;

}  // namespace ascend::supervisor

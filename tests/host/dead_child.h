// Code that ends its process, run in a child.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "gtest/gtest.h"

namespace ascend {

constexpr int kRanToItsEnd = 99;  // status of a child that nothing ended before

// The wait status of a child that ran `code`. If nothing else ends it, it ends by _exit: what the
// parent had prepared for its own exit is not run twice.
template <typename Code>
int StatusOfChild(Code code) {
  const pid_t child = fork();
  if (child == 0) {
    code();
    _exit(kRanToItsEnd);
  }
  EXPECT_GT(child, 0);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

inline bool EndedBySignal(int status, int signal) {
  return WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

inline bool EndedWith(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

}  // namespace ascend

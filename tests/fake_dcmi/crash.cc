#include "crash.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace fake_dcmi {
namespace {

constexpr int kExitStatus = 3;
// Smaller than the guard page behind a stack, which must not be jumped over.
constexpr std::size_t kFrame = 1024;
constexpr int kDeepest = 1 << 20;  // of such frames, for a stack without a limit

void WriteToNowhere() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

int Recurse(int depth) {
  volatile char frame[kFrame];
  frame[0] = static_cast<char>(depth);
  if (depth == kDeepest) return frame[0];
  return Recurse(depth + 1) + frame[0];
}

void FreeTwice() {
  void* volatile block = std::malloc(64);
  std::free(block);
  std::free(block);
}

}  // namespace

void Die(Crash way) {
  switch (way) {
    case Crash::kSegv:
      WriteToNowhere();
      break;
    case Crash::kAbort:
      break;
    case Crash::kExit:
      std::exit(kExitStatus);
    case Crash::kExitAtOnce:
      _exit(kExitStatus);
    case Crash::kStackOverflow:
      Recurse(0);
      break;
    case Crash::kDoubleFree:
      FreeTwice();
      break;
  }
  std::abort();
}

}  // namespace fake_dcmi

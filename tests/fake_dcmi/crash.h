// The ways in which a call takes its process with it.
#pragma once

namespace fake_dcmi {

enum class Crash {
  kSegv,           // a write through a null pointer
  kAbort,          // abort()
  kExit,           // exit(3): what the program wants done at its end is done in this thread
  kExitAtOnce,     // _exit(3)
  kStackOverflow,  // recursion without an end
  kDoubleFree,     // a heap that finds itself corrupt
};

[[noreturn]] void Die(Crash way);

}  // namespace fake_dcmi

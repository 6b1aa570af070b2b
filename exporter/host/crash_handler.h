// Writes down where a driver host crashed, since its death says only by which signal.
#pragma once

#include <signal.h>

#include <cstddef>

#include "exporter/border/crash_note.h"

namespace ascend {

// From here on SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT and exit() fill `note`. A signal then ends
// the process as it would have. exit() ends it at once, with its status, since to run destructors
// under the threads that go on would make another crash of it; those of libraries loaded later than
// this call have run before. Once in a process; `note` must outlive it, and any thread may crash.
//
// Signal and channel are stored first. To find the frame the handler uses backtrace(3) and
// dladdr(3), which allocate nothing once they were used, but are not promised to be safe in a
// signal handler. If the crash was inside of the loader or the unwinder, a lock that is never free
// ends the process by SIGALRM after 2 s, and a second fault ends it at once, with a note that is
// not complete. Only the first thread that crashes writes; others wait for the end.
void InstallCrashHandler(CrashNote& note);

// Fills the note, if there is one to fill, since the calling thread ends the process (exit.cc).
void NoteExit();

// Says that exit() is wanted from here on and leaves no note. Any thread.
void AllowExit();

// Says for which device's channel the calling thread works, until it ends. kNoChannel: none.
void SetThreadChannel(int channel);

// A stack for the handler, so that a thread whose own stack overflowed leaves a note, too. Made and
// destroyed by the thread that it is for; memory that is not to be had leaves the thread without.
class AlternateStack {
 public:
  AlternateStack();
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;
  ~AlternateStack();

 private:
  void* memory_ = nullptr;  // with a guard page at its low end
  stack_t previous_{};
};

}  // namespace ascend

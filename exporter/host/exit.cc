// exit() and _exit() of this program, which a library that calls them gets instead of the C
// library's: so that it is known which call ended the host, before any handler of exit runs, in
// which other threads could crash. A symbol of a program takes the place of a library's.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "exporter/host/crash_handler.h"

namespace ascend {
namespace {

[[noreturn]] void EndAtOnce(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

}  // namespace
}  // namespace ascend

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the C library's names
extern "C" {

void exit(int status) noexcept {
  ascend::NoteExit();
  using Exit = void (*)(int);
  if (const auto real = reinterpret_cast<Exit>(dlsym(RTLD_NEXT, "exit"))) real(status);
  ascend::EndAtOnce(status);
}

void _exit(int status) {
  ascend::NoteExit();
  ascend::EndAtOnce(status);
}

void _Exit(int status) noexcept { _exit(status); }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

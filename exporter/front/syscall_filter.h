// The list of what the front may ask the kernel for.
#pragma once

#include "absl/status/status.h"

namespace ascend {

// From here on every thread of this process, and what they start, may only do what serving pages
// needs: threads, memory without executable pages, clocks, reading files, the descriptors that are
// open, connections of sockets that listen. No other program, no new socket, no file opened for
// writing, no signal to another process. Call it after the last such thing and before any client is
// served; it cannot be taken back.
//
// A call that is not on the list fails with EPERM and ends nothing: a C library may ask for more
// than the one that this was written against, and a page without one number is better than no page.
// (clone3 fails with ENOSYS, at which the C library starts its threads by clone, whose flags a
// filter can read.)
//
// Sets no_new_privs, without which an unprivileged process may not do this. kUnimplemented if the
// kernel knows no filters; kInternal if it refused this one. The process is then as it was.
absl::Status InstallSyscallFilter();

}  // namespace ascend

// Ends what a host has left running: tools of the vendor that may hang.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace ascend::supervisor {

// Sends SIGKILL to every child of this process that is not among the `count` pids of `known`, and
// to its process group if it leads one. Such a child's parent has died, and this process, a
// subreaper, was given it. Without the kernel's list of children nothing happens.
void KillOrphans(const pid_t* known, std::size_t count);

}  // namespace ascend::supervisor

// Keeps the driver host, and the vendor's tools that it runs, off the network.
#pragma once

#include "absl/status/status.h"

namespace ascend {

// From here on socket() makes only AF_UNIX and AF_NETLINK sockets in every thread of this process
// and in all that they start; others fail with EACCES. What is open stays open. io_uring, which
// makes sockets past such a filter, fails with ENOSYS, as on a kernel without it.
//
// Root with CAP_SYS_ADMIN installs it as it is; anybody else gets no_new_privs with it, which the
// kernel demands. kUnimplemented if the kernel knows no filters; kInternal if it refused this one.
// The process is then as it was.
absl::Status DenyNetwork();

}  // namespace ascend

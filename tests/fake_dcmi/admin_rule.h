// Who the vendor's kernel driver shows all chips to.
#pragma once

#include <cstdint>

namespace fake_dcmi {

// Whether the calling thread is in the host's mount namespace, or else in the initial user
// namespace with every capability effective and a memory cgroup mount that it may write.
// `host_mount_namespace` is the inode of the host's mount namespace; 0: that of process 1.
bool IsAdministrator(std::uint64_t host_mount_namespace);

}  // namespace fake_dcmi

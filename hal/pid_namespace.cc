#include "hal/pid_namespace.h"

#include <sys/stat.h>

namespace ascend {

bool InInitialPidNamespace() {
  constexpr ino_t kInitialPidNamespace = 0xEFFFFFFC;  // PROC_PID_INIT_INO of the kernel
  struct stat status {};
  return ::stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == kInitialPidNamespace;
}

}  // namespace ascend

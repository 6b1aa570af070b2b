#include "exporter/supervisor/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <initializer_list>

namespace ascend::supervisor {

bool ReserveStandardStreams() {
  const int null = open("/dev/null", O_RDWR);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0) return false;
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) < 0 && dup2(null, fd) < 0) return false;
  }
  if (null > STDERR_FILENO) close(null);
  return true;
}

void CloseFrom(int first) {
  if (syscall(SYS_close_range, static_cast<unsigned>(first), UINT_MAX, 0) == 0) return;
  // Kernels before 5.9.
  DIR* const open_ones = opendir("/proc/self/fd");
  if (open_ones == nullptr) return;
  while (const dirent* entry = readdir(open_ones)) {
    const int fd = atoi(entry->d_name);
    if (fd >= first && fd != dirfd(open_ones)) close(fd);
  }
  closedir(open_ones);
}

}  // namespace ascend::supervisor

#include "exporter/supervisor/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace ascend::supervisor {
namespace {

// MFD_NOEXEC_SEAL, which the headers of older systems lack.
constexpr unsigned kNoExec = 8;

int MakeMemfd(const char* name) {
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  // Kernels from 6.3 on can be set to want this flag; those before do not know it.
  const int fd = memfd_create(name, flags | kNoExec);
  if (fd >= 0 || errno != EINVAL) return fd;
  return memfd_create(name, flags);
}

int Abandon(int fd) {
  const int reason = errno;
  close(fd);
  errno = reason;
  return -1;
}

bool WriteAll(int fd, const char* content, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t written =
        pwrite(fd, content + done, bytes - done, static_cast<off_t>(done));  // leaves the offset
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

void* Map(std::size_t bytes, int sharing) {
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
  return place == MAP_FAILED ? nullptr : place;
}

}  // namespace

int MakeShared(const char* name, std::uint64_t bytes) {
  const int fd = MakeMemfd(name);
  if (fd < 0) return -1;
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) return Abandon(fd);
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return Abandon(fd);
  return fd;
}

int MakeConstant(const char* name, const char* content, std::size_t bytes) {
  const int fd = MakeMemfd(name);
  if (fd < 0) return -1;
  const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (!WriteAll(fd, content, bytes) || fcntl(fd, F_ADD_SEALS, seals) != 0) return Abandon(fd);
  return fd;
}

bool Clear(int shared, std::uint64_t bytes) {
  return fallocate(shared, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                   static_cast<off_t>(bytes)) == 0;
}

char* Reserve(std::size_t bytes) { return static_cast<char*>(Map(bytes, MAP_PRIVATE)); }

volatile int* ReserveSharedInts(std::size_t count) {
  return static_cast<volatile int*>(Map(count * sizeof(int), MAP_SHARED));
}

}  // namespace ascend::supervisor

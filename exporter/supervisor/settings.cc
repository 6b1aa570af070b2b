#include "exporter/supervisor/settings.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exporter/supervisor/memory.h"

namespace ascend::supervisor {

bool Settings::Read(int fd) {
  constexpr std::size_t kRoom = kMaxSettingsBytes + 1;  // to see that there is too much
  content_ = Reserve(kRoom);
  if (content_ == nullptr) return false;
  bytes_ = 0;
  while (bytes_ < kRoom) {
    const ssize_t got = pread(fd, content_ + bytes_, kRoom - bytes_, static_cast<off_t>(bytes_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    bytes_ += static_cast<std::size_t>(got);
  }
  if (bytes_ > 0 && bytes_ <= kMaxSettingsBytes) return true;
  errno = bytes_ == 0 ? ENODATA : EFBIG;
  return false;
}

void Settings::Replace(const char* content, std::size_t bytes) {
  memcpy(content_, content, bytes);
  bytes_ = bytes;
}

int Settings::MakeDescriptor() const { return MakeConstant("ascend-settings", content_, bytes_); }

}  // namespace ascend::supervisor

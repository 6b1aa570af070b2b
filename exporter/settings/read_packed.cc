#include "exporter/settings/read_packed.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "exporter/settings/packed.h"

namespace ascend {

absl::StatusOr<Settings> ReadPackedSettings(int fd) {
  std::string packed;
  char piece[4096];
  ssize_t size = 0;
  while ((size = pread(fd, piece, sizeof piece, static_cast<off_t>(packed.size()))) > 0) {
    packed.append(piece, static_cast<std::size_t>(size));
  }
  const int error = errno;
  close(fd);
  if (size < 0) {
    return absl::FailedPreconditionError(fmt::format(
        "no settings on descriptor {} ({}): this program is started by ascend-exporter, not by "
        "hand",
        fd, std::generic_category().message(error)));
  }
  return UnpackSettings(packed);
}

}  // namespace ascend

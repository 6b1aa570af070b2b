#include "exporter/settings/config_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <system_error>

#include "exporter/settings/quoted.h"

namespace ascend {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20;  // bytes; a full file has a few thousand

// Closes itself.
class ReadOnlyFile {
 public:
  explicit ReadOnlyFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~ReadOnlyFile() {
    if (fd_ >= 0) close(fd_);
  }
  ReadOnlyFile(const ReadOnlyFile&) = delete;
  ReadOnlyFile& operator=(const ReadOnlyFile&) = delete;

  [[nodiscard]] bool opened() const { return fd_ >= 0; }

  // At most `limit` bytes; false if reading failed, with the reason in errno.
  bool Read(std::size_t limit, std::string& text) {
    std::array<char, 16384> piece{};
    while (text.size() < limit) {
      const ssize_t length = read(fd_, piece.data(), std::min(piece.size(), limit - text.size()));
      if (length == 0) return true;
      if (length < 0 && errno == EINTR) continue;
      if (length < 0) return false;
      text.append(piece.data(), static_cast<std::size_t>(length));
    }
    return true;
  }

 private:
  int fd_;
};

absl::Status CannotRead(const std::string& path, int error) {
  const std::string reason = std::generic_category().message(error);
  return absl::FailedPreconditionError(
      fmt::format("{}: cannot be read: {}; check the path of --config.file and its mode",
                  OneLine(path), reason));
}

}  // namespace

absl::StatusOr<std::string> ReadConfigFile(const std::string& path) {
  ReadOnlyFile file(path);
  std::string text;
  if (!file.opened() || !file.Read(kLargestFile + 1, text)) return CannotRead(path, errno);
  if (text.size() > kLargestFile) {
    return absl::InvalidArgumentError(
        fmt::format("{}: is larger than 1 MiB; this is no file of settings", OneLine(path)));
  }
  return text;
}

}  // namespace ascend

#include "exporter/standard_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace ascend {

void ReserveStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest free descriptor, which is this one.
    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

absl::Status Print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return absl::OkStatus();
  }
  const std::string reason = std::generic_category().message(errno);
  return absl::UnavailableError(fmt::format("cannot write to standard output: {}", reason));
}

int Fail(const absl::Status& status) {
  const std::string line = fmt::format("ascend-exporter: {}\n", std::string(status.message()));
  std::fwrite(line.data(), 1, line.size(), stderr);  // nobody is left to tell if this fails
  return EXIT_FAILURE;
}

}  // namespace ascend

// Checks that only a child may do, since what they check cannot be taken back.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "tests/host/dead_child.h"

namespace ascend {

// Writes lines to whoever reads the other end of a pipe.
class ChildReport {
 public:
  explicit ChildReport(int pipe) : pipe_(pipe) {}

  void Say(std::string_view line) {
    const std::string text = fmt::format("{}\n", line);
    if (write(pipe_, text.data(), text.size()) < 0) _exit(kRanToItsEnd + 1);
  }

  void Expect(bool fulfilled, std::string_view claim) {
    if (!fulfilled) Say(fmt::format("not so: {}", claim));
  }

  // For a call that returned `result` and may have set errno.
  void ExpectError(long result, int error, std::string_view call) {
    const int found = result < 0 ? errno : 0;
    if (found != error) Say(fmt::format("{}: error {}, not {}", call, found, error));
  }

 private:
  const int pipe_;
};

// What `code` said in a child that then ended by itself; if it did not, also its wait status.
template <typename Code>
std::string ReportOfChild(Code code) {
  std::array<int, 2> ends{-1, -1};
  if (pipe(ends.data()) != 0) return "no pipe";
  const int status = StatusOfChild([&] {
    close(ends[0]);
    ChildReport report(ends[1]);
    code(report);
  });
  close(ends[1]);
  std::string text;
  std::array<char, 4096> chunk;
  for (ssize_t got = 0; (got = read(ends[0], chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  if (!EndedWith(status, kRanToItsEnd)) text += fmt::format("wait status {:#x}\n", status);
  return text;
}

}  // namespace ascend

// Sockets that listen, from addresses as people write them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace ascend {

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.Release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }
  int Release() { return std::exchange(fd_, kNone); }

 private:
  static constexpr int kNone = -1;  // as in POSIX
  int fd_;
};

struct ListenSocket {
  Descriptor descriptor;  // non-blocking, closed on exec
  std::string url;        // "http://127.0.0.1:10910", with the port that was bound
};

// `address` is "host:port", "[::1]:port" or ":port"; see HttpOptions. May wait for the resolver of
// host names. The error names the address and says what to do.
// `flag` is what sets the address, for the error.
absl::StatusOr<ListenSocket> OpenListenSocket(const std::string& address, std::string_view flag);

}  // namespace ascend

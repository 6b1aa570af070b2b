#include "exporter/host/no_network.h"

#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

namespace ascend {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kForeignCalls = 0x40000000;  // those of the x32 ABI begin here
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kForeignCalls = UINT32_MAX;  // none
#else
#error "the filter knows x86_64 and aarch64"
#endif
constexpr std::uint32_t kIoUringSetup = 425;  // on every architecture; old headers lack it

constexpr std::uint32_t Fail(int error) {
  return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA);
}

constexpr sock_filter Load(std::size_t offset) {
  return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
}
// Goes on with the next instruction, or skips `skipped` ones if the loaded value is `value`.
constexpr sock_filter SkipIfEqual(std::uint32_t value, std::uint8_t skipped) {
  return {BPF_JMP | BPF_JEQ | BPF_K, skipped, 0, value};
}
constexpr sock_filter SkipUnlessEqual(std::uint32_t value, std::uint8_t skipped) {
  return {BPF_JMP | BPF_JEQ | BPF_K, 0, skipped, value};
}
constexpr sock_filter SkipIfBelow(std::uint32_t value, std::uint8_t skipped) {
  return {BPF_JMP | BPF_JGE | BPF_K, 0, skipped, value};
}
constexpr sock_filter Return(std::uint32_t action) { return {BPF_RET | BPF_K, 0, 0, action}; }

// Numbers of calls have a meaning in one architecture only; with those of another one a process
// could ask for the same past this list. The kernel takes the family as an int, so the low half of
// the argument, which comes first on both architectures, is all of it.
constexpr sock_filter kProgram[] = {
    Load(offsetof(seccomp_data, arch)),
    SkipIfEqual(kArchitecture, 1),
    Return(Fail(EPERM)),
    Load(offsetof(seccomp_data, nr)),
    SkipIfBelow(kForeignCalls, 1),
    Return(Fail(EPERM)),
    SkipUnlessEqual(kIoUringSetup, 1),
    Return(Fail(ENOSYS)),
    SkipIfEqual(SYS_socket, 1),
    Return(SECCOMP_RET_ALLOW),
    Load(offsetof(seccomp_data, args)),
    SkipIfEqual(AF_UNIX, 2),
    SkipIfEqual(AF_NETLINK, 1),
    Return(Fail(EACCES)),
    Return(SECCOMP_RET_ALLOW),
};

// 0, or the error.
int Install() {
  const sock_fprog program{static_cast<unsigned short>(std::size(kProgram)),
                           const_cast<sock_filter*>(kProgram)};
  const long result =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (result == 0) return 0;
  return result > 0 ? EBUSY : errno;  // above 0: a thread that has another filter
}

}  // namespace

absl::Status DenyNetwork() {
  int error = Install();
  if (error == EACCES) {  // not privileged enough to do it to the programs that it starts
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    error = Install();
  }
  if (error == 0) return absl::OkStatus();
  const std::string text = fmt::format("seccomp, to deny sockets: {}", std::strerror(error));
  const bool unknown = error == ENOSYS || error == EINVAL;
  return unknown ? absl::UnimplementedError(text) : absl::InternalError(text);
}

}  // namespace ascend

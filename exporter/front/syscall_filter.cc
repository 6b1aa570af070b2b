#include "exporter/front/syscall_filter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

namespace ascend {
namespace {

// Names between blanks. One that an architecture does not have is passed over: aarch64 lacks the
// older half of some.
constexpr std::string_view kAllowed[] = {
    // Open descriptors.
    "read readv pread64 preadv write writev pwrite64 pwritev lseek close dup dup2 dup3 pipe pipe2",
    "fsync fdatasync ftruncate fadvise64",
    // Files, by name only to look at.
    "fstat stat lstat newfstatat statx fstatfs access faccessat faccessat2 readlink readlinkat",
    "getdents64 getcwd",
    // Waiting.
    "poll ppoll select pselect6 epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2",
    "eventfd2 timerfd_create timerfd_settime timerfd_gettime nanosleep clock_nanosleep pause",
    "restart_syscall",
    // Connections of sockets that listen, and sockets that are open.
    "accept accept4 recvfrom recvmsg sendto sendmsg shutdown getsockname getpeername getsockopt",
    "setsockopt",
    // Memory.
    "brk munmap mremap madvise mincore membarrier getrandom",
    // Threads.
    "futex futex_waitv set_robust_list get_robust_list rseq sched_yield sched_getaffinity getcpu",
    "gettid exit exit_group",
    // Signals of this process.
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait",
    "sigaltstack signalfd4",
    // What time it is, and who this is.
    "clock_gettime clock_getres gettimeofday time times getpid getppid getuid geteuid getgid",
    "getegid getresuid getresgid getgroups capget getrusage getrlimit sysinfo uname",
};

constexpr std::uint64_t kPointer = UINT64_MAX;
constexpr std::uint64_t kInt = UINT32_MAX;  // what the kernel looks at

// Allowed if the bits of `mask` in an argument, counted from 0, are `value`.
struct Condition {
  std::string_view name;
  unsigned argument;
  std::uint64_t mask;
  std::uint64_t value;
};
constexpr Condition kConditions[] = {
    {"openat", 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {"mmap", 2, PROT_EXEC, 0},
    {"mprotect", 2, PROT_EXEC, 0},
    {"clone", 0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM},  // no process
    {"prlimit64", 2, kPointer, 0},  // to read a limit, not to set it
    {"prctl", 0, kInt, PR_SET_NAME},
    {"prctl", 0, kInt, PR_GET_NAME},
    {"ioctl", 1, kInt, FIONBIO},
    {"ioctl", 1, kInt, FIONREAD},
    {"ioctl", 1, kInt, TCGETS},  // isatty
    {"fcntl", 1, kInt, F_GETFD},
    {"fcntl", 1, kInt, F_SETFD},
    {"fcntl", 1, kInt, F_GETFL},
    {"fcntl", 1, kInt, F_SETFL},
    {"fcntl", 1, kInt, F_DUPFD_CLOEXEC},
};

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

// Fits the C interface: 0, or an error below 0.
template <typename... Comparison>
int Add(const Filter& filter, std::uint32_t action, const std::string& name,
        Comparison... comparison) {
  const int call = seccomp_syscall_resolve_name(name.c_str());
  if (call == __NR_SCMP_ERROR) return 0;  // newer than libseccomp, so it stays denied
  const int result =
      seccomp_rule_add(filter.get(), action, call, sizeof...(comparison), comparison...);
  return result == -EDOM ? 0 : result;  // not on this architecture
}

int AddRules(const Filter& filter) {
  int result = 0;
  for (const std::string_view line : kAllowed) {
    std::istringstream names{std::string(line)};
    for (std::string name; result == 0 && names >> name;) {
      result = Add(filter, SCMP_ACT_ALLOW, name);
    }
  }
  for (const Condition& condition : kConditions) {
    const scmp_arg_cmp comparison{condition.argument, SCMP_CMP_MASKED_EQ, condition.mask,
                                  condition.value};
    if (result == 0) {
      result = Add(filter, SCMP_ACT_ALLOW, std::string(condition.name), comparison);
    }
  }
  const scmp_arg_cmp this_process{0, SCMP_CMP_MASKED_EQ, kInt,
                                  static_cast<std::uint64_t>(getpid())};
  if (result == 0) result = Add(filter, SCMP_ACT_ALLOW, "tgkill", this_process);
  if (result == 0) result = Add(filter, SCMP_ACT_ERRNO(ENOSYS), "clone3");
  return result;
}

int SetAttributes(const Filter& filter) {
  constexpr std::uint32_t kBinaryTree = 2;
  struct Attribute {
    scmp_filter_attr name;
    std::uint32_t value;
  };
  constexpr Attribute kAttributes[] = {
      {SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)},  // calls of another architecture
      {SCMP_FLTATR_CTL_NNP, 1},
      {SCMP_FLTATR_CTL_TSYNC, 1},
      {SCMP_FLTATR_CTL_OPTIMIZE, kBinaryTree},
      {SCMP_FLTATR_API_SYSRAWRC, 1},  // the kernel's error, not the library's
  };
  int result = 0;
  for (const Attribute& attribute : kAttributes) {
    if (result == 0) result = seccomp_attr_set(filter.get(), attribute.name, attribute.value);
  }
  return result;
}

}  // namespace

absl::Status InstallSyscallFilter() {
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release);
  if (filter == nullptr) return absl::InternalError("libseccomp made no filter of system calls");
  int result = SetAttributes(filter);
  if (result == 0) result = AddRules(filter);
  if (result != 0) {
    return absl::InternalError(
        fmt::format("libseccomp refused the filter of system calls: {}", std::strerror(-result)));
  }
  result = seccomp_load(filter.get());
  if (result == 0) return absl::OkStatus();
  const std::string text =
      fmt::format("seccomp, to filter system calls: {}", std::strerror(-result));
  const bool unknown = result == -ENOSYS || result == -EINVAL;
  return unknown ? absl::UnimplementedError(text) : absl::InternalError(text);
}

}  // namespace ascend

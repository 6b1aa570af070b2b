#include "exporter/front/privileges.h"

#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace ascend {
namespace {

struct User {
  uid_t uid;
  gid_t gid;
};

struct NeededRight {
  unsigned capability;
  std::string_view name;
};
// To become another user, and to be ended by a parent that has the same rights.
constexpr NeededRight kForAnotherUser[] = {
    {CAP_SETUID, "CAP_SETUID"}, {CAP_SETGID, "CAP_SETGID"}, {CAP_KILL, "CAP_KILL"}};

constexpr int kMostCapabilities = 64;  // bits that capget and capset have

// The two halves of the 64 bits, as the kernel wants them.
using CapabilitySets = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

absl::StatusOr<CapabilitySets> ReadCapabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  CapabilitySets sets{};
  if (syscall(SYS_capget, &header, sets.data()) == 0) return sets;
  return absl::InternalError(fmt::format("capget: {}", std::strerror(errno)));
}

bool HasEffective(const CapabilitySets& sets, unsigned capability) {
  return (sets[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability)) != 0;
}

absl::StatusOr<User> FindUser(const std::string& text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  // The number with all bits set means "no change" to the kernel.
  if (error == std::errc() && stop == end && number != ~std::uint32_t{0}) {
    return User{number, number};
  }
  std::vector<char> space(std::size_t{16} * 1024);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwnam_r(text.c_str(), &entry, space.data(), space.size(), &found) == 0 && found) {
    return User{found->pw_uid, found->pw_gid};
  }
  return absl::InvalidArgumentError(
      fmt::format("--front.user: there is no user {}; name one of this system, or a number", text));
}

// Why this process may not become another user; nothing if it may.
std::optional<std::string> WhyNotAnotherUser(const CapabilitySets& sets) {
  for (const NeededRight& right : kForAnotherUser) {
    if (!HasEffective(sets, right.capability)) return fmt::format("no {}", right.name);
  }
  return std::nullopt;
}

// Why it did not become that user; nothing if it did. In a user namespace the kernel may know no
// such user in spite of all rights.
std::optional<std::string> Become(const User& user) {
  const char* step = nullptr;
  if (setgroups(0, nullptr) != 0) {
    step = "setgroups";
  } else if (setresgid(user.gid, user.gid, user.gid) != 0) {
    step = "setresgid";
  } else if (setresuid(user.uid, user.uid, user.uid) != 0) {
    step = "setresuid";
  }
  if (step == nullptr) return std::nullopt;
  return fmt::format("{} to {}: {}", step, user.uid, std::strerror(errno));
}

// Needs CAP_SETPCAP; without it the set stays, and no_new_privs keeps it from ever being used.
void EmptyBoundingSet() {
  for (int capability = 0; capability < kMostCapabilities; ++capability) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) return;  // or beyond the last one
  }
}

absl::Status DropCapabilities() {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);  // an old kernel has no such set
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  CapabilitySets none{};
  if (syscall(SYS_capset, &header, none.data()) != 0) {
    return absl::InternalError(fmt::format("capset: {}", std::strerror(errno)));
  }
  const absl::StatusOr<CapabilitySets> left = ReadCapabilities();
  if (!left.ok()) return left.status();
  for (const __user_cap_data_struct& half : *left) {
    if ((half.effective | half.permitted | half.inheritable) != 0) {
      return absl::InternalError("capset: the kernel left capabilities in spite of it");
    }
  }
  return absl::OkStatus();
}

// Steps that need no right and cannot fail on a kernel that has them.
void CloseUp() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

absl::Status FollowParent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() == parent) return absl::OkStatus();
  return absl::AbortedError("the parent process ended while rights were dropped");
}

}  // namespace

absl::StatusOr<std::string> DropPrivileges(const PrivilegeOptions& options) {
  const pid_t parent = getppid();
  const absl::StatusOr<User> user = FindUser(options.user);
  if (!user.ok()) return user.status();
  const absl::StatusOr<CapabilitySets> had = ReadCapabilities();
  if (!had.ok()) return had.status();

  EmptyBoundingSet();  // before the change of user takes CAP_SETPCAP away
  std::optional<std::string> obstacle;
  if (geteuid() == 0) obstacle = WhyNotAnotherUser(*had);
  const bool changes = geteuid() == 0 && !obstacle;
  if (changes) obstacle = Become(*user);
  if (absl::Status status = DropCapabilities(); !status.ok()) return status;
  CloseUp();
  if (absl::Status status = FollowParent(parent); !status.ok()) return status;

  if (changes && !obstacle) return fmt::format("uid {}, no capability", geteuid());
  const std::string why = obstacle ? ": " + *obstacle : "";
  return fmt::format("keeps uid {} without capabilities{}", geteuid(), why);
}

}  // namespace ascend

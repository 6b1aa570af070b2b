// Every check runs in a child: rights that are gone stay gone.
#include "exporter/front/privileges.h"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "exporter/page/process_stats.h"
#include "tests/host/child_report.h"

namespace ascend {
namespace {

constexpr int kPatienceMilliseconds = 20'000;

using Sets = std::array<__user_cap_data_struct, 2>;

Sets Capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  Sets sets{};
  syscall(SYS_capget, &header, sets.data());
  return sets;
}

bool Has(unsigned capability) {
  return (Capabilities()[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability)) != 0;
}

// Whether a process of this test may become another user.
bool MayChangeUser() {
  return geteuid() == 0 && Has(CAP_SETUID) && Has(CAP_SETGID) && Has(CAP_KILL);
}

void GiveUp(unsigned capability) {
  Sets sets = Capabilities();
  sets[CAP_TO_INDEX(capability)].effective &= ~CAP_TO_MASK(capability);
  sets[CAP_TO_INDEX(capability)].permitted &= ~CAP_TO_MASK(capability);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  syscall(SYS_capset, &header, sets.data());
}

std::string Drop(const PrivilegeOptions& options = {}) {
  const absl::StatusOr<std::string> outcome = DropPrivileges(options);
  return outcome.ok() ? *outcome : outcome.status().ToString();
}

TEST(PrivilegesTest, BecomesNobodyWhereItMay) {
  if (!MayChangeUser()) return;  // the other tests say what happens then
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              report.Say(Drop());
              std::array<uid_t, 3> users{};
              std::array<gid_t, 3> groups{};
              getresuid(users.data(), &users[1], &users[2]);
              getresgid(groups.data(), &groups[1], &groups[2]);
              report.Expect(users == std::array<uid_t, 3>{65534, 65534, 65534}, "users");
              report.Expect(groups == std::array<gid_t, 3>{65534, 65534, 65534}, "groups");
              report.Expect(getgroups(0, nullptr) == 0, "no more groups");
              report.Expect(setuid(0) != 0, "cannot become root again");
            }),
            "uid 65534, no capability\n");
}

TEST(PrivilegesTest, KeepsNoCapabilityInAnySet) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              const bool may_drop_bounds = Has(CAP_SETPCAP);
              Drop();
              for (const __user_cap_data_struct& half : Capabilities()) {
                report.Expect(half.effective == 0, "effective");
                report.Expect(half.permitted == 0, "permitted");
                report.Expect(half.inheritable == 0, "inheritable");
              }
              for (int i = 0; i <= CAP_LAST_CAP && may_drop_bounds; ++i) {
                report.Expect(prctl(PR_CAPBSET_READ, i, 0, 0, 0) <= 0, "bounding");
                report.Expect(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) <= 0,
                              "ambient");
              }
            }),
            "");
}

TEST(PrivilegesTest, ForbidsNewPrivilegesCoreFilesAndTracing) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              Drop();
              report.Expect(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1, "no_new_privs");
              report.Expect(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0, "dumpable");
              rlimit core{};
              getrlimit(RLIMIT_CORE, &core);
              report.Expect(core.rlim_cur == 0 && core.rlim_max == 0, "no core files");
              int signal = 0;
              prctl(PR_GET_PDEATHSIG, &signal);
              report.Expect(signal == SIGKILL, "SIGKILL at the parent's death");
            }),
            "");
}

TEST(PrivilegesTest, ItsOwnNumbersCanStillBeRead) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              const ProcessStats before = ReadProcessStats();
              Drop();
              const ProcessStats after = ReadProcessStats();
              report.Expect(after.threads.has_value(), "threads");
              report.Expect(after.resident_bytes.has_value(), "memory");
              report.Expect(after.open_fds.has_value() && after.open_fds == before.open_fds,
                            "open files");
              report.Expect(ReadStartTime().has_value(), "start time");
            }),
            "");
}

TEST(PrivilegesTest, WithoutARightItKeepsItsUserAndSaysWhich) {
  if (!MayChangeUser()) return;  // it lacks one already
  struct Case {
    unsigned capability;
    const char* outcome;
  };
  for (const Case& missing : {Case{CAP_SETUID, "keeps uid 0 without capabilities: no CAP_SETUID\n"},
                              Case{CAP_SETGID, "keeps uid 0 without capabilities: no CAP_SETGID\n"},
                              Case{CAP_KILL, "keeps uid 0 without capabilities: no CAP_KILL\n"}}) {
    EXPECT_EQ(ReportOfChild([&](ChildReport& report) {
                GiveUp(missing.capability);
                report.Say(Drop());
                report.Expect(geteuid() == 0, "still root");
              }),
              missing.outcome);
  }
}

TEST(PrivilegesTest, WithoutCapSetpcapItDropsAllTheSame) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              GiveUp(CAP_SETPCAP);
              const bool changes = MayChangeUser();
              const std::string outcome = Drop();
              report.Expect(!changes || outcome == "uid 65534, no capability", outcome);
              report.Expect(Capabilities()[0].permitted == 0, "permitted");
            }),
            "");
}

TEST(PrivilegesTest, AnotherUserThanRootStaysWhoItIs) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              if (geteuid() == 0 && setuid(1000) != 0) return;  // a root that may not
              report.Expect(Drop() == fmt::format("keeps uid {} without capabilities", geteuid()),
                            "keeps its user");
            }),
            "");
}

TEST(PrivilegesTest, TakesTheNameOfAUserWithItsGroup) {
  if (!MayChangeUser()) return;
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              report.Say(Drop({.user = "daemon"}));
              report.Expect(getegid() == 1, "group");
            }),
            "uid 1, no capability\n");
}

TEST(PrivilegesTest, AUserThatDoesNotExistIsRefused) {
  EXPECT_EQ(ReportOfChild([](ChildReport& report) {
              report.Say(Drop({.user = "no such user"}));
              report.Say(Drop({.user = "4294967295"}));
              report.Say(Drop({.user = "-1"}));
            }),
            "INVALID_ARGUMENT: --front.user: there is no user no such user; name one of this "
            "system, or a number\n"
            "INVALID_ARGUMENT: --front.user: there is no user 4294967295; name one of this "
            "system, or a number\n"
            "INVALID_ARGUMENT: --front.user: there is no user -1; name one of this system, or a "
            "number\n");
}

// A process that starts another one, which drops its rights, and then ends.
TEST(PrivilegesTest, EndsWithItsParentAsAnotherUserToo) {
  std::array<int, 2> alive{-1, -1};  // ends when the last holder of its other end does
  ASSERT_EQ(pipe(alive.data()), 0);
  const int status = StatusOfChild([&] {
    close(alive[0]);
    std::array<int, 2> dropped{-1, -1};
    if (pipe(dropped.data()) != 0) return;
    if (fork() == 0) {
      Drop();
      if (write(dropped[1], "d", 1) == 1) pause();
      _exit(0);
    }
    char byte = 0;
    if (read(dropped[0], &byte, 1) != 1) _exit(1);
  });
  close(alive[1]);
  EXPECT_TRUE(EndedWith(status, kRanToItsEnd)) << status;
  pollfd end{alive[0], POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, kPatienceMilliseconds), 1) << "it goes on without its parent";
  EXPECT_NE(end.revents & POLLHUP, 0);
  close(alive[0]);
}

}  // namespace
}  // namespace ascend

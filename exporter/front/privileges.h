// Gives up every right that the front does not need once its sockets are bound.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace ascend {

struct PrivilegeOptions {
  // Name or number of the user to become where that is permitted (--front.user). A name is looked
  // up, with its group; a number is the group's number, too.
  std::string user = "65534";
};

// Call once, from the main thread, while it is the only one, and after all that needs a right is
// done: the kernel keeps rights for each thread. It
// - becomes the user of `options` if it is root and has CAP_SETUID, CAP_SETGID and CAP_KILL;
// without
//   the last one the supervisor, which has the same rights, could not end a process of another
//   user;
// - drops every capability from all sets, and from the bounding set where it has CAP_SETPCAP;
// - sets no_new_privs, so that no program could give a right back;
// - forbids core files and ptrace by others (dumpable 0). A process may still read its own
//   /proc/self/stat and list its own /proc/self/fd then; of the rest of /proc/self the files that
//   only their owner may read or write are out of reach;
// - asks for SIGKILL at the parent's death again: the kernel forgets that with the user.
//
// Returns what the process is now, in words for the log: "uid 65534, no capability", or "keeps uid
// 0 without capabilities: no CAP_SETUID". That a right is missing for a step is no error. Errors:
// kInternal if a capability could not be dropped, kAborted if the parent ended meanwhile,
// kInvalidArgument if there is no such user. The process must not go on after one.
absl::StatusOr<std::string> DropPrivileges(const PrivilegeOptions& options);

}  // namespace ascend

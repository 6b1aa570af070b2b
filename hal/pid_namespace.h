// Which processes this one sees.
#pragma once

namespace ascend {

// Whether this process lives in the first pid namespace, so that pids are those of the host. Looks
// into /proc; any thread.
bool InInitialPidNamespace();

}  // namespace ascend

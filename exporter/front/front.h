// The process that serves: it takes what driver hosts find out of shared memory, publishes it, and
// decides when hosts start and end. It has no capability, no device and no driver.
#pragma once

#include <string_view>

namespace ascend {

// Started by the supervisor (supervisor/protocol.h) and by nobody else; `hosts` is the value of
// --hosts. Serves until SIGTERM or until the supervisor is gone. Returns the exit status.
int RunFront(std::string_view hosts);

}  // namespace ascend

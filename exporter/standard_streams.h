// What the program says on the streams that it was started with, outside of its log.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace ascend {

// First of all in the program. Streams that are closed are opened on nothing, so that no socket or
// file takes their place; to use one still fails.
void ReserveStandardStreams();

// Writes all of `text` to standard output. The error says why it could not.
absl::Status Print(std::string_view text);

// Says on standard error what went wrong, in one line. Returns the exit status of the process.
int Fail(const absl::Status& status);

}  // namespace ascend

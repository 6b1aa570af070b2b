// Logging to standard error, one line an event, in logfmt or JSON. No thread ever waits for who
// reads it: lines that find no room are dropped and counted in the log.
#pragma once

#include <string>

namespace ascend {

// Before any thread is started. `level`: debug, info, warn, error; `format`: logfmt, json.
void StartLogging(const std::string& level, const std::string& format);

}  // namespace ascend

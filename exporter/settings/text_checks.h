// What the texts of settings must look like. Each error quotes the text, says what to write instead
// and fits behind "where: ".
#pragma once

#include <string>

#include "absl/status/status.h"

namespace ascend {

// A path of the file system or the name of something built in: no control characters. May be empty.
absl::Status CheckPath(const std::string& text);

// The same, but not empty.
absl::Status CheckName(const std::string& text);

// "host:port", "[::1]:port" or ":port" with a port of 0 to 65535.
absl::Status CheckListenAddress(const std::string& text);

// "/metrics": a path of plain characters that no page of the server itself uses.
absl::Status CheckTelemetryPath(const std::string& text);

// The same, or nothing.
absl::Status CheckOptionalTelemetryPath(const std::string& text);

// "http://host:port/path", all that the client of `healthcheck` and `compare` speaks.
absl::Status CheckHttpUrl(const std::string& text);

}  // namespace ascend

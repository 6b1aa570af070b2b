// One request to a server that should answer soon.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/status.h"

namespace ascend {

// OK if a GET of `url` ("http://host:port/path") is answered with status 200 within `patience`.
absl::Status HttpGetOk(const std::string& url, std::chrono::milliseconds patience);

}  // namespace ascend

// One request to a server that should answer soon.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/status.h"

namespace ascend {

// OK if a GET of `url` ("http://host:port/path"; port 80 if it names none) is answered with status
// 200 within `patience`. The error does not repeat the URL.
absl::Status HttpGetOk(const std::string& url, std::chrono::milliseconds patience);

}  // namespace ascend

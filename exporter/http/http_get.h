// One request to a server that should answer soon.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace ascend {

// OK if a GET of `url` ("http://host:port/path"; port 80 if it names none) is answered with status
// 200 within `patience`. The error does not repeat the URL.
absl::Status HttpGetOk(const std::string& url, std::chrono::milliseconds patience);

// The body of such an answer. An error if it is longer than `most_bytes`.
absl::StatusOr<std::string> HttpGet(const std::string& url, std::chrono::milliseconds patience,
                                    std::size_t most_bytes);

}  // namespace ascend

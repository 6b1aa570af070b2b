// The target of a request line, taken apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ascend {

struct Target {
  std::string path;        // percent-decoded, begins with "/"
  std::string_view query;  // as sent, points into the text that was read
};

// Reads "/path?query" and "http://host/path?query". Nothing if it is neither, or if the path holds
// a broken percent sequence or an encoded NUL.
std::optional<Target> ReadTarget(std::string_view text);

}  // namespace ascend

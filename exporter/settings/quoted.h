// What users wrote, made fit for a message of one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ascend {

// `text` in double quotes, control characters escaped, cut when long.
std::string Quoted(std::string_view text);

// The same without the quotes, for names of files, keys and flags.
std::string OneLine(std::string_view text);

// The candidate that `text` was probably meant to be; empty if none is near.
std::string_view Nearest(std::string_view text, const std::vector<std::string_view>& candidates);

}  // namespace ascend

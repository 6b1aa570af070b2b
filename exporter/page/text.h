// Text from drivers and files made fit for a page: UTF-8, and the Prometheus text format 0.0.4.
#pragma once

#include <string>
#include <string_view>

namespace ascend {

// Takes one character off the front of `text`, which is not empty. A byte that is no UTF-8 counts
// as one and is replaced by U+FFFD, so what is put together from these is always valid. Points into
// what `text` points into, or to a constant.
std::string_view TakeCharacter(std::string_view& text);

// Appends a label's value without its quotes: backslash, quote and newline escaped, bytes that are
// no UTF-8 replaced by U+FFFD. Whatever a driver or a file calls itself, the page stays valid.
void AppendLabelValue(std::string& out, std::string_view value);

// Appends the HELP and TYPE lines of a family.
void AppendFamilyHead(std::string& out, std::string_view name, std::string_view help,
                      std::string_view type);

}  // namespace ascend

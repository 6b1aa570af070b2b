// Escaping for the Prometheus text format 0.0.4.
#pragma once

#include <string>
#include <string_view>

namespace ascend {

// Appends a label's value without its quotes: backslash, quote and newline escaped, bytes that are
// no UTF-8 replaced by U+FFFD. Whatever a driver or a file calls itself, the page stays valid.
void AppendLabelValue(std::string& out, std::string_view value);

// Appends the HELP and TYPE lines of a family.
void AppendFamilyHead(std::string& out, std::string_view name, std::string_view help,
                      std::string_view type);

}  // namespace ascend

// What --help and --version print.
#pragma once

#include <string>

namespace ascend {

std::string HelpText();
std::string VersionText();

}  // namespace ascend

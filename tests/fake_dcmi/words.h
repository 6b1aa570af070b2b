// The words of a line of the data file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fake_dcmi {

using Words = std::vector<std::string>;

// What stands between blanks, before a "#".
Words Split(const std::string& line);

// Text without its percent-encoding.
std::string Decode(const std::string& word);

// A number as the data file writes it; nothing where it is none.
std::optional<std::int64_t> ParseNumber(const std::string& word);

}  // namespace fake_dcmi

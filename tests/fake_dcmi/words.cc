#include "words.h"

#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace fake_dcmi {

Words Split(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string Decode(const std::string& word) {
  std::string decoded;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '%' && i + 2 < word.size()) {
      decoded += static_cast<char>(std::strtoul(word.substr(i + 1, 2).c_str(), nullptr, 16));
      i += 2;
    } else {
      decoded += word[i];
    }
  }
  return decoded;
}

std::optional<std::int64_t> ParseNumber(const std::string& word) {
  if (word.empty()) return std::nullopt;
  const char* end = word.c_str() + word.size();
  char* stop = nullptr;
  errno = 0;
  const auto value = word[0] == '-'
                         ? std::strtoll(word.c_str(), &stop, 0)
                         : static_cast<std::int64_t>(std::strtoull(word.c_str(), &stop, 0));
  if (errno != 0 || stop != end) return std::nullopt;
  return value;
}

}  // namespace fake_dcmi

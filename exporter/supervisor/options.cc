#include "exporter/supervisor/options.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "exporter/supervisor/protocol.h"

namespace ascend::supervisor {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32;

// What follows the name in the word, null if it begins with something else.
const char* ValueOf(const char* word, const char* name) {
  const std::size_t size = strlen(name);
  return strncmp(word, name, size) == 0 ? word + size : nullptr;
}

// 0 if the text is no number or too large a one.
std::uint64_t BytesIn(const char* text) {
  std::uint64_t bytes = 0;
  for (; *text >= '0' && *text <= '9'; ++text) {
    bytes = bytes * 10 + static_cast<std::uint64_t>(*text - '0');
    if (bytes > kMaxBytes) return 0;
  }
  return *text == '\0' ? bytes : 0;
}

bool Take(const char* word, Options& options) {
  if (const char* value = ValueOf(word, kFrontOption)) {
    options.front = value;
  } else if ((value = ValueOf(word, kHostOption))) {
    options.host = value;
  } else if ((value = ValueOf(word, kSettingsReaderOption))) {
    options.settings_reader = value;
  } else if ((value = ValueOf(word, kBerthBytesOption))) {
    options.berth_bytes = BytesIn(value);
  } else if ((value = ValueOf(word, kBoardBytesOption))) {
    options.board_bytes = BytesIn(value);
  } else {
    return false;
  }
  return true;
}

bool IsPath(const char* text) { return text != nullptr && *text != '\0'; }

}  // namespace

const char* Parse(char** argv, Options& options) {
  if (*argv == nullptr) return "there are no arguments";
  char** word = argv + 1;
  for (; *word != nullptr && strcmp(*word, "--") != 0; ++word) {
    if (!Take(*word, options)) return "there is an unknown argument";
  }
  if (*word == nullptr) return "-- is missing";
  if (!IsPath(options.front) || !IsPath(options.host) || !IsPath(options.settings_reader)) {
    return "the path of a program is missing";
  }
  if (options.berth_bytes == 0 || options.board_bytes == 0) {
    return "the bytes of a berth and of the board must be from 1 to 4 GiB";
  }
  *word = const_cast<char*>(options.settings_reader);
  options.reader_arguments = word;
  return nullptr;
}

}  // namespace ascend::supervisor

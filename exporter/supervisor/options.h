// The supervisor's own arguments. They come from ascend-exporter, not from a person.
#pragma once

#include <cstdint>

namespace ascend::supervisor {

struct Options {
  const char* front = nullptr;
  const char* host = nullptr;
  std::uint64_t berth_bytes = 0;
  std::uint64_t board_bytes = 0;
  const char* settings_reader = nullptr;
  char* const* reader_arguments = nullptr;  // the reader's name, then ARGS, then null
};

// Sets what `argv` says, which must outlive the options; puts the reader's name in the place of
// its "--". Null, or what is wrong with it.
[[nodiscard]] const char* Parse(char** argv, Options& options);

}  // namespace ascend::supervisor

// Writes the head of a reply.
#pragma once

#include <array>
#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>

namespace ascend {

// The current time as HTTP writes it, whatever the locale. Thread-compatible.
class HttpDate {
 public:
  // "Sun, 06 Nov 1994 08:49:37 GMT"; valid until the next call.
  std::string_view Now();

 private:
  std::time_t second_ = -1;  // of text_; no clock shows this value
  std::string text_;
};

enum class Persistence {
  kKeep,        // HTTP/1.1: said by saying nothing
  kKeepHttp10,  // has to be said
  kClose,
};

struct ReplyHead {
  unsigned status = 200;
  std::string_view content_type;
  std::size_t content_length = 0;
  std::string_view date;
  std::string_view allowed;  // methods, told with status 405
  Persistence persistence = Persistence::kKeep;
};

// Replaces what `out` holds and keeps its memory.
void WriteReplyHead(const ReplyHead& head, std::string& out);

}  // namespace ascend

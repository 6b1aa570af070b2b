// Counts calls in a file that several processes map at once, for tests that ask how often the
// library was called. The file is a table of records: 80 bytes of name ended by NUL, a 64-bit
// count, a 32-bit state (2: in use) and 4 bytes of padding. Names are FUNCTION, "FUNCTION
// CARD/DEVICE_ID" and, where it has an input type, FUNCTION:TYPE. Rules that count their calls do
// it here too, as "garbage FUNCTION CARD/DEVICE_ID" and "crash NAME".
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fake_dcmi {

struct CountRecord {
  char name[80];
  std::atomic<std::uint64_t> count;
  std::atomic<std::uint32_t> state;
  std::uint32_t padding;
};
static_assert(sizeof(CountRecord) == 96);

class CallCounts {
 public:
  // An empty path: a table of this process and those that it forks.
  explicit CallCounts(const std::string& path);
  ~CallCounts();
  CallCounts(const CallCounts&) = delete;
  CallCounts& operator=(const CallCounts&) = delete;

  // Returns the count with this one; 0 where there is no room for the name. Any thread.
  std::uint64_t Add(std::string_view name);

 private:
  static constexpr std::size_t kRecords = 8192;

  CountRecord* records_ = nullptr;
};

// A name for Add, put together without memory from the heap. What does not fit is left out.
class CountName {
 public:
  CountName& operator+=(std::string_view text);
  CountName& operator+=(int number);
  [[nodiscard]] std::string_view text() const { return {text_, size_}; }

 private:
  char text_[sizeof(CountRecord::name) - 1];
  std::size_t size_ = 0;
};

}  // namespace fake_dcmi

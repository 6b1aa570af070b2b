// Counts calls in a file that several processes map at once, for tests that ask how often the
// library was called. The file is a table of records: 80 bytes of name ended by NUL, a 64-bit
// count, a 32-bit state (2: in use) and 4 bytes of padding. Names are FUNCTION, "FUNCTION
// CARD/DEVICE_ID" and, where it has an input type, FUNCTION:TYPE.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

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
  explicit CallCounts(const std::string& path);  // an empty path: nothing is counted
  ~CallCounts();
  CallCounts(const CallCounts&) = delete;
  CallCounts& operator=(const CallCounts&) = delete;

  // Any thread.
  void Add(const std::string& name);

 private:
  static constexpr std::size_t kRecords = 8192;

  CountRecord* records_ = nullptr;
};

}  // namespace fake_dcmi

// A queue of records of any length in memory that two processes share, without locks.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace ascend {

// One producer, one consumer. All zero bytes are an empty ring, so fresh memory is one. The
// consumer copies a record before it looks at it and follows no number that the producer wrote
// unchecked: a hostile producer can make it read nonsense, and nothing else. A hostile consumer can
// make the producer lose records.
//
// Space is handed out from the front and all of it is taken back when the consumer has caught up,
// so that a ring whose records are short touches few pages of memory.
class RecordRing {
 public:
  static constexpr std::size_t kRecords = 256;
  static constexpr std::size_t kBytes = 128 * 1024;

  // Producer only. The parts become one record. False: there is no room.
  bool Push(std::initializer_list<std::span<const std::byte>> parts);

  // Consumer only. Copies the oldest record into `out` and removes it. Returns its length; nothing
  // if there is none; 0 for one that is broken or longer than `out`.
  std::optional<std::size_t> Pop(std::span<std::byte> out);
  [[nodiscard]] bool empty() const { return pushed_.load() == popped_.load(); }

 private:
  // Atomic so that the consumer reads each once: it uses the number that it has checked.
  struct Place {
    std::atomic<std::uint32_t> begin, size;
  };
  std::atomic<std::uint64_t> pushed_;
  std::atomic<std::uint32_t> next_begin_;  // the producer's
  std::atomic<std::uint64_t> popped_;
  std::array<Place, kRecords> places_;
  std::array<std::byte, kBytes> bytes_;
};

}  // namespace ascend

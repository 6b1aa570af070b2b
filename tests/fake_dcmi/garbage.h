// Answers without a meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fake_dcmi {

enum class Garbage {
  kRandom,  // bytes that only the seed tells
  kOnes,    // bytes 0xFF
  kZeros,   // bytes 0
  kText,    // letters, and no end in any field of text
};

// What a call may write to: one of its out-parameters. May be null.
struct Room {
  void* at = nullptr;
  std::size_t size = 0;
};
inline Room RoomOf(Room room) { return room; }
template <class T>
Room RoomOf(T* out) {
  return {out, sizeof(T)};
}
// Of so many elements; of none where the caller's number makes no sense.
template <class T>
Room RoomFor(std::int64_t count, T* out) {
  return {out, count > 0 ? static_cast<std::size_t>(count) * sizeof(T) : 0};
}

void Fill(std::span<const Room> rooms, Garbage with, std::uint64_t seed);

}  // namespace fake_dcmi

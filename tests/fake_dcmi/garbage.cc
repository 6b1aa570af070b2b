#include "garbage.h"

namespace fake_dcmi {
namespace {

constexpr unsigned char kOnes = 0xFF;
constexpr std::size_t kLetters = 26;

// SplitMix64: the next of the numbers that `state` stands for.
std::uint64_t NextRandom(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31);
}

unsigned char ByteOf(Garbage with, std::size_t index, std::uint64_t& state) {
  switch (with) {
    case Garbage::kRandom:
      return static_cast<unsigned char>(NextRandom(state));
    case Garbage::kOnes:
      return kOnes;
    case Garbage::kText:
      return static_cast<unsigned char>('A' + index % kLetters);
    case Garbage::kZeros:
      break;
  }
  return 0;
}

}  // namespace

void Fill(std::span<const Room> rooms, Garbage with, std::uint64_t seed) {
  for (const Room& room : rooms) {
    auto* bytes = static_cast<unsigned char*>(room.at);
    if (bytes == nullptr) continue;
    for (std::size_t i = 0; i < room.size; ++i) bytes[i] = ByteOf(with, i, seed);
  }
}

}  // namespace fake_dcmi

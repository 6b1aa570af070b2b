#include "exporter/border/record_ring.h"

#include <cstring>

namespace ascend {

bool RecordRing::Push(std::initializer_list<std::span<const std::byte>> parts) {
  std::size_t size = 0;
  for (const auto& part : parts) size += part.size();
  const std::uint64_t pushed = pushed_.load(std::memory_order_relaxed);
  const std::uint64_t waiting = pushed - popped_.load(std::memory_order_acquire);
  // Read once: the consumer's side could write it, too, and the producer has more rights.
  std::uint32_t begin = waiting == 0 ? 0 : next_begin_.load(std::memory_order_relaxed);
  if (waiting >= kRecords || begin > kBytes || size > kBytes - begin) return false;
  Place& place = places_[pushed % kRecords];
  place.begin.store(begin, std::memory_order_relaxed);
  place.size.store(static_cast<std::uint32_t>(size), std::memory_order_relaxed);
  for (const auto& part : parts) {
    if (!part.empty()) std::memcpy(bytes_.data() + begin, part.data(), part.size());
    begin += static_cast<std::uint32_t>(part.size());
  }
  next_begin_.store(begin, std::memory_order_relaxed);
  // Before the producer looks whether the consumer wants to be woken: see Bell.
  pushed_.store(pushed + 1, std::memory_order_seq_cst);
  return true;
}

std::optional<std::size_t> RecordRing::Pop(std::span<std::byte> out) {
  const std::uint64_t popped = popped_.load(std::memory_order_relaxed);
  if (pushed_.load(std::memory_order_seq_cst) == popped) return std::nullopt;
  const Place& place = places_[popped % kRecords];
  const std::size_t begin = place.begin.load(std::memory_order_relaxed);
  const std::size_t size = place.size.load(std::memory_order_relaxed);
  const bool sound = begin <= kBytes && size <= kBytes - begin;
  const bool fits = sound && size <= out.size();
  if (fits) std::memcpy(out.data(), bytes_.data() + begin, size);
  popped_.store(popped + 1, std::memory_order_release);
  return fits ? size : 0;
}

}  // namespace ascend

#include "bench/allocations.h"

#include <cstdlib>
#include <new>

namespace ascend {
namespace {

// Per thread, so that counting costs the baseline, which allocates much, next to nothing.
thread_local std::uint64_t allocations = 0;

void* Allocate(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* AllocateAligned(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto bytes = static_cast<std::size_t>(alignment);
  void* memory = std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

std::uint64_t Allocations() { return allocations; }

}  // namespace ascend

// The forms for arrays and those that do not throw call these.
void* operator new(std::size_t size) { return ascend::Allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return ascend::AllocateAligned(size, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

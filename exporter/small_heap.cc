#include "exporter/small_heap.h"

#include <malloc.h>

namespace ascend {
namespace {

// glibc raises its own limit each time that such a block is freed, unless it is set.
constexpr int kLargeBlock = 128 * 1024;

}  // namespace

void KeepHeapSmall() {
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  mallopt(M_ARENA_MAX, 1);
}

}  // namespace ascend

#include "exporter/engine/group_block.h"

#include <algorithm>
#include <cstring>

namespace ascend {

bool BlockRing::Push(const GroupBlock& block) {
  const std::uint64_t pushed = pushed_.load(std::memory_order_relaxed);
  if (pushed - popped_.load(std::memory_order_acquire) == kBlocks) return false;
  GroupBlock& slot = blocks_[pushed % kBlocks];
  const std::size_t samples = std::min<std::size_t>(block.samples_used, GroupBlock::kMaxSamples);
  // Only what is in use: the pages of the rest are never touched.
  std::memcpy(static_cast<void*>(&slot), &block,
              offsetof(GroupBlock, samples) + samples * sizeof(Sample));
  const std::size_t text = std::min<std::size_t>(block.text_used, GroupBlock::kMaxText);
  std::memcpy(slot.text.data(), block.text.data(), text);
  pushed_.store(pushed + 1, std::memory_order_release);
  return true;
}

const GroupBlock* BlockRing::Front() const {
  const std::uint64_t popped = popped_.load(std::memory_order_relaxed);
  if (pushed_.load(std::memory_order_acquire) == popped) return nullptr;
  return &blocks_[popped % kBlocks];
}

void BlockRing::Pop() {
  popped_.store(popped_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

}  // namespace ascend

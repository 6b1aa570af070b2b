#include "exporter/border/group_block.h"

#include <algorithm>
#include <cstring>

namespace ascend {
namespace {

// Takes the next `count` elements off the front of `bytes`.
template <class T>
bool Take(std::span<const std::byte>& bytes, T* out, std::size_t count) {
  const std::size_t size = count * sizeof(T);
  if (bytes.size() < size) return false;
  if (size > 0) std::memcpy(static_cast<void*>(out), bytes.data(), size);
  bytes = bytes.subspan(size);
  return true;
}

bool IsSound(const CallRecord& call) {
  return static_cast<std::size_t>(call.result) < kCallResultNames.size() && call.repeated <= 1;
}

}  // namespace

bool PushBlock(const GroupBlock& block, RecordRing& ring) {
  const std::span identity(&block.identity, block.identified != 0 ? 1 : 0);
  return ring.Push({std::as_bytes(std::span(static_cast<const BlockHead*>(&block), 1)),
                    std::as_bytes(identity),
                    std::as_bytes(std::span(block.calls).first(block.calls_used)),
                    std::as_bytes(std::span(block.samples).first(block.samples_used)),
                    std::as_bytes(std::span(block.text).first(block.text_used))});
}

bool ReadBlock(std::span<const std::byte> record, GroupBlock& block) {
  if (!Take(record, static_cast<BlockHead*>(&block), 1)) return false;
  const bool sound = static_cast<std::size_t>(block.group) < kGroups && block.lost <= 1 &&
                     block.identified <= 1 && block.calls_used <= GroupBlock::kMaxCalls &&
                     block.samples_used <= GroupBlock::kMaxSamples &&
                     block.text_used <= GroupBlock::kMaxText;
  if (!sound || !Take(record, &block.identity, block.identified) ||
      !Take(record, block.calls.data(), block.calls_used) ||
      !Take(record, block.samples.data(), block.samples_used) ||
      !Take(record, block.text.data(), block.text_used) || !record.empty()) {
    return false;
  }
  if (block.identified != 0 && block.identity.family > ChipFamily::k950) return false;
  std::size_t samples = 0;
  for (const CallRecord& call : std::span(block.calls).first(block.calls_used)) {
    samples += call.samples;
    if (!IsSound(call) || samples > block.samples_used) return false;
  }
  return true;
}

}  // namespace ascend

// The record that goes from a device's worker to the publisher: all that one sampling of one group
// found. It is bytes only, so that it can cross a process border in a ring of shared memory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "collectors/collector.h"
#include "collectors/sample.h"

namespace ascend {

enum class CallResult : std::uint8_t { kOk, kUnsupported, kError, kTimeout };
inline constexpr std::array<std::string_view, 4> kCallResultNames = {"ok", "unsupported", "error",
                                                                     "timeout"};

// How one collector's call went.
struct CallRecord {
  std::uint8_t collector = 0;  // index into the catalogue's collectors
  CallResult result = CallResult::kOk;
  bool repeated = false;      // no call was made: a fact that was read before
  std::uint16_t samples = 0;  // of the block, in order
  std::array<std::uint16_t, 3> rejected{};
  std::uint64_t number = 0;     // of the device's calls, as in DeviceChannel
  std::int64_t started_ns = 0;  // monotonic
  std::int64_t duration_ns = 0;
};

struct GroupBlock {
  static constexpr std::size_t kMaxCalls = 16;
  static constexpr std::size_t kMaxSamples = 3072;  // 72 UB ports with 41 series each
  static constexpr std::size_t kMaxText = 12288;    // 128 faults with some words about each

  Group group = Group::kFast;
  bool lost = false;  // the driver says that the device dropped off the bus
  bool identified = false;
  std::uint8_t calls_used = 0;
  std::uint16_t samples_used = 0;
  std::uint16_t text_used = 0;
  std::uint32_t skipped_ticks = 0;
  std::int64_t started_ns = 0;       // monotonic
  std::int64_t started_wall_ns = 0;  // the same moment since the Unix epoch
  DeviceIdentity identity;           // if identified
  std::array<CallRecord, kMaxCalls> calls{};
  // Large and mostly unused: only what is used is ever written or copied.
  std::array<Sample, kMaxSamples> samples;
  std::array<char, kMaxText> text;  // label values, each ended by NUL

  // Samples and text of the calls to come.
  [[nodiscard]] Sink::Room Free() {
    return {std::span(samples).subspan(samples_used), std::span(text).subspan(text_used),
            text_used};
  }
};
static_assert(std::is_trivially_copyable_v<GroupBlock>);

// A ring of blocks between one producer and one consumer, without locks. When the consumer falls
// behind, the newest block is refused.
class BlockRing {
 public:
  static constexpr std::size_t kBlocks = 8;

  // Producer only. False if the ring is full.
  bool Push(const GroupBlock& block);
  // Consumer only. The oldest block, valid until Pop; null if there is none.
  [[nodiscard]] const GroupBlock* Front() const;
  void Pop();

 private:
  std::array<GroupBlock, kBlocks> blocks_;
  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<std::uint64_t> popped_{0};
};

// What a worker and the publisher share of one device. The worker writes, the publisher reads.
struct DeviceChannel {
  // By hand, so that making one does not write zeros into half a megabyte of blocks.
  DeviceChannel() {}  // NOLINT(modernize-use-equals-default)

  BlockRing ring;
  // The call under way: its number (odd while it runs, then even) and when its deadline passes.
  std::atomic<std::uint64_t> call_number{0};
  std::atomic<std::int64_t> call_deadline_ns{0};
  std::atomic<std::uint8_t> call_collector{0};
};

}  // namespace ascend

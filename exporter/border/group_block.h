// What goes from a device's worker to the publisher: all that one sampling of one group found. It
// crosses a process border as bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "collectors/collector.h"
#include "collectors/sample.h"
#include "exporter/border/record_ring.h"

namespace ascend {

enum class CallResult : std::uint8_t { kOk, kUnsupported, kError, kTimeout };
inline constexpr std::array<std::string_view, 4> kCallResultNames = {"ok", "unsupported", "error",
                                                                     "timeout"};

// How one collector's call went.
struct CallRecord {
  std::uint8_t collector = 0;  // index into the catalogue's collectors
  CallResult result = CallResult::kOk;
  std::uint8_t repeated = 0;  // 1: no call was made, a fact that was read before
  std::uint16_t samples = 0;  // of the block, in order
  std::array<std::uint16_t, 3> rejected{};
  std::uint64_t number = 0;     // of the device's calls, as in DeviceChannel
  std::int64_t started_ns = 0;  // monotonic
  std::int64_t duration_ns = 0;
};

// Samples that are no values but say something about those of their call.
// A fault began, as the driver tells by itself: `key` is its code. Told whatever the result was.
inline constexpr std::uint16_t kFaultEventRow = 0xffff;
// The counter whose place among the call's samples is `key` begins again at 0 after `value`.
inline constexpr std::uint16_t kRangeRow = 0xfffe;

// The fixed part of a block.
struct BlockHead {
  Group group = Group::kFast;
  std::uint8_t lost = 0;        // 1: the driver says that the device dropped off the bus
  std::uint8_t identified = 0;  // 1: `identity` of the block is told
  std::uint8_t calls_used = 0;
  std::uint16_t samples_used = 0;
  std::uint16_t text_used = 0;
  std::uint32_t skipped_ticks = 0;
  std::uint32_t worker = 0;     // as in the topology: of all workers of the host
  std::int64_t started_ns = 0;  // monotonic
};

struct GroupBlock : BlockHead {
  static constexpr std::size_t kMaxCalls = 16;
  static constexpr std::size_t kMaxSamples = 3072;  // 72 UB ports with 41 series each
  static constexpr std::size_t kMaxText = 12288;    // 128 faults with some words about each

  // By hand, so that making one does not write zeros into 60 KB that are mostly unused.
  GroupBlock() {}  // NOLINT(modernize-use-equals-default)

  DeviceIdentity identity;  // if identified
  std::array<CallRecord, kMaxCalls> calls{};
  std::array<Sample, kMaxSamples> samples;
  std::array<char, kMaxText> text;  // label values, each ended by NUL

  // Samples and text of the calls to come.
  [[nodiscard]] Sink::Room Free() {
    return {std::span(samples).subspan(samples_used), std::span(text).subspan(text_used),
            text_used};
  }
};
static_assert(std::is_trivially_copyable_v<GroupBlock>);
inline constexpr std::size_t kMaxBlockBytes = sizeof(GroupBlock);

// Pushes what of the block is in use. False: the ring is full.
bool PushBlock(const GroupBlock& block, RecordRing& ring);

// Reads a block that may come from a hostile sender. False: it is no block. After true the group
// and the results are of their enumerations, what is in use fits, and each call's samples lie
// within the block; rows, keys, values, times and text may be anything.
bool ReadBlock(std::span<const std::byte> record, GroupBlock& block);

}  // namespace ascend

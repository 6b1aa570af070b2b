// The memory that a driver host shares with the front: one berth for each host, which it alone
// writes but for the consumer's marks in the rings, and one board, where the front writes what
// hosts are not to touch. All zero bytes are empty ones, so fresh memory needs no construction.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "absl/status/statusor.h"
#include "exporter/border/crash_note.h"
#include "exporter/border/record_ring.h"
#include "hal/clock.h"

namespace ascend {

inline constexpr std::size_t kMaxDevices = 64;  // more than any host holds
// A device whose old worker is still inside a call gets another channel for its new one.
inline constexpr std::size_t kMaxChannels = 2 * kMaxDevices;
inline constexpr std::size_t kMaxCollectors = 64;
inline constexpr std::size_t kMaxOpenings = 4;  // drivers that `auto` may try

// Between one device's worker and the publisher. The worker writes, the publisher reads.
struct DeviceChannel {
  RecordRing ring;  // of GroupBlocks
  // The call under way: its number (odd while it runs, then even), when it began, when its deadline
  // passes, and which collector makes it.
  std::atomic<std::uint64_t> call_number;
  std::atomic<std::int64_t> call_started_ns;
  std::atomic<std::int64_t> call_deadline_ns;
  std::atomic<std::int64_t> last_return_ns;  // when the last call returned; 0: none has
  std::atomic<std::uint8_t> call_collector;
  std::atomic<std::int32_t> device;  // its id
};

// What one driver host says.
struct Berth {
  RecordRing topology;  // of TopologyRecords, the newest is true
  // When the search for devices that is under way should have ended, 0: none is; and the driver
  // that it asks, counted from 1 in the order in which they are tried.
  std::atomic<std::int64_t> look_deadline_ns;
  std::atomic<std::uint32_t> look_opening;
  CrashNote crash;
  std::array<DeviceChannel, kMaxChannels> channels;
};

// Wakes a consumer that sleeps until there is news, and leaves one alone that sleeps until a time.
struct Bell {
  std::atomic<std::uint32_t> armed;  // 1: the consumer wants to be woken
  std::atomic<std::uint32_t> rung;   // the consumer's futex
};

// What no host is to call for a time, since it crashed or hung there. Times are monotonic
// nanoseconds, 0: not held. Written by the front, read by hosts.
struct Holds {
  struct Device {
    std::atomic<std::int32_t> id_plus_1;  // 0: free
    std::atomic<std::int64_t> whole;      // every call of the device
    std::array<std::atomic<std::int64_t>, kMaxCollectors> calls;
  };
  std::array<Device, kMaxDevices> devices;
  std::array<std::atomic<std::int64_t>, kMaxOpenings> openings;

  // The entry of a device, or null.
  [[nodiscard]] const Device* Find(std::int32_t id) const;
  // Front only. Null if the table is full, or no device can have the id.
  Device* FindOrAdd(std::int32_t id);
  // Front only. Nothing is held any more.
  void Clear();
};

// What the front remembers of itself, for the one that comes after it. Front only.
struct FrontMemory {
  std::atomic<std::int64_t> released_until;  // monotonic nanoseconds; 0: not released
  std::atomic<std::int32_t> most_devices;    // seen at once
};

struct Board {
  Bell bell;
  Holds holds;
  FrontMemory front;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::is_trivially_destructible_v<Berth> && std::is_trivially_destructible_v<Board>);

// Maps the memory of a file descriptor, which stays open, or, for -1, fresh memory of this process.
// An error says what failed. The mapping lasts as long as any copy of the pointer.
absl::StatusOr<std::shared_ptr<Berth>> MapBerth(int fd);
absl::StatusOr<std::shared_ptr<Board>> MapBoard(int fd);

// Has the memory of this process alone; ends the program if there is none.
std::shared_ptr<Berth> PrivateBerth();
std::shared_ptr<Board> PrivateBoard();

// Producer: there is something new. True: wake the consumer. `urgent`: even one that sleeps until a
// time.
bool Knock(Bell& bell, bool urgent);

// The consumer's alarm on a bell, for a consumer in another process than the producers.
std::unique_ptr<Alarm> MakeBellAlarm(std::shared_ptr<Board> board);
// Producer, any process: wakes whoever sleeps on MakeBellAlarm's.
void Wake(Bell& bell);

}  // namespace ascend

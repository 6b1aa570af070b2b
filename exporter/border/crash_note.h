// What a process that loads the vendor's library leaves behind when it crashes, in memory that it
// shares with the one that reads it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace ascend {

constexpr std::int32_t kNoChannel = -1;
constexpr std::size_t kCrashFrameBytes = 96;
enum class CrashNoteState : std::uint32_t { kNone, kBeingWritten, kComplete };

// All bytes 0: no note. Written by the handler of crash_handler.h, once.
struct CrashNote {
  std::atomic<CrashNoteState> state;
  std::int32_t signal;   // 0: exit() was called
  std::int32_t channel;  // of the device whose thread it was; kNoChannel: of none
  // The innermost frame outside of the C library and this program, or, if there is none, the
  // innermost of all: "libdcmi.so+0x1234 (dcmi_get_device_health)". Ends in NUL.
  std::array<char, kCrashFrameBytes> frame;
};
static_assert(std::is_standard_layout_v<CrashNote> &&
              std::atomic<CrashNoteState>::is_always_lock_free && sizeof(CrashNote) == 108);

// A note as its reader may use it.
struct CrashReport {
  bool complete = false;       // else the process ended before it knew the frame
  int signal = 0;              // 0: exit() was called
  std::optional<int> channel;  // not negative; compare it with how many there are
  std::string frame;           // printable ASCII; empty: unknown
};

// Nothing if there is no note, or one that cannot be true. Takes no byte on trust: the writer may
// have been overwriting its memory. Call it when the writer has ended.
std::optional<CrashReport> ReadCrashNote(const CrashNote& note);

// "SIGSEGV in libdcmi.so+0x1234 (dcmi_get_device_health)", "exit() in libdcmi.so+0x10".
std::string DescribeCrash(const CrashReport& report);

}  // namespace ascend

// What the supervisor and its children say to each other: descriptors, arguments, commands, events.
// Header only and without the C++ library, so that all of them can use it.
//
//   ascend-exporter ──execve──▶ supervisor ──fork──▶ front   serves, decides
//                                          └─fork──▶ hosts   hold the vendor's library
//
// The supervisor decides nothing but when the front is started. The front says by commands when a
// host starts and which signal it gets; the supervisor tells it by events what became of that.
//
// Signals to the supervisor: SIGTERM and SIGINT end everything, SIGHUP reads the settings again,
// SIGUSR2 makes the front let go of the devices (kRelease), SIGUSR1 take them again (kAcquire). If
// both of these are pending at once, their order is unknown and kRelease comes last.
//
// Every child has: /dev/null as standard input, the supervisor's standard output, standard error
// and environment, default signal dispositions, no blocked signal, core limit (soft) 0, SIGKILL
// when the supervisor dies, and no descriptors but the ones below.
#pragma once

#include <cstdint>

namespace ascend::supervisor {

// --- Descriptors ---

// Also of the supervisor itself when it starts. In children: a memfd of its own with the current
// settings, offset 0, sealed against writing, shrinking, growing and more seals.
inline constexpr int kSettingsFd = 3;
// Front: read end of its event pipe, blocking. New with each front. EOF: the supervisor died.
inline constexpr int kEventFd = 4;
// Host: read end of a pipe into which nobody writes. EOF: the supervisor died.
inline constexpr int kLifeFd = 4;
// Front: write end of its command pipe, blocking. New with each front.
inline constexpr int kCommandFd = 5;
// Front and hosts: the memory that all of them share, sealed against shrinking and growing.
inline constexpr int kBoardFd = 6;
// Front: the berths, kFirstBerthFd + berth, sealed like the board. The memory of a berth outlives
// its host, for the front to read, until the next host is started in it.
inline constexpr int kFirstBerthFd = 7;
// Host: its own berth. All bytes are 0 when it starts.
inline constexpr int kHostBerthFd = 7;

inline constexpr std::uint32_t kBerths = 4;

// --- Arguments ---

// supervisor --front=PATH --host=PATH --berth-bytes=N --board-bytes=N --settings-reader=PATH
//            -- ARGS...
// ARGS are argv[1..] of ascend-exporter, for the settings reader.
inline constexpr char kFrontOption[] = "--front=";
inline constexpr char kHostOption[] = "--host=";
inline constexpr char kBerthBytesOption[] = "--berth-bytes=";
inline constexpr char kBoardBytesOption[] = "--board-bytes=";
inline constexpr char kSettingsReaderOption[] = "--settings-reader=";

// front --hosts=BERTH:PID:GENERATION,...     the hosts that are alive; empty at the first start
inline constexpr char kHostsOption[] = "--hosts=";

// host --berth=N --generation=G
inline constexpr char kBerthOption[] = "--berth=";
inline constexpr char kGenerationOption[] = "--generation=";

// --- Settings ---

// More bytes are an error, at the start and at a reload. So are none.
inline constexpr std::uint32_t kMaxSettingsBytes = 256 * 1024;
// The settings reader is run as `PATH ARGS...` with this variable set to the number of the
// descriptor into which it writes the packed settings: kWriteSettingsFd, the write end of a pipe.
// It then exits 0; or it says on standard error why not and exits with another status. After 10 s
// it is killed.
inline constexpr char kWriteSettingsVariable[] = "ASCEND_EXPORTER_WRITE_SETTINGS";
inline constexpr int kWriteSettingsFd = 3;

// --- Commands: front to supervisor ---

enum class CommandKind : std::uint32_t {
  // The front serves. Until a front has said so once, its exit ends the supervisor with the same
  // status (128 + n for signal n); from then on it is started again.
  kReady = 1,
  // Clears the memory of `berth`, which must have no living host, and starts a host in it.
  kStartHost = 2,
  // Sends `signal`, one of SIGTERM, SIGKILL, SIGUSR1 and SIGUSR2, to the host of `berth`. Nothing
  // happens
  // if it has exited: the event is under way.
  kSignalHost = 3,
  // Reads the settings again, as SIGHUP does. Answered by kSettings or kReloadFailed; one that
  // comes while another is under way makes one more run after it.
  kReload = 4,
};

// Written whole, by one write(2) each. Fields that the kind does not name are not read. What makes
// no sense (unknown kind or signal, no such berth, a berth with a living host) is ignored, and said
// on standard error once for each front.
struct Command {
  CommandKind kind = CommandKind::kReady;
  std::uint32_t berth = 0;
  std::int32_t signal = 0;
};
static_assert(sizeof(Command) == 12);

// --- Events: supervisor to front ---

enum class EventKind : std::uint32_t {
  // `berth`, `pid`, `generation`: the process exists. Its program may still fail to start, see
  // kHostFailed.
  kHostStarted = 1,
  // `berth`, `generation`, `status` (errno): there is no host in the berth. `pid` is 0 if the
  // process could not be made. Otherwise its program could not be executed: kHostStarted came
  // before, with the same pid, and kHostExited does not come.
  kHostFailed = 2,
  // `berth`, `pid`, `generation`, `status` as from waitpid(2). The berth is free, its memory as the
  // host left it. Comes for every kHostStarted but those that end in kHostFailed, and for the hosts
  // named in --hosts.
  kHostExited = 3,
  // A reload succeeded; the payload is the packed settings, even if no byte is different. Children
  // that start from now on get them.
  kSettings = 4,
  // A reload failed; the settings stay. The reader has said why.
  kReloadFailed = 5,
  // Let go of the devices: SIGUSR2 came.
  kRelease = 6,
  // Take the devices again: SIGUSR1 came.
  kAcquire = 7,
};

// Followed by `payload_bytes` bytes, at most kMaxSettingsBytes. Event and payload may arrive in
// pieces. Events for a front that has ended are lost: the next one has --hosts and its settings. A
// front that leaves about 1.5 MiB of events unread is killed and started again.
struct Event {
  EventKind kind = EventKind::kHostStarted;
  std::uint32_t berth = 0;
  std::int32_t pid = 0;
  // Counts the hosts that were started, over all berths, from 1: never the same twice.
  std::uint32_t generation = 0;
  std::int32_t status = 0;
  std::uint32_t payload_bytes = 0;
};
static_assert(sizeof(Event) == 24);

}  // namespace ascend::supervisor

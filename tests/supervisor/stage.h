// Runs the real supervisor with actors as its programs. A test holds copies of an actor's
// descriptors, and so reads its events, gives its commands and looks at its memory itself.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/supervisor/protocol.h"
#include "tests/supervisor/orders.h"

namespace ascend::supervisor {

inline constexpr std::uint64_t kBerthBytes = 64 * 1024;
inline constexpr std::uint64_t kBoardBytes = 16 * 1024;

// A descriptor that is closed with its owner.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int number) : number_(number) {}
  Fd(Fd&& other) noexcept;
  Fd& operator=(Fd&& other) noexcept;
  ~Fd();
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_ = -1;
};

struct ToldEvent {
  Event event;
  std::string payload = {};
};

// One process that the supervisor, or an actor, has started.
class Actor {
 public:
  Actor(Fd socket, pid_t pid, std::map<int, Fd> fds);

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Its words after the program's name.
  [[nodiscard]] const std::vector<std::string>& arguments() const { return arguments_; }
  [[nodiscard]] bool Is(std::string_view first_argument_prefix) const;
  [[nodiscard]] std::vector<int> fd_numbers() const;
  // The test's copy of the descriptor that the actor has by this number.
  [[nodiscard]] int fd(int number) const;
  void CloseFd(int number) { fds_.erase(number); }
  // The line of /proc/PID/status that begins with `name`, without it.
  [[nodiscard]] std::string Status(std::string_view name) const;

  // Waits until it is done.
  void Do(Order order, int number = 0);
  void Exit(int status);
  // Whether its descriptors are closed, within the patience.
  [[nodiscard]] bool Ends() const;

  // As the front.
  void Give(Command command);
  void GiveBytes(std::string_view bytes);
  [[nodiscard]] ToldEvent NextEvent();
  Event Next(EventKind kind);  // the test fails if it is another

 private:
  Fd socket_;
  pid_t pid_;
  std::map<int, Fd> fds_;
  std::vector<std::string> arguments_;
};

struct StageOptions {
  std::string front = {};  // empty: an actor
  std::string host = {};
  std::string settings = "first settings";
  int error_fd = -1;           // standard error; -1: a file that Log() reads
  bool first_process = false;  // of a PID namespace of its own
  bool dirty = false;          // with more descriptors, ignored and blocked signals, cores
};

class Stage {
 public:
  explicit Stage(const StageOptions& options = {});
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage();

  // The next process that comes upon the stage; its first argument must begin with the prefix.
  [[nodiscard]] Actor Enter(std::string_view first_argument_prefix);
  // The front, which has said that it serves.
  [[nodiscard]] Actor EnterFront();
  // A host that `front` starts; the event is read.
  [[nodiscard]] Actor EnterHost(Actor& front, std::uint32_t berth);
  // The settings reader.
  [[nodiscard]] Actor EnterReader();

  void Signal(int number) const;
  // The status with which the supervisor exits, within the patience.
  [[nodiscard]] std::optional<int> ExitStatus();
  [[nodiscard]] pid_t pid() const { return supervisor_; }
  // What the supervisor and its children have said on standard error.
  [[nodiscard]] std::string Log() const;

 private:
  void Listen();
  void Launch(const StageOptions& options);

  Fd listening_;
  std::string socket_name_;
  Fd log_;
  Fd settings_;
  pid_t launched_ = 0;    // 0: waited for
  pid_t supervisor_ = 0;  // the same, unless it is the first process of a namespace
};

// Whether it becomes true before a limit that only something stuck reaches.
template <typename Look>
[[nodiscard]] bool Eventually(Look look);
[[nodiscard]] bool PausedWithin(std::int64_t deadline_ms);
[[nodiscard]] std::int64_t TestNowMs();
inline constexpr std::int64_t kPatienceMs = 30'000;

template <typename Look>
bool Eventually(Look look) {
  const std::int64_t deadline = TestNowMs() + kPatienceMs;
  while (!look()) {
    if (!PausedWithin(deadline)) return false;
  }
  return true;
}

// Whether something can be read from it, or it has ended, within the patience.
[[nodiscard]] bool Readable(int fd);
// Ends the test, and through it the supervisor: one that went on would wait again and again.
[[noreturn]] void GiveUp(const std::string& what);

// All bytes of a memory.
[[nodiscard]] std::string Content(int fd);
[[nodiscard]] std::size_t Count(std::string_view text, std::string_view part);

}  // namespace ascend::supervisor

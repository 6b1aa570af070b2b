// Knows every connection by what it waits for and since when: finds those that are late and the one
// that can best be spared, without a timer for each.
#pragma once

#include <array>
#include <atomic>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <cstddef>

namespace ascend {

// What a connection waits for. Each has one time limit, so the order of arrival in a phase is the
// order of its deadlines.
enum class Phase : std::size_t {
  kHead,   // the client, from the first byte of a request (or from connecting) to its last one
  kIdle,   // the client, between two requests
  kReply,  // the client, to take a reply
};
constexpr std::size_t kPhases = 3;

// A connection as seen from here. It must Leave before it is destroyed.
class Tracked : public boost::intrusive::list_base_hook<
                    boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  virtual ~Tracked() = default;
  virtual void Close() noexcept = 0;  // leaves Deadlines before it returns

 private:
  friend class Deadlines;
  std::chrono::steady_clock::time_point since_;
};

// Event loop only, but for size, which any thread may ask.
class Deadlines {
 public:
  using Limits = std::array<std::chrono::milliseconds, kPhases>;

  explicit Deadlines(const Limits& limits) : limits_(limits) {}

  // Starts the time of `phase` for a connection that is new or in another phase (or the same).
  void Enter(Tracked& connection, Phase phase);
  void Leave(Tracked& connection) noexcept;

  void CloseLate();
  // Closes the connection that can best be spared: of those that wait for their client to send the
  // one that has waited longest, else the one whose client has been at its reply longest. False if
  // there is none.
  bool MakeRoom() noexcept;
  void CloseAll() noexcept;
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_relaxed); }

 private:
  using List = boost::intrusive::list<Tracked, boost::intrusive::constant_time_size<false>>;

  List& list(Phase phase) { return lists_[static_cast<std::size_t>(phase)]; }

  const Limits limits_;
  std::array<List, kPhases> lists_;
  std::atomic<std::size_t> size_ = 0;
};

}  // namespace ascend

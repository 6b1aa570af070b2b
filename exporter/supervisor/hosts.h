// The driver hosts and the memory that they share with the front.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "exporter/supervisor/options.h"
#include "exporter/supervisor/protocol.h"
#include "exporter/supervisor/settings.h"

namespace ascend::supervisor {

class Hosts {
 public:
  Hosts(const Options& options, const Settings& settings)
      : options_(options), settings_(settings) {}

  // Makes the memory. False with errno.
  [[nodiscard]] bool Prepare();

  [[nodiscard]] bool Busy(std::uint32_t berth) const { return hosts_[berth].pid != 0; }
  // Only in a berth that is not busy. What came of it: kHostStarted or kHostFailed.
  [[nodiscard]] Event StartIn(std::uint32_t berth);
  void Signal(std::uint32_t berth, int number) const;
  void SignalAll(int number) const;

  // Of a process that was waited for: true if it was a host, whose berth is then free. `event`
  // says how it ended.
  [[nodiscard]] bool Ended(pid_t pid, int status, Event& event);

  [[nodiscard]] bool AnyAlive() const;
  // 0: none.
  [[nodiscard]] pid_t pid(std::uint32_t berth) const { return hosts_[berth].pid; }
  // The argument --hosts= of the front.
  void List(char* text, std::size_t room) const;

  [[nodiscard]] int board() const { return board_; }
  [[nodiscard]] int berth(std::uint32_t index) const { return hosts_[index].memory; }

 private:
  struct Host {
    pid_t pid = 0;  // 0: the berth is free
    std::uint32_t generation = 0;
    int memory = -1;
  };

  [[nodiscard]] pid_t Launch(std::uint32_t berth, std::uint32_t generation);

  const Options& options_;
  const Settings& settings_;
  Host hosts_[kBerths];
  int board_ = -1;
  // The read end of the pipe that ends with the supervisor. The write end is never used nor closed.
  int life_ = -1;
  std::uint32_t last_generation_ = 0;
  volatile int* exec_errors_ = nullptr;  // one a berth
};

}  // namespace ascend::supervisor

// The events on their way to one front, which may be slow, stuck or gone.
#pragma once

#include <cstddef>

#include "exporter/supervisor/protocol.h"

namespace ascend::supervisor {

// Never blocks. What the pipe does not take waits in a fixed buffer.
class EventQueue {
 public:
  // Once, before anything else. False with errno.
  [[nodiscard]] bool Prepare();

  // Takes the write end of a new pipe, which is then closed by Close.
  void Open(int fd);
  void Close();

  // False if there is no room: the front reads nothing, and no later event reaches it. True where
  // there is no pipe: nobody waits for the event.
  [[nodiscard]] bool Push(const Event& event, const char* payload);
  void Flush();

  // What poll(2) should wait for room in; -1: nothing waits.
  [[nodiscard]] int waiting_fd() const { return size_ > 0 ? fd_ : -1; }

 private:
  void Append(const void* bytes, std::size_t count);

  char* buffer_ = nullptr;
  std::size_t size_ = 0;
  int fd_ = -1;
};

}  // namespace ascend::supervisor

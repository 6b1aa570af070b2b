#include "exporter/front/supervisor_link.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <thread>
#include <utility>

namespace ascend {
namespace {

// False at the end of the pipe.
bool ReadWhole(int fd, void* out, std::size_t size) {
  auto* next = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t got = read(fd, next, size);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got < 0) continue;
    next += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool ReadEvent(SupervisorEvent& event) {
  if (!ReadWhole(supervisor::kEventFd, &event.head, sizeof event.head)) return false;
  event.payload.resize(std::min(event.head.payload_bytes, supervisor::kMaxSettingsBytes));
  return ReadWhole(supervisor::kEventFd, event.payload.data(), event.payload.size());
}

}  // namespace

SupervisorLink::SupervisorLink(std::function<void()> on_event, std::function<void()> on_end) {
  // It ends with the process: it may be inside of a read for ever.
  std::thread([inbox = inbox_, on_event = std::move(on_event), on_end = std::move(on_end)] {
    for (SupervisorEvent event; ReadEvent(event);) {
      {
        MutexLock lock(inbox->mutex);
        inbox->events.push_back(std::exchange(event, {}));
      }
      on_event();
    }
    on_end();
  }).detach();
}

std::vector<SupervisorEvent> SupervisorLink::Take() {
  MutexLock lock(inbox_->mutex);
  return std::exchange(inbox_->events, {});
}

void SupervisorLink::Send(const supervisor::Command& command) {
  // At most PIPE_BUF bytes: written whole or not at all. If the supervisor is gone, so is the
  // front.
  while (write(supervisor::kCommandFd, &command, sizeof command) < 0 && errno == EINTR) {
  }
}

}  // namespace ascend

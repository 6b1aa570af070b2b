#include "exporter/supervisor/event_queue.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exporter/supervisor/memory.h"

namespace ascend::supervisor {
namespace {

constexpr std::size_t kBufferBytes = 512UL * 1024;
constexpr int kPipeBytes = 1024 * 1024;

}  // namespace

bool EventQueue::Prepare() {
  buffer_ = Reserve(kBufferBytes);
  return buffer_ != nullptr;
}

void EventQueue::Open(int fd) {
  Close();
  fd_ = fd;
  fcntl(fd_, F_SETFL, O_NONBLOCK);
  fcntl(fd_, F_SETPIPE_SZ, kPipeBytes);  // a smaller one fills sooner
}

void EventQueue::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  size_ = 0;
}

bool EventQueue::Push(const Event& event, const char* payload) {
  if (fd_ < 0) return true;
  Flush();
  if (kBufferBytes - size_ < sizeof event + event.payload_bytes) {
    Close();  // an event left out would mislead the front
    return false;
  }
  Append(&event, sizeof event);
  if (event.payload_bytes > 0) Append(payload, event.payload_bytes);
  Flush();
  return true;
}

void EventQueue::Append(const void* bytes, std::size_t count) {
  memcpy(buffer_ + size_, bytes, count);
  size_ += count;
}

void EventQueue::Flush() {
  std::size_t done = 0;
  while (done < size_) {
    const ssize_t written = write(fd_, buffer_ + done, size_ - done);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN) break;
    Close();  // the front is gone; its exit is seen elsewhere
    return;
  }
  memmove(buffer_, buffer_ + done, size_ - done);
  size_ -= done;
}

}  // namespace ascend::supervisor

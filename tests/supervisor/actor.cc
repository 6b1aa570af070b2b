// Plays every part on the supervisor's stage: front, host, settings reader, orphan. It shows the
// test its descriptors, and then does what the test says, one byte an order (orders.h).
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "tests/supervisor/orders.h"

namespace {

using ascend::supervisor::kMostFds;
using ascend::supervisor::kSocketVariable;
using ascend::supervisor::Order;
using ascend::supervisor::OrderMessage;
using ascend::supervisor::Presence;

// An abstract address, whose name is in the environment.
int Connect() {
  const char* name = getenv(kSocketVariable);
  if (name == nullptr) _exit(90);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::size_t size = strlen(name);
  memcpy(address.sun_path + 1, name, size);
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), length) != 0) _exit(91);
  return fd;
}

Presence OwnDescriptors() {
  Presence presence;
  for (int fd = 3; fd < 256; ++fd) {
    if (fcntl(fd, F_GETFD) < 0) continue;
    if (presence.count == kMostFds) _exit(92);
    presence.fds[presence.count++] = fd;
  }
  return presence;
}

void Show(int socket, Presence presence) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof presence.fds)] = {};
  iovec part = {&presence, sizeof presence};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (presence.count > 0) {
    const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(presence.count);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(header), presence.fds, bytes);
  }
  if (sendmsg(socket, &message, MSG_NOSIGNAL) < 0) _exit(93);
}

// A grandchild whose parent ends at once, as an actor of its own.
void LeaveOrphan(char* program) {
  const pid_t child = fork();
  if (child != 0) return;
  if (fork() == 0) execl(program, program, "orphan", nullptr);
  _exit(0);
}

}  // namespace

int main(int /*argc*/, char** argv) {
  const Presence presence = OwnDescriptors();
  const int socket = Connect();
  Show(socket, presence);
  OrderMessage message;
  while (recv(socket, &message, sizeof message, 0) == sizeof message) {
    switch (message.order) {
      case Order::kExit:
        _exit(message.number);
      case Order::kRaise:
        raise(message.number);
        break;
      case Order::kIgnoreTerm:
        signal(SIGTERM, SIG_IGN);
        break;
      case Order::kLeaveOrphan:
        LeaveOrphan(argv[0]);
        break;
    }
    if (send(socket, "", 1, MSG_NOSIGNAL) != 1) break;
  }
  _exit(94);  // the test is gone
}

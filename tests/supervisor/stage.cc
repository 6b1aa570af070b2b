#include "tests/supervisor/stage.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

namespace ascend::supervisor {
namespace {

int MemoryWith(const std::string& content) {
  const int fd = memfd_create("test", MFD_CLOEXEC);
  if (write(fd, content.data(), content.size()) != static_cast<ssize_t>(content.size())) {
    GiveUp("cannot write to a memory");
  }
  return fd;
}

// What a careless parent leaves behind.
void MakeDirty() {
  for (int number = 20; number < 24; ++number) dup2(STDIN_FILENO, number);
  for (const int number : {SIGHUP, SIGCHLD, SIGUSR2, SIGPIPE}) signal(number, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  rlimit limit = {};
  getrlimit(RLIMIT_CORE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_CORE, &limit);
}

// Their numbers may be those that they are to have.
void Place(int settings, int error) {
  const int high_error = fcntl(error, F_DUPFD_CLOEXEC, 64);
  const int high_settings = fcntl(settings, F_DUPFD_CLOEXEC, 64);
  dup2(high_error, STDERR_FILENO);
  dup2(high_settings, kSettingsFd);
}

pid_t ParentOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("PPid:")) return static_cast<pid_t>(std::stol(line.substr(5)));
  }
  return 0;
}

std::map<int, Fd> Descriptors(msghdr& message, const Presence& presence) {
  std::map<int, Fd> fds;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr) return fds;
  int numbers[kMostFds] = {};
  memcpy(numbers, CMSG_DATA(header), sizeof(int) * static_cast<std::size_t>(presence.count));
  for (int i = 0; i < presence.count; ++i) fds.emplace(presence.fds[i], Fd(numbers[i]));
  return fds;
}

}  // namespace

Stage::Stage(const StageOptions& options)
    : log_(MemoryWith("")), settings_(MemoryWith(options.settings)) {
  Listen();
  Launch(options);
}

Stage::~Stage() {
  if (launched_ == 0) return;
  kill(launched_, SIGCONT);
  kill(launched_, SIGKILL);
  waitpid(launched_, nullptr, 0);
}

void Stage::Listen() {
  listening_ = Fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  // Without a name the kernel chooses one: a zero and five characters.
  const auto* any = reinterpret_cast<const sockaddr*>(&address);
  if (bind(listening_.number(), any, sizeof address.sun_family) != 0) GiveUp("cannot bind");
  socklen_t length = sizeof address;
  getsockname(listening_.number(), reinterpret_cast<sockaddr*>(&address), &length);
  socket_name_ = std::string(address.sun_path + 1, length - offsetof(sockaddr_un, sun_path) - 1);
  if (listen(listening_.number(), 64) != 0) GiveUp("cannot listen");
}

void Stage::Launch(const StageOptions& options) {
  std::vector<std::string> words;
  if (options.first_process) {
    words = {"/usr/bin/unshare", "--pid", "--fork", "--kill-child"};
    if (geteuid() != 0) words.insert(words.end(), {"--user", "--map-root-user"});
  }
  const std::string actor = SUPERVISOR_ACTOR;
  words.push_back(SUPERVISOR_PROGRAM);
  words.push_back(kFrontOption + (options.front.empty() ? actor : options.front));
  words.push_back(kHostOption + (options.host.empty() ? actor : options.host));
  words.push_back(kBerthBytesOption + std::to_string(kBerthBytes));
  words.push_back(kBoardBytesOption + std::to_string(kBoardBytes));
  words.push_back(kSettingsReaderOption + actor);
  words.insert(words.end(), {"--", "serve", "--some-flag=its value"});
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  launched_ = fork();
  if (launched_ != 0) {
    supervisor_ = launched_;
    return;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setenv(kSocketVariable, socket_name_.c_str(), 1);
  Place(settings_.number(), options.error_fd < 0 ? log_.number() : options.error_fd);
  if (options.dirty) MakeDirty();
  execv(argv[0], argv.data());
  _exit(99);
}

Actor Stage::Enter(std::string_view first_argument_prefix) {
  if (!Readable(listening_.number())) GiveUp("nobody enters the stage\n" + Log());
  Fd socket(accept4(listening_.number(), nullptr, nullptr, SOCK_CLOEXEC));
  ucred peer = {};
  socklen_t length = sizeof peer;
  getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &peer, &length);

  Presence presence;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof presence.fds)] = {};
  iovec part = {&presence, sizeof presence};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (!Readable(socket.number()) ||
      recvmsg(socket.number(), &message, MSG_CMSG_CLOEXEC) != sizeof presence) {
    GiveUp("an actor says nothing");
  }
  Actor actor(std::move(socket), peer.pid, Descriptors(message, presence));
  if (!actor.Is(first_argument_prefix)) GiveUp("another actor enters\n" + Log());
  if (actor.Is(kHostsOption)) supervisor_ = ParentOf(actor.pid());
  return actor;
}

Actor Stage::EnterFront() {
  Actor front = Enter(kHostsOption);
  front.Give({.kind = CommandKind::kReady});
  return front;
}

Actor Stage::EnterHost(Actor& front, std::uint32_t berth) {
  front.Give({.kind = CommandKind::kStartHost, .berth = berth});
  Actor host = Enter(kBerthOption);
  EXPECT_EQ(front.Next(EventKind::kHostStarted).berth, berth);
  return host;
}

Actor Stage::EnterReader() { return Enter("serve"); }

void Stage::Signal(int number) const { kill(supervisor_, number); }

std::optional<int> Stage::ExitStatus() {
  int status = 0;
  if (!Eventually([&] { return waitpid(launched_, &status, WNOHANG) == launched_; })) return {};
  launched_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::string Stage::Log() const { return Content(log_.number()); }

}  // namespace ascend::supervisor

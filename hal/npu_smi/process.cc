#include "hal/npu_smi/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "fmt/format.h"
#include "hal/npu_smi/unique_fd.h"

namespace ascend::npu_smi {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

// How often a child is asked whether it has ended. A pidfd would tell, but hosts with these chips
// run kernels that have none.
constexpr milliseconds kFirstLook{1};
constexpr milliseconds kLookEvery{50};
// How long output is awaited after the child's end while some descendant holds the pipe open.
constexpr milliseconds kDrainGrace{100};
constexpr milliseconds kDrainLook{10};
// How long a killed child may take to die; one that hangs in a system call may take for ever.
constexpr std::chrono::seconds kReapGrace{2};

constexpr int kCannotExecute = 127;  // as a shell says it

std::string ErrorText(int error) { return std::generic_category().message(error); }

struct Pipe {
  UniqueFd read, write;
};

// Both ends above the standard files, so that dup2 in the child cannot run over them, and not
// inherited.
absl::StatusOr<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return absl::InternalError(fmt::format("cannot make a pipe: {}", ErrorText(errno)));
  }
  const UniqueFd read(ends[0]);
  const UniqueFd write(ends[1]);
  constexpr int kFirstOwnFd = 3;
  Pipe pipe{UniqueFd(::fcntl(read.get(), F_DUPFD_CLOEXEC, kFirstOwnFd)),
            UniqueFd(::fcntl(write.get(), F_DUPFD_CLOEXEC, kFirstOwnFd))};
  // Only our end: a program need not expect an output that refuses to block.
  if (!pipe.read.open() || !pipe.write.open() ||
      ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK) != 0) {
    return absl::InternalError(fmt::format("cannot set up a pipe: {}", ErrorText(errno)));
  }
  return pipe;
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  // execve takes char* for history's sake and changes nothing.
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// What is open but the standard streams ends at execve.
void CloseTheRest() {
  constexpr unsigned kCloseAtExec = 4;  // CLOSE_RANGE_CLOEXEC
  if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, kCloseAtExec) == 0) return;
  constexpr rlim_t kMost = 65536;  // for kernels before 5.11
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const auto end = static_cast<int>(std::min(limit.rlim_cur, kMost));
  for (int fd = STDERR_FILENO + 1; fd < end; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

// In the child between fork and execve, where only system calls are safe. Returns if one failed.
void Become(char* const* argv, char* const* environment, pid_t parent, int out, int err) {
  // This thread waits for the child, so its death is the process's, which ends its tools with it.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) return;
  if (setpgid(0, 0) != 0) return;
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &action, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
      dup2(err, STDERR_FILENO) < 0) {
    return;
  }
  CloseTheRest();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(argv[0], argv, environment);
}

// In a process group of its own, with default signals; it ends with this process.
absl::StatusOr<pid_t> Spawn(const ProcessRequest& request, int out, int err) {
  absl::StatusOr<Pipe> failure = MakePipe();
  if (!failure.ok()) return failure.status();
  const std::vector<char*> argv = Pointers(request.argv);
  const std::vector<char*> environment = Pointers(request.environment);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    Become(argv.data(), environment.data(), parent, out, err);
    const int error = errno;
    // Nothing of this process's exit is for the child; all it has open but the three ends by
    // itself.
    while (::write(failure->write.get(), &error, sizeof error) < 0 && errno == EINTR) continue;
    for (;;) syscall(SYS_exit_group, kCannotExecute);
  }
  int error = pid < 0 ? errno : 0;
  failure->write.Close();
  if (pid > 0) {
    // The pipe ends when the tool is executed.
    pollfd wanted = {.fd = failure->read.get(), .events = POLLIN, .revents = 0};
    while (::poll(&wanted, 1, -1) < 0 && errno == EINTR) continue;
    if (::read(failure->read.get(), &error, sizeof error) != sizeof error) return pid;
    ::waitpid(pid, nullptr, 0);
  }
  return absl::InternalError(fmt::format("cannot start {}: {}", request.argv[0], ErrorText(error)));
}

// One output of the child and the text that came from it.
struct Stream {
  UniqueFd fd;
  std::string& text;
};

// Takes what is there; closes the stream at its end. False if the text grew beyond `max`.
bool Drain(Stream& stream, std::size_t max) {
  std::array<char, 16384> buffer;
  while (stream.fd.open()) {
    const ssize_t got = ::read(stream.fd.get(), buffer.data(), buffer.size());
    if (got > 0) {
      const std::size_t room = max - stream.text.size();
      stream.text.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
      if (static_cast<std::size_t>(got) > room) return false;
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      stream.fd.Close();
    } else if (errno == EAGAIN) {
      return true;
    }
  }
  return true;
}

// A child, from its start to its burial. It stays unreaped, and so the number of its group its own,
// until Bury has killed what is left of the group.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}

  // Does not reap. Also true if its status was taken by someone else.
  [[nodiscard]] bool HasEnded() {
    siginfo_t info{};
    const int rc = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    lost_ = rc != 0 && errno == ECHILD;
    return lost_ || info.si_pid == pid_;
  }

  // The status of waitpid; nothing if it was taken by someone else or does not come in time.
  std::optional<int> Bury() {
    if (lost_) return std::nullopt;  // its number may be another's by now
    ::kill(-pid_, SIGKILL);
    const auto give_up = SteadyClock::now() + kReapGrace;
    for (milliseconds pause = kFirstLook;; pause = std::min(pause * 2, kLookEvery)) {
      int status = 0;
      const pid_t reaped = ::waitpid(pid_, &status, WNOHANG);
      if (reaped == pid_) return status;
      if (reaped < 0 && errno != EINTR) return std::nullopt;
      if (SteadyClock::now() >= give_up) {
        unkillable_ = true;
        return std::nullopt;
      }
      ::poll(nullptr, 0, static_cast<int>(pause.count()));
    }
  }

  // After Bury: still there, in a system call that does not end.
  [[nodiscard]] bool unkillable() const { return unkillable_; }

 private:
  const pid_t pid_;
  bool lost_ = false;
  bool unkillable_ = false;
};

// Reads and waits until the child has ended or must be ended.
class Watch {
 public:
  Watch(const ProcessRequest& request, Child& child, Stream out, Stream err)
      : request_(request),
        child_(child),
        streams_{std::move(out), std::move(err)},
        deadline_(SteadyClock::now() + request.deadline) {}

  ProcessEnd Run() {
    while (true) {
      const bool canceled = Wait();
      for (Stream& stream : streams_) {
        if (!Drain(stream, request_.max_output)) return ProcessEnd::kTooMuchOutput;
      }
      if (canceled) return ProcessEnd::kCanceled;
      const auto now = SteadyClock::now();
      if (!ended_at_ && child_.HasEnded()) {
        ended_at_ = now;
        continue;  // what it wrote last may have come after the reading
      }
      if (ended_at_ && (AllRead() || now >= *ended_at_ + kDrainGrace)) return ProcessEnd::kExited;
      if (now >= deadline_) return ended_at_ ? ProcessEnd::kExited : ProcessEnd::kTimedOut;
    }
  }

 private:
  [[nodiscard]] bool AllRead() const { return !streams_[0].fd.open() && !streams_[1].fd.open(); }

  // Until something can be read or it is time to look at the child again; true if canceled.
  bool Wait() {
    std::array<pollfd, 3> fds = {{{streams_[0].fd.get(), POLLIN, 0},
                                  {streams_[1].fd.get(), POLLIN, 0},
                                  {request_.cancel_fd, POLLIN, 0}}};
    milliseconds look = kLookEvery;
    if (AllRead()) {  // a program that closed its outputs is about to end
      look = next_look_;
      next_look_ = std::min(next_look_ * 2, kLookEvery);
    }
    const auto left = std::chrono::ceil<milliseconds>(deadline_ - SteadyClock::now());
    if (ended_at_) look = AllRead() ? milliseconds(0) : kDrainLook;
    const auto timeout = std::max(std::min(look, left), milliseconds(0));
    ::poll(fds.data(), fds.size(), static_cast<int>(timeout.count()));
    return fds[2].revents != 0;
  }

  const ProcessRequest& request_;
  Child& child_;
  std::array<Stream, 2> streams_;
  const SteadyClock::time_point deadline_;
  milliseconds next_look_ = kFirstLook;
  std::optional<SteadyClock::time_point> ended_at_;
};

}  // namespace

absl::StatusOr<ProcessResult> RunProcess(const ProcessRequest& request) {
  if (request.argv.empty() || !request.argv[0].starts_with('/')) {
    return absl::InvalidArgumentError("a program is run by its absolute path");
  }
  auto out = MakePipe();
  auto err = MakePipe();
  if (!out.ok() || !err.ok()) return out.ok() ? err.status() : out.status();
  const auto pid = Spawn(request, out->write.get(), err->write.get());
  out->write.Close();
  err->write.Close();
  if (!pid.ok()) return pid.status();

  ProcessResult result;
  Child child(*pid);
  Watch watch(request, child, Stream{std::move(out->read), result.out},
              Stream{std::move(err->read), result.err});
  result.end = watch.Run();
  const std::optional<int> status = child.Bury();
  if (child.unkillable()) result.left_behind = *pid;
  if (result.end != ProcessEnd::kExited) return result;
  if (!status) {
    return absl::InternalError(
        fmt::format("the exit status of {} was lost: something else reaps this process's children",
                    request.argv[0]));
  }
  result.end = WIFEXITED(*status) ? ProcessEnd::kExited : ProcessEnd::kSignaled;
  result.code = WIFEXITED(*status) ? WEXITSTATUS(*status) : WTERMSIG(*status);
  return result;
}

bool HasLeft(pid_t left_behind) {
  const pid_t reaped = ::waitpid(left_behind, nullptr, WNOHANG);
  return reaped == left_behind || (reaped < 0 && errno == ECHILD);
}

std::vector<std::string> ToolEnvironment() {
  std::vector<std::string> environment = {
      "LC_ALL=C", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"};
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) {
    environment.push_back(fmt::format("LD_LIBRARY_PATH={}", libraries));
  }
  return environment;
}

}  // namespace ascend::npu_smi

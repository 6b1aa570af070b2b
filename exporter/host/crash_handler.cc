#include "exporter/host/crash_handler.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

#include "exporter/host/crash_frame.h"

namespace ascend {
namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr unsigned kPatienceSeconds = 2;  // with a handler that hangs in the unwinder
constexpr std::size_t kStackBytes = std::size_t{128} * 1024;  // touched only by a crash
constexpr int kSignalStatus = 128;                            // as a shell reports a signal

struct CrashState {
  CrashNote* note = nullptr;
  std::atomic<pid_t> writer = 0;  // the thread that writes the note; 0: none yet
  std::atomic<bool> exit_allowed = false;
};

// A signal handler is given nothing of ours, so what it needs stands here. Set before the handler
// is installed.
constinit CrashState crash_state;

// Initial-exec: to read it calls no function that could allocate.
[[gnu::tls_model("initial-exec")]] constinit thread_local int thread_channel = kNoChannel;

pid_t ThreadId() { return static_cast<pid_t>(syscall(SYS_gettid)); }

void SetDefault(int signal) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
}

void Unblock(int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

// True for the first thread that asks, and again for the same thread.
bool BecomeWriter(bool& again) {
  pid_t writer = 0;
  const pid_t self = ThreadId();
  const bool first = crash_state.writer.compare_exchange_strong(writer, self);
  again = !first && writer == self;
  return first || again;
}

void WriteNote(int signal, const ucontext_t* context) {
  CrashNote& note = *crash_state.note;
  note.signal = signal;
  note.channel = thread_channel;
  note.frame.front() = '\0';
  note.state.store(CrashNoteState::kBeingWritten, std::memory_order_release);
  SetDefault(SIGALRM);
  Unblock(SIGALRM);
  alarm(kPatienceSeconds);
  FindCrashFrame(context, note.frame);
  note.state.store(CrashNoteState::kComplete, std::memory_order_release);
}

[[noreturn]] void WaitForTheEnd() {
  for (;;) pause();
}

[[noreturn]] void DieBy(int signal) {
  SetDefault(signal);
  Unblock(signal);
  syscall(SYS_tgkill, getpid(), ThreadId(), signal);
  _exit(kSignalStatus + signal);
}

void OnCrash(int signal, siginfo_t* /*info*/, void* context) {
  bool again = false;
  if (!BecomeWriter(again)) WaitForTheEnd();
  // Again: the handler itself crashed, by another signal. What it knew is in the note.
  if (!again) WriteNote(signal, static_cast<const ucontext_t*>(context));
  DieBy(signal);
}

}  // namespace

void InstallCrashHandler(CrashNote& note) {
  crash_state.note = &note;
  PrepareCrashFrames();
  struct sigaction action {};
  action.sa_sigaction = OnCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  // A second fault inside of the handler then ends the process, instead of beginning again.
  for (const int signal : kCrashSignals) sigaddset(&action.sa_mask, signal);
  for (const int signal : kCrashSignals) sigaction(signal, &action, nullptr);
}

void NoteExit() {
  if (crash_state.note == nullptr || crash_state.exit_allowed) return;
  bool again = false;
  if (!BecomeWriter(again)) WaitForTheEnd();
  if (!again) WriteNote(0, nullptr);
}

void AllowExit() { crash_state.exit_allowed = true; }

void SetThreadChannel(int channel) { thread_channel = channel; }

AlternateStack::AlternateStack() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, page + kStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = static_cast<char*>(memory) + page;
  stack.ss_size = kStackBytes;
  if (mprotect(memory, page, PROT_NONE) != 0 || sigaltstack(&stack, &previous_) != 0) {
    munmap(memory, page + kStackBytes);
    return;
  }
  memory_ = memory;
}

AlternateStack::~AlternateStack() {
  if (memory_ == nullptr) return;
  sigaltstack(&previous_, nullptr);
  munmap(memory_, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + kStackBytes);
}

}  // namespace ascend

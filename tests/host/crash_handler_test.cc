#include "exporter/host/crash_handler.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/dead_child.h"

namespace ascend {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

// A note in memory that a child shares with this process.
class SharedNote {
 public:
  SharedNote()
      : memory_(mmap(nullptr, sizeof(CrashNote), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {}
  SharedNote(const SharedNote&) = delete;
  SharedNote& operator=(const SharedNote&) = delete;
  ~SharedNote() { munmap(memory_, sizeof(CrashNote)); }

  CrashNote& operator*() { return *static_cast<CrashNote*>(memory_); }

 private:
  void* memory_;
};

void NoCoreFile() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

template <typename Function>
Function* InLibrary(const char* name) {
  void* const library = dlopen(CRASHING_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

class CrashHandlerTest : public testing::Test {
 protected:
  // The status of a child with the handler, which runs `code`.
  template <typename Code>
  int Run(Code code) {
    (*note_).state = CrashNoteState::kNone;
    return StatusOfChild([&] {
      NoCoreFile();
      const AlternateStack stack;
      InstallCrashHandler(*note_);
      code();
    });
  }

  // The same for a function of the library.
  int Call(const char* function) {
    return Run([function] {
      if (auto* const call = InLibrary<void()>(function)) call();
    });
  }

  CrashReport Report() {
    const std::optional<CrashReport> report = ReadCrashNote(*note_);
    EXPECT_TRUE(report.has_value());
    return report.value_or(CrashReport());
  }

  SharedNote note_;
};

TEST_F(CrashHandlerTest, NamesTheFunctionOfTheLibraryAndDiesByTheSameSignal) {
  EXPECT_TRUE(EndedBySignal(Call("crashing_write_to_null"), SIGSEGV));
  const CrashReport report = Report();
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.signal, SIGSEGV);
  EXPECT_EQ(report.channel, std::nullopt);
  EXPECT_THAT(report.frame,
              MatchesRegex("libcrashing\\.so\\+0x[0-9a-f]+ \\(crashing_write_to_null\\)"));
}

TEST_F(CrashHandlerTest, NotesEverySignalOfACrash) {
  struct Case {
    const char* function;
    int signal;
  };
  for (const Case& crash : {
         Case{"crashing_abort", SIGABRT}, Case{"crashing_illegal_instruction", SIGILL},
#if defined(__x86_64__)
             Case{"crashing_divide", SIGFPE},
#endif
             Case {
           "crashing_write_to_null", SIGSEGV
         }
       }) {
    EXPECT_TRUE(EndedBySignal(Call(crash.function), crash.signal)) << crash.function;
    EXPECT_EQ(Report().signal, crash.signal);
    EXPECT_THAT(Report().frame, HasSubstr(crash.function));
  }
}

TEST_F(CrashHandlerTest, ABusErrorIsNoted) {
  EXPECT_TRUE(EndedBySignal(Run([] { raise(SIGBUS); }), SIGBUS));
  EXPECT_EQ(Report().signal, SIGBUS);
}

TEST_F(CrashHandlerTest, ACrashInsideOfTheCLibraryIsItsCallers) {
  EXPECT_TRUE(EndedBySignal(Call("crashing_inside_libc"), SIGSEGV));
  EXPECT_THAT(Report().frame, HasSubstr("(crashing_inside_libc)"));
}

TEST_F(CrashHandlerTest, ACallOfANullPointerIsItsCallers) {
  EXPECT_TRUE(EndedBySignal(Call("crashing_call_of_null"), SIGSEGV));
  EXPECT_THAT(Report().frame, HasSubstr("(crashing_call_of_null)"));
}

TEST_F(CrashHandlerTest, ACrashOfTheProgramUnderTheLibraryIsTheLibrarys) {
  const int status = Run([] {
    auto* const call = InLibrary<void(void (*)())>("crashing_callback");
    if (call != nullptr) call([] { raise(SIGABRT); });
  });
  EXPECT_TRUE(EndedBySignal(status, SIGABRT));
  EXPECT_THAT(Report().frame, HasSubstr("(crashing_callback)"));
}

TEST_F(CrashHandlerTest, ACrashWithoutALibraryNamesTheProgramOrTheCLibrary) {
  EXPECT_TRUE(EndedBySignal(Run([] { raise(SIGFPE); }), SIGFPE));
  EXPECT_THAT(Report().frame, HasSubstr("+0x"));
}

TEST_F(CrashHandlerTest, SaysForWhichChannelTheThreadWorked) {
  const int status = Run([] {
    SetThreadChannel(1);
    std::thread([] {
      const AlternateStack stack;
      SetThreadChannel(7);
      if (auto* const call = InLibrary<void()>("crashing_write_to_null")) call();
    }).join();
  });
  EXPECT_TRUE(EndedBySignal(status, SIGSEGV));
  EXPECT_EQ(Report().channel, 7);
}

TEST_F(CrashHandlerTest, AThreadOfTheLibraryHasNoChannel) {
  const int status = Run([] {
    SetThreadChannel(1);
    if (auto* const call = InLibrary<void()>("crashing_in_own_thread")) call();
  });
  EXPECT_TRUE(EndedBySignal(status, SIGSEGV));
  EXPECT_EQ(Report().channel, std::nullopt);
  EXPECT_THAT(Report().frame, HasSubstr("(crashing_write_to_null)"));
}

TEST_F(CrashHandlerTest, AStackThatOverflowsIsNotedFromTheAlternateOne) {
  const int status = Run([] {
    std::thread([] {
      const AlternateStack stack;
      SetThreadChannel(3);
      if (auto* const call = InLibrary<int(int)>("crashing_overflow")) call(0);
    }).join();
  });
  EXPECT_TRUE(EndedBySignal(status, SIGSEGV));
  EXPECT_EQ(Report().channel, 3);
  EXPECT_TRUE(Report().complete);
  EXPECT_THAT(Report().frame, HasSubstr("(crashing_overflow)"));
}

TEST_F(CrashHandlerTest, AnExitOfTheLibraryIsNotedAndKeepsItsStatus) {
  const int status = Run([] {
    SetThreadChannel(5);
    if (auto* const call = InLibrary<void()>("crashing_exit")) call();
  });
  EXPECT_TRUE(EndedWith(status, 3));
  EXPECT_TRUE(Report().complete);
  EXPECT_EQ(Report().signal, 0);
  EXPECT_EQ(Report().channel, 5);
  EXPECT_THAT(Report().frame, HasSubstr("(crashing_exit)"));
  EXPECT_THAT(DescribeCrash(Report()), StartsWith("exit() in libcrashing.so+0x"));
}

TEST_F(CrashHandlerTest, AnExitThatIsAllowedLeavesNoNote) {
  const int status = Run([] {
    AllowExit();
    // What the parent prepared for its exit is not the child's.
    on_exit([](int code, void*) { _exit(code); }, nullptr);
    exit(4);
  });
  EXPECT_TRUE(EndedWith(status, 4));
  EXPECT_FALSE(ReadCrashNote(*note_).has_value());
}

TEST_F(CrashHandlerTest, OfManyThreadsThatCrashOneWrites) {
  const int status = Run([] {
    auto* const call = InLibrary<void()>("crashing_write_to_null");
    if (call == nullptr) return;
    constexpr int kThreads = 8;
    pthread_barrier_t together;
    pthread_barrier_init(&together, nullptr, kThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        const AlternateStack stack;
        SetThreadChannel(i);
        pthread_barrier_wait(&together);
        call();
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_TRUE(EndedBySignal(status, SIGSEGV));
  EXPECT_TRUE(Report().complete);
  EXPECT_THAT(Report().frame, HasSubstr("(crashing_write_to_null)"));
}

TEST_F(CrashHandlerTest, ALockOfTheLoaderThatIsNeverFreeEndsTheProcessWithWhatIsKnown) {
  const int status = Run([] {
    int hangs[2];
    if (pipe(hangs) != 0) return;
    setenv("CRASHING_LIBRARY_HANGS", std::to_string(hangs[1]).c_str(), 1);
    std::thread loading([] { InLibrary<void()>("crashing_abort"); });
    char byte = 0;
    if (read(hangs[0], &byte, 1) != 1) return;
    SetThreadChannel(2);
    raise(SIGSEGV);
  });
  EXPECT_TRUE(EndedBySignal(status, SIGALRM));
  EXPECT_FALSE(Report().complete);
  EXPECT_EQ(Report().signal, SIGSEGV);
  EXPECT_EQ(Report().channel, 2);
  EXPECT_THAT(Report().frame, HasSubstr("+0x"));
}

TEST_F(CrashHandlerTest, AThreadEndsWithTheAlternateStackThatItBeganWith) {
  std::thread([] {
    stack_t before{};
    stack_t during{};
    stack_t after{};
    sigaltstack(nullptr, &before);
    {
      const AlternateStack stack;
      sigaltstack(nullptr, &during);
    }
    sigaltstack(nullptr, &after);
    EXPECT_NE(during.ss_sp, before.ss_sp);
    EXPECT_EQ(during.ss_flags & SS_DISABLE, 0);
    EXPECT_EQ(after.ss_sp, before.ss_sp);
    EXPECT_EQ(after.ss_flags, before.ss_flags);
  }).join();
}

}  // namespace
}  // namespace ascend

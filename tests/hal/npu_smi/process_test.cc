#include "hal/npu_smi/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/eventfd.h>

#include <cstdlib>
#include <thread>

#include "tests/hal/npu_smi/support.h"

namespace ascend::npu_smi {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::chrono::seconds kLong{60};

ProcessRequest Request(std::vector<std::string> argv) {
  ProcessRequest request;
  request.argv = std::move(argv);
  request.environment = {"PATH=/usr/bin:/bin"};
  request.deadline = kLong;
  return request;
}

ProcessRequest Shell(const std::string& script) { return Request({"/bin/sh", "-c", script}); }

ProcessResult Ended(const ProcessRequest& request) {
  auto result = RunProcess(request);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? *std::move(result) : ProcessResult{};
}

std::size_t OpenFiles() {
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++files;
  }
  return files;
}

TEST(NpuSmiProcessTest, ArgumentsReachTheProgramWithoutAShell) {
  const ProcessResult result = Ended(Request({"/bin/echo", "$HOME", "`id`", "a;b", "*", "c d"}));
  EXPECT_EQ(result.out, "$HOME `id` a;b * c d\n");
  EXPECT_EQ(result.end, ProcessEnd::kExited);
  EXPECT_EQ(result.code, 0);
}

TEST(NpuSmiProcessTest, AScriptWithoutItsInterpreterLineIsNotGivenToAShell) {
  const TempFolder folder;
  WriteFile(folder / "tool", "echo run by a shell\n");
  std::filesystem::permissions(folder / "tool", std::filesystem::perms::owner_all);
  const auto result = RunProcess(Request({folder / "tool"}));
  EXPECT_FALSE(result.ok());
}

TEST(NpuSmiProcessTest, TheEnvironmentIsReplaced) {
  ProcessRequest request = Request({"/usr/bin/env"});
  request.environment = {"LC_ALL=C", "PATH=/nowhere"};
  EXPECT_EQ(Ended(request).out, "LC_ALL=C\nPATH=/nowhere\n");
}

TEST(NpuSmiProcessTest, TheToolsEnvironmentKeepsTheLibraryPathAndNothingElse) {
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_THAT(ToolEnvironment(), ElementsAre("LC_ALL=C", HasSubstr("PATH=/usr/local/sbin:")));
  ::setenv("LD_LIBRARY_PATH", "/opt/driver/lib64", 1);
  EXPECT_THAT(ToolEnvironment(), ElementsAre("LC_ALL=C", HasSubstr("PATH=/usr/local/sbin:"),
                                             "LD_LIBRARY_PATH=/opt/driver/lib64"));
  ::unsetenv("LD_LIBRARY_PATH");
}

TEST(NpuSmiProcessTest, ARelativeProgramIsRefused) {
  EXPECT_EQ(RunProcess(Request({"echo"})).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RunProcess(Request({})).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(NpuSmiProcessTest, AProgramThatCannotBeStartedIsNamed) {
  const auto result = RunProcess(Request({"/nowhere/npu-smi"}));
  EXPECT_EQ(result.status().message(), "cannot start /nowhere/npu-smi: No such file or directory");
}

TEST(NpuSmiProcessTest, ExitStatusAndSignalAreTold) {
  const ProcessResult exited = Ended(Shell("exit 187"));
  EXPECT_EQ(exited.end, ProcessEnd::kExited);
  EXPECT_EQ(exited.code, 187);
  const ProcessResult killed = Ended(Shell("kill -SEGV $$"));
  EXPECT_EQ(killed.end, ProcessEnd::kSignaled);
  EXPECT_EQ(killed.code, SIGSEGV);
}

TEST(NpuSmiProcessTest, BothOutputsAreReadWhole) {
  const ProcessResult result = Ended(
      Shell("i=0; while [ $i -lt 3000 ]; do echo $i-out-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;"
            "echo $i-err-yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy >&2; i=$((i+1)); done"));
  EXPECT_THAT(Lines(result.out), ::testing::SizeIs(3000));
  EXPECT_THAT(Lines(result.err), ::testing::SizeIs(3000));
  EXPECT_THAT(Lines(result.out).back(), HasSubstr("2999-out"));
}

TEST(NpuSmiProcessTest, InputIsEmpty) { EXPECT_EQ(Ended(Request({"/bin/cat"})).out, ""); }

TEST(NpuSmiProcessTest, ASignalIgnoredHereIsNotIgnoredInTheProgram) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  const ProcessResult result = Ended(Shell("kill -PIPE $$; exit 9"));
  EXPECT_EQ(result.end, ProcessEnd::kSignaled);
  EXPECT_EQ(result.code, SIGPIPE);
  ::signal(SIGPIPE, before);
}

TEST(NpuSmiProcessTest, TheDeadlineKillsTheProgramAndItsDescendants) {
  const TempFolder folder;
  LifeLine life(folder / "life");
  ProcessRequest request =
      Shell(fmt::format("exec 3>{}; echo begun; sleep 1000 & sleep 1000; wait", life.path()));
  request.deadline = milliseconds(300);
  const ProcessResult result = Ended(request);
  EXPECT_EQ(result.end, ProcessEnd::kTimedOut);
  EXPECT_EQ(result.out, "begun\n");
  EXPECT_TRUE(life.AwaitEnd());
}

TEST(NpuSmiProcessTest, AProgramThatIgnoresPoliteSignalsIsKilled) {
  ProcessRequest request = Shell("trap '' TERM INT HUP; while :; do sleep 1000; done");
  request.deadline = milliseconds(100);
  EXPECT_EQ(Ended(request).end, ProcessEnd::kTimedOut);
}

TEST(NpuSmiProcessTest, AProgramThatClosesItsOutputsIsStillAwaited) {
  const ProcessResult result = Ended(Shell("exec >&- 2>&-; sleep 0.05; exit 7"));
  EXPECT_EQ(result.end, ProcessEnd::kExited);
  EXPECT_EQ(result.code, 7);
  ProcessRequest hanging = Shell("exec >&- 2>&-; sleep 1000");
  hanging.deadline = milliseconds(100);
  EXPECT_EQ(Ended(hanging).end, ProcessEnd::kTimedOut);
}

TEST(NpuSmiProcessTest, ADescendantThatKeepsTheOutputOpenDoesNotHoldUpTheRun) {
  const TempFolder folder;
  LifeLine life(folder / "life");
  const auto start = std::chrono::steady_clock::now();
  const ProcessResult result =
      Ended(Shell(fmt::format("exec 3>{}; sleep 1000 & echo done", life.path())));
  EXPECT_LT(std::chrono::steady_clock::now() - start, kLong / 2);
  EXPECT_EQ(result.end, ProcessEnd::kExited);
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "done\n");
  EXPECT_TRUE(life.AwaitEnd());
}

TEST(NpuSmiProcessTest, EndlessOutputEndsTheRun) {
  for (const char* const redirect : {"", " >&2"}) {
    ProcessRequest request = Shell(fmt::format("exec yes{}", redirect));
    request.max_output = 100'000;
    const ProcessResult result = Ended(request);
    EXPECT_EQ(result.end, ProcessEnd::kTooMuchOutput);
    EXPECT_EQ(result.out.size() + result.err.size(), 100'000U);
  }
}

TEST(NpuSmiProcessTest, OutputOfExactlyTheLimitIsFine) {
  ProcessRequest request = Request({"/usr/bin/head", "-c", "65536", "/dev/zero"});
  request.max_output = 65536;
  EXPECT_EQ(Ended(request).end, ProcessEnd::kExited);
  --request.max_output;
  EXPECT_EQ(Ended(request).end, ProcessEnd::kTooMuchOutput);
}

TEST(NpuSmiProcessTest, ARunIsCanceledFromAnotherThread) {
  const TempFolder folder;
  LifeLine life(folder / "life");
  const UniqueFd cancel(::eventfd(0, EFD_CLOEXEC));
  ProcessRequest request = Shell(fmt::format("exec 3>{}; echo begun >&3; sleep 1000", life.path()));
  request.cancel_fd = cancel.get();
  std::jthread canceler([&] {
    EXPECT_TRUE(life.AwaitWord());
    ::eventfd_write(cancel.get(), 1);
  });
  EXPECT_EQ(Ended(request).end, ProcessEnd::kCanceled);
  canceler.join();
  EXPECT_TRUE(life.AwaitEnd());
}

TEST(NpuSmiProcessTest, RunsLeaveNoFileOpen) {
  const std::size_t before = OpenFiles();
  for (int round = 0; round < 20; ++round) {
    Ended(Shell("echo x; exit 1"));
    EXPECT_FALSE(RunProcess(Request({"/nowhere"})).ok());
    ProcessRequest late = Shell("sleep 1000");
    late.deadline = milliseconds(1);
    Ended(late);
  }
  EXPECT_EQ(OpenFiles(), before);
}

TEST(NpuSmiProcessTest, TheProgramSeesNoFileOfThisProcess) {
  constexpr int kInherited = 77;
  const UniqueFd file(::open("/dev/null", O_RDONLY));
  const UniqueFd inherited(::dup2(file.get(), kInherited));
  const std::string listed = Ended(Request({"/bin/ls", "/proc/self/fd"})).out;
  EXPECT_THAT(listed, Not(HasSubstr("77")));
  EXPECT_LE(Lines(listed).size(), 4U);  // the standard files and the folder that ls reads
}

TEST(NpuSmiProcessTest, RunsOfSeveralThreadsDoNotDisturbEachOther) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([thread] {
      for (int round = 0; round < 10; ++round) {
        const ProcessResult result = Ended(Shell(fmt::format("echo {0}; exit {0}", thread)));
        EXPECT_EQ(result.code, thread);
        EXPECT_EQ(result.out, fmt::format("{}\n", thread));
      }
    });
  }
}

}  // namespace
}  // namespace ascend::npu_smi

// A rule ends the process in the call, as a vendor's library does.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "machine_file.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::kOk;
using fake_dcmi::MachineFile;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// A sanitizer sees some of these before the kernel or the C library does, and ends the process in
// its own way.
class DiesOf {
 public:
  explicit DiesOf(int signal) : signal_(signal) {}
  bool operator()(int status) const {
    const bool sanitizer_ended_it = WIFEXITED(status) && WEXITSTATUS(status) != 0;
    return (WIFSIGNALED(status) && WTERMSIG(status) == signal_) ||
           (kSanitized && (sanitizer_ended_it || WIFSIGNALED(status)));
  }

 private:
  int signal_;
};

int Temperature(int card) {
  int degrees = 0;
  return dcmi_get_device_temperature(card, 0, &degrees);
}

TEST(FakeCrashDeathTest, ACallDiesInTheWayThatItsRuleNames) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  const struct {
    const char* kind;
    int signal;
  } kinds[] = {
      {"", SIGSEGV}, {"segv", SIGSEGV}, {"stack", SIGSEGV}, {"abort", SIGABRT}, {"heap", SIGABRT}};
  for (const auto& [kind, signal] : kinds) {
    SCOPED_TRACE(kind);
    machine.Add(std::string("rule dcmi_get_device_temperature 3 crash ") + kind);
    EXPECT_EQ(Temperature(2), kOk);
    EXPECT_EXIT(Temperature(3), DiesOf(signal), "");
  }
}

TEST(FakeCrashDeathTest, ExitRunsWhatTheProgramWantsDoneAtItsEndAndUnderscoreExitDoesNot) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  const auto call = [] {
    std::atexit([] { _exit(7); });
    Temperature(3);
  };
  machine.Add("rule dcmi_get_device_temperature 3 crash _exit");
  EXPECT_EXIT(call(), testing::ExitedWithCode(3), "");
  machine.Add("rule dcmi_get_device_temperature 3 crash exit");
  EXPECT_EXIT(call(), testing::ExitedWithCode(7), "");
}

TEST(FakeCrashDeathTest, OnlyTheFirstCallsOfAllProcessesDieWhereTheRuleSaysSo) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  machine.Add("rule dcmi_get_device_temperature 3 crash _exit 2");
  for (int process = 0; process < 2; ++process) {
    EXPECT_EXIT(Temperature(3), testing::ExitedWithCode(3), "");
  }
  EXPECT_EQ(Temperature(3), kOk);
  EXPECT_EQ(machine.Count("crash dcmi_get_device_temperature 3"), 3U);
  machine.Remove("rule");
  machine.Add("rule dcmi_get_device_temperature 3 crash _exit 1 again");
  EXPECT_EXIT(Temperature(3), testing::ExitedWithCode(3), "");
  EXPECT_EQ(Temperature(3), kOk);
  EXPECT_EQ(machine.Count("crash again"), 2U);
}

TEST(FakeCrashDeathTest, StartAndEnumerationCanCrash) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  machine.Add("rule dcmi_init * crash abort");
  machine.Add("rule dcmi_get_card_list * crash abort");
  machine.Add("rule dcmi_get_device_num_in_card 3/* crash abort");
  int count = 0;
  int cards[64] = {};
  EXPECT_EXIT(dcmi_init(), DiesOf(SIGABRT), "");
  EXPECT_EXIT(dcmi_get_card_list(&count, cards, 64), DiesOf(SIGABRT), "");
  EXPECT_EQ(dcmi_get_device_num_in_card(2, &count), kOk);
  EXPECT_EXIT(dcmi_get_device_num_in_card(3, &count), DiesOf(SIGABRT), "");
}

TEST(FakeCrashDeathTest, LoadingTheLibraryCanCrash) {
  const MachineFile machine("8x910b");
  Dl_info own = {};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&dcmi_init), &own), 0);
  const std::string copy = machine.folder() + "/libdcmi.so";  // one that is not loaded yet
  std::filesystem::copy_file(own.dli_fname, copy);
  machine.Add("rule dlopen * crash _exit");
  EXPECT_EXIT(dlopen(copy.c_str(), RTLD_NOW), testing::ExitedWithCode(3), "");
  machine.Remove("rule dlopen");
  void* library = dlopen(copy.c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(dlclose(library), 0);
}

}  // namespace

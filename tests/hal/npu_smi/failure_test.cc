// Everything that npu-smi can do instead of printing a table, and what an operator is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hal/driver_state.h"
#include "tests/hal/npu_smi/fake_tool.h"

namespace ascend::npu_smi {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

absl::Status DiscoverWith(std::string_view printed, std::string_view end,
                          nanoseconds deadline = std::chrono::seconds(60)) {
  FakeTool tool(printed, end);
  return tool.Open(deadline)->Discover().status();
}

std::string Message(const absl::Status& status) { return std::string(status.message()); }

struct Saying {
  std::string_view text;
  int exit_status;
  DriverState state;
};

TEST(NpuSmiFailureTest, TheWordsOfTheToolAreToldApart) {
  constexpr Saying kSayings[] = {
      {"DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)\n"
       "dcmi module initialize failed. ret is -8005\n",
       187, DriverState::kInitFailed},
      {"dcmi model initialized failed, because the device is used. ret is -8020\n", 172,
       DriverState::kDeviceInUse},
      {"npu get board type failed. ret is -8008\n", 1, DriverState::kInitFailed},
      {"Failed to get card number.\n", 0, DriverState::kToolFailed},
      {"Failed to query card total info.\n", 0, DriverState::kToolFailed},
      {"Failed to get device type.\n", 0, DriverState::kToolFailed},
      {"There is no NPU card on this server.\n", 0, DriverState::kNoDevices},
      {"There is no NPU chip on this card.\n", 1, DriverState::kNoDevices},
      {"This command cannot be executed on a VM or container.\n", 0, DriverState::kToolFailed},
  };
  for (const Saying& saying : kSayings) {
    SCOPED_TRACE(saying.text);
    const absl::Status status =
        DiscoverWith(saying.text, fmt::format("exit {}", saying.exit_status));
    EXPECT_EQ(StateOf(status), saying.state);
    const std::vector<std::string> lines = Lines(std::string(saying.text));
    EXPECT_THAT(Message(status), HasSubstr(fmt::format("says \"{}\"", lines.back())));
    EXPECT_THAT(Message(status), HasSubstr("/npu-smi"));
  }
}

TEST(NpuSmiFailureTest, AFailureIsAFailureEvenWithATable) {
  const absl::Status status = DiscoverWith(Fixture("a3-24.1.txt"), "echo broken >&2; exit 3");
  EXPECT_EQ(StateOf(status), DriverState::kToolFailed);
  EXPECT_THAT(Message(status), HasSubstr("ended with status 3 and printed \"broken\""));
}

TEST(NpuSmiFailureTest, AMissingLibraryIsNamed) {
  const absl::Status status = DiscoverWith(
      "",
      "echo 'npu-smi: error while loading shared libraries: libdrv.so: cannot open' >&2; exit 127");
  EXPECT_EQ(StateOf(status), DriverState::kToolFailed);
  EXPECT_THAT(Message(status), HasSubstr("cannot load the library libdrv.so;"));
  EXPECT_THAT(Message(status), HasSubstr("LD_LIBRARY_PATH"));
  EXPECT_THAT(Message(DiscoverWith("", "nothing-of-this-name")), HasSubstr("127"));
}

TEST(NpuSmiFailureTest, GarbageIsQuotedOnOneShortPrintableLine) {
  const absl::Status status = DiscoverWith(
      fmt::format("\n\n  \x1b[31mhello\xff {}\nsecond", std::string(5000, 'x')), "exit 0");
  EXPECT_EQ(StateOf(status), DriverState::kToolFailed);
  EXPECT_THAT(Message(status), HasSubstr("printed \"?[31mhello? xxx"));
  EXPECT_THAT(Message(status), Not(HasSubstr("\n")));
  EXPECT_LT(status.message().size(), 400U);
  EXPECT_THAT(Message(DiscoverWith("", "exit 0")), HasSubstr("printed nothing"));
}

TEST(NpuSmiFailureTest, ATableWithoutAWholeChipOrAVersionIsNone) {
  EXPECT_THAT(
      Message(DiscoverWith("| npu-smi 24.1 Version: 24.1 |\n| 0 910B3 | OK | 1.0 40 |\n", "")),
      HasSubstr("without a whole chip: a chip without its second row: NPU 0 910B3"));
  EXPECT_EQ(StateOf(DiscoverWith(Fixture("910a-broken-no-header.txt"), "")),
            DriverState::kToolFailed);
  EXPECT_EQ(StateOf(DiscoverWith("| NPU ID | Name |\n", "")), DriverState::kToolFailed);
}

TEST(NpuSmiFailureTest, AHangingToolIsKilledAtItsDeadline) {
  FakeTool tool(Fixture("a3-24.1.txt"), "exec sleep 1000");
  const auto driver = tool.Open(milliseconds(200));
  const absl::Status status = driver->Discover().status();
  EXPECT_EQ(StateOf(status), DriverState::kToolFailed);
  EXPECT_THAT(Message(status), HasSubstr("did not end within 0.2 s and was killed"));
  EXPECT_EQ(driver->ReadHealth({6, 0}).status().code(), absl::StatusCode::kUnavailable);
}

TEST(NpuSmiFailureTest, EndlessOutputAndSignalsAreTold) {
  EXPECT_THAT(Message(DiscoverWith("", "exec yes")), HasSubstr("printed more than"));
  EXPECT_THAT(Message(DiscoverWith("", "kill -SEGV $$")), HasSubstr("ended by signal 11"));
}

TEST(NpuSmiFailureTest, AToolThatCannotBeStartedIsNamed) {
  FakeTool tool("");
  std::filesystem::remove(tool.tool());
  const absl::Status status = tool.Open()->Discover().status();
  EXPECT_EQ(StateOf(status), DriverState::kToolFailed);
  EXPECT_THAT(Message(status), HasSubstr("cannot start"));
}

TEST(NpuSmiFailureTest, ATextAfterTheTableIsNoFailure) {
  EXPECT_TRUE(DiscoverWith(Fixture("a3-24.1.txt") + "[WARNING]The driver package may be broken.\n",
                           "echo ret is -8005 >&2")
                  .ok());
}

}  // namespace
}  // namespace ascend::npu_smi

#include "hal/npu_smi/locate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hal/clock.h"
#include "hal/driver_state.h"
#include "hal/open.h"
#include "tests/hal/npu_smi/support.h"

namespace ascend::npu_smi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Message(const absl::Status& status) { return std::string(status.message()); }

TEST(NpuSmiLocateTest, LooksInTheFixedFoldersAndThenInPathOnce) {
  EXPECT_THAT(ToolCandidates("/opt/a:/usr/local/bin::relative:.:/opt/b"),
              ElementsAre("/usr/local/sbin/npu-smi", "/usr/local/bin/npu-smi", "/usr/sbin/npu-smi",
                          "/usr/bin/npu-smi", "/opt/a/npu-smi", "/opt/b/npu-smi"));
}

TEST(NpuSmiLocateTest, TakesTheFirstExecutableFile) {
  const TempFolder folder;
  WriteFile(folder / "a", "not executable");
  WriteScript(folder / "b", "exit 0");
  WriteScript(folder / "c", "exit 0");
  const std::vector<std::string> candidates = {"/nowhere/npu-smi", folder / "a", folder / "b",
                                               folder / "c"};
  const auto tool = LocateTool("", candidates);
  ASSERT_TRUE(tool.ok()) << tool.status().message();
  EXPECT_EQ(*tool, folder / "b");
}

TEST(NpuSmiLocateTest, NamesEveryPathThatItTried) {
  const TempFolder folder;
  WriteFile(folder / "npu-smi", "not executable");
  const std::vector<std::string> candidates = {"/nowhere/npu-smi", folder / "npu-smi"};
  const auto tool = LocateTool("", candidates);
  EXPECT_EQ(StateOf(tool.status()), DriverState::kToolNotFound);
  EXPECT_THAT(Message(tool.status()),
              HasSubstr(fmt::format("tried /nowhere/npu-smi, {} (not executable); install",
                                    candidates[1])));
}

TEST(NpuSmiLocateTest, AnExplicitPathIsTheOnlyOneTried) {
  const auto missing = OpenNpuSmi({.path = "/nowhere/npu-smi"}, RealClock());
  EXPECT_EQ(StateOf(missing.status()), DriverState::kToolNotFound);
  EXPECT_EQ(Message(missing.status()),
            "there is no npu-smi at /nowhere/npu-smi; correct its path or leave it out");
  EXPECT_THAT(Message(OpenNpuSmi({.path = "npu-smi"}, RealClock()).status()),
              HasSubstr("is not absolute"));
  EXPECT_THAT(Message(OpenNpuSmi({.path = "/etc/passwd"}, RealClock()).status()),
              HasSubstr("/etc/passwd is not an executable file"));
  EXPECT_THAT(Message(OpenNpuSmi({.path = "/etc"}, RealClock()).status()),
              HasSubstr("is not an executable file"));
}

TEST(NpuSmiLocateTest, OpeningDoesNotRunTheTool) {
  const TempFolder folder;
  WriteScript(folder / "npu-smi", fmt::format("echo run > {}", folder / "runs"));
  EXPECT_TRUE(OpenNpuSmi({.path = folder / "npu-smi"}, RealClock()).ok());
  EXPECT_FALSE(std::filesystem::exists(folder / "runs"));
}

}  // namespace
}  // namespace ascend::npu_smi

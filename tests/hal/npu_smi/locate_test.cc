#include "hal/npu_smi/locate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

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
  const auto tool = LocateTool("", candidates, false);
  ASSERT_TRUE(tool.ok()) << tool.status().message();
  EXPECT_EQ(*tool, folder / "b");
}

TEST(NpuSmiLocateTest, WhereItMustBeRootsAFileThatOthersCouldHaveWrittenIsPassedOver) {
  const TempFolder folder;  // in a folder that everyone may write
  WriteScript(folder / "npu-smi", "exit 0");
  const auto other = LocateTool("", std::vector<std::string>{folder / "npu-smi"}, true);
  EXPECT_EQ(StateOf(other.status()), DriverState::kToolNotFound);
  EXPECT_THAT(Message(other.status()), HasSubstr((folder / "npu-smi") + " ("));
  EXPECT_THAT(Message(other.status()), HasSubstr("is owned by uid "));
  EXPECT_THAT(Message(other.status()), HasSubstr("--npu-smi.path"));
  const std::vector<std::string> candidates = {folder / "npu-smi", "/usr/bin/env"};
  const auto roots = LocateTool("", candidates, true);
  ASSERT_TRUE(roots.ok()) << roots.status().message();
  EXPECT_EQ(*roots, "/usr/bin/env");
  EXPECT_TRUE(LocateTool(folder / "npu-smi", {}, true).ok()) << "a path that is named is trusted";
}

TEST(NpuSmiLocateTest, OnlyRootLooksWhoCouldHaveWrittenTheTool) {
  const TempFolder folder;
  WriteScript(folder / "npu-smi", "exit 0");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (folder / "").c_str(), 1);
  const auto driver = OpenNpuSmi({}, RealClock());
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(driver.ok(), ::geteuid() != 0) << driver.status().message();
}

TEST(NpuSmiLocateTest, NamesEveryPathThatItTried) {
  const TempFolder folder;
  WriteFile(folder / "npu-smi", "not executable");
  const std::vector<std::string> candidates = {"/nowhere/npu-smi", folder / "npu-smi"};
  const auto tool = LocateTool("", candidates, false);
  EXPECT_EQ(StateOf(tool.status()), DriverState::kToolNotFound);
  EXPECT_THAT(Message(tool.status()),
              HasSubstr(fmt::format("tried /nowhere/npu-smi, {} (not executable); install",
                                    candidates[1])));
}

TEST(NpuSmiLocateTest, AnExplicitPathIsTheOnlyOneTried) {
  const auto missing = OpenNpuSmi({.path = "/nowhere/npu-smi"}, RealClock());
  EXPECT_EQ(StateOf(missing.status()), DriverState::kToolNotFound);
  EXPECT_EQ(Message(missing.status()),
            "there is no npu-smi at /nowhere/npu-smi; correct --npu-smi.path or leave it out");
  EXPECT_EQ(Message(OpenNpuSmi({.path = "npu-smi"}, RealClock()).status()),
            "the path of npu-smi is not absolute: \"npu-smi\"; correct --npu-smi.path or leave it "
            "out");
  EXPECT_EQ(Message(OpenNpuSmi({.path = "/etc/passwd"}, RealClock()).status()),
            fmt::format("/etc/passwd is not an executable file (user id {}); correct "
                        "--npu-smi.path or leave it out",
                        ::geteuid()));
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

// What a child has when it starts.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/supervisor/stage.h"

namespace ascend::supervisor {
namespace {

using Numbers = std::vector<int>;
using Words = std::vector<std::string>;

std::string EnvironmentOf(const Actor& actor) {
  std::ifstream file("/proc/" + std::to_string(actor.pid()) + "/environ");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string CoreLimitOf(const Actor& actor) {
  std::ifstream file("/proc/" + std::to_string(actor.pid()) + "/limits");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Max core file size")) return line.substr(18);
  }
  return {};
}

std::string LinkOf(const Actor& actor, int fd) {
  return std::filesystem::read_symlink("/proc/" + std::to_string(actor.pid()) + "/fd/" +
                                       std::to_string(fd));
}

void ExpectClean(const Actor& actor, const Stage& stage) {
  EXPECT_EQ(actor.Status("SigBlk"), "0000000000000000");
  EXPECT_EQ(actor.Status("SigIgn"), "0000000000000000");
  EXPECT_EQ(actor.Status("PPid"), std::to_string(stage.pid()));
  EXPECT_EQ(LinkOf(actor, STDIN_FILENO), "/dev/null");
  EXPECT_EQ(CoreLimitOf(actor).find_first_not_of(' '), CoreLimitOf(actor).find('0'));
}

TEST(ChildrenTest, FrontHasItsDescriptorsAndNoOthers) {
  Stage stage({.dirty = true});
  const Actor front = stage.EnterFront();
  EXPECT_EQ(front.fd_numbers(), (Numbers{3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(front.arguments(), (Words{"--hosts="}));
  ExpectClean(front, stage);
}

TEST(ChildrenTest, HostHasItsDescriptorsAndNoOthers) {
  Stage stage({.dirty = true});
  Actor front = stage.EnterFront();
  const Actor host = stage.EnterHost(front, 2);
  EXPECT_EQ(host.fd_numbers(), (Numbers{3, 4, 6, 7}));
  EXPECT_EQ(host.arguments(), (Words{"--berth=2", "--generation=1"}));
  ExpectClean(host, stage);
  EXPECT_EQ(EnvironmentOf(host).find(kWriteSettingsVariable), std::string::npos);
}

TEST(ChildrenTest, ReaderHasItsDescriptorAndTheUsersArguments) {
  Stage stage({.dirty = true});
  const Actor front = stage.EnterFront();
  stage.Signal(SIGHUP);
  const Actor reader = stage.EnterReader();
  EXPECT_EQ(reader.fd_numbers(), (Numbers{kWriteSettingsFd}));
  EXPECT_EQ(reader.arguments(), (Words{"serve", "--some-flag=its value"}));
  EXPECT_NE(EnvironmentOf(reader).find("ASCEND_EXPORTER_WRITE_SETTINGS=3"), std::string::npos);
  ExpectClean(reader, stage);
}

TEST(ChildrenTest, SettingsCannotBeChangedByWhoReadsThem) {
  Stage stage;
  Actor front = stage.EnterFront();
  const Actor host = stage.EnterHost(front, 0);
  for (const int fd : {front.fd(kSettingsFd), host.fd(kSettingsFd)}) {
    char begin[6] = {};
    EXPECT_EQ(read(fd, begin, 5), 5);  // from offset 0
    EXPECT_STREQ(begin, "first");
    EXPECT_EQ(Content(fd), "first settings");
    EXPECT_EQ(pwrite(fd, "x", 1, 0), -1);
    EXPECT_EQ(ftruncate(fd, 0), -1);
    EXPECT_EQ(ftruncate(fd, 100), -1);
    EXPECT_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
  }
}

TEST(ChildrenTest, SharedMemoryCannotBeCutNorGrow) {
  Stage stage;
  Actor front = stage.EnterFront();
  const Actor host = stage.EnterHost(front, 0);
  for (const int fd : {host.fd(kBoardFd), host.fd(kHostBerthFd), front.fd(kFirstBerthFd + 3)}) {
    EXPECT_EQ(ftruncate(fd, 0), -1);
    EXPECT_EQ(errno, EPERM);
    EXPECT_EQ(ftruncate(fd, 1 << 20), -1);
    EXPECT_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
    EXPECT_EQ(pwrite(fd, "x", 1, 0), 1);
  }
  EXPECT_EQ(Content(front.fd(kBoardFd)).size(), kBoardBytes);
  EXPECT_EQ(Content(front.fd(kFirstBerthFd)).size(), kBerthBytes);
}

TEST(ChildrenTest, HostSharesTheBoardAndItsOwnBerthWithTheFront) {
  Stage stage;
  Actor front = stage.EnterFront();
  const Actor host = stage.EnterHost(front, 1);
  ASSERT_EQ(pwrite(host.fd(kBoardFd), "board", 5, 0), 5);
  ASSERT_EQ(pwrite(host.fd(kHostBerthFd), "berth", 5, 0), 5);
  EXPECT_EQ(Content(front.fd(kBoardFd)).substr(0, 5), "board");
  EXPECT_EQ(Content(front.fd(kFirstBerthFd + 1)).substr(0, 5), "berth");
  for (const int other : {0, 2, 3}) {
    EXPECT_EQ(Content(front.fd(kFirstBerthFd + other)), std::string(kBerthBytes, '\0'));
  }
}

}  // namespace
}  // namespace ascend::supervisor

// The memory that hosts and front share, as the supervisor makes it: nobody can take it away from
// under its readers.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exporter/border/berth.h"
#include "exporter/border/group_block.h"
#include "exporter/border/topology_record.h"
#include "exporter/supervisor/memory.h"

namespace ascend {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  const int fd_;
};

void ExpectFixedSize(int fd, off_t size) {
  EXPECT_NE(ftruncate(fd, size - 1), 0);
  EXPECT_EQ(errno, EPERM) << "a reader of what was cut would get SIGBUS";
  EXPECT_NE(ftruncate(fd, size + 4096), 0);
  EXPECT_EQ(errno, EPERM) << "memory without bound";
  EXPECT_NE(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), 0);
  EXPECT_EQ(errno, EPERM) << "whoever seals it keeps the others from writing";
}

TEST(SharedMemoryTest, ABerthCanNeitherBeCutNorGrowNorBeSealed) {
  const Descriptor memory(supervisor::MakeShared("berth", sizeof(Berth)));
  ASSERT_GE(memory.get(), 0);
  ExpectFixedSize(memory.get(), sizeof(Berth));
  const auto berth = MapBerth(memory.get());
  ASSERT_TRUE(berth.ok());
  ExpectFixedSize(memory.get(), sizeof(Berth));
}

TEST(SharedMemoryTest, FreshAndClearedMemoryIsAnEmptyBerth) {
  const Descriptor memory(supervisor::MakeShared("berth", sizeof(Berth)));
  const auto host = MapBerth(memory.get()), front = MapBerth(memory.get());
  ASSERT_TRUE(host.ok() && front.ok());
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(ReadTopology(*front));
    EXPECT_FALSE(ReadCrashNote((*front)->crash));
    for (const DeviceChannel& channel : (*front)->channels) {
      EXPECT_TRUE(channel.ring.empty());
      EXPECT_EQ(channel.call_number.load(), 0U);
    }
    ASSERT_TRUE(PushTopology({}, **host));
    ASSERT_TRUE(PushBlock(GroupBlock(), (*host)->channels[3].ring));
    (*host)->channels[5].call_number = 7;
    (*host)->crash.state = CrashNoteState::kComplete;
    EXPECT_TRUE(ReadTopology(*front));
    EXPECT_TRUE(ReadCrashNote((*front)->crash));
    EXPECT_FALSE((*front)->channels[3].ring.empty());
    ASSERT_TRUE(supervisor::Clear(memory.get(), sizeof(Berth)));
  }
}

TEST(SharedMemoryTest, WhatIsConstantCannotBeWritten) {
  constexpr char kContent[] = "settings";
  const Descriptor memory(supervisor::MakeConstant("settings", kContent, sizeof(kContent)));
  ASSERT_GE(memory.get(), 0);
  char read[sizeof(kContent)] = {};
  EXPECT_EQ(pread(memory.get(), read, sizeof(read), 0), static_cast<ssize_t>(sizeof(read)));
  EXPECT_STREQ(read, kContent);
  EXPECT_LT(pwrite(memory.get(), "x", 1, 0), 0);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(mmap(nullptr, sizeof(kContent), PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0),
            MAP_FAILED);
  ExpectFixedSize(memory.get(), sizeof(kContent));
}

TEST(SharedMemoryTest, WhatCannotBeMappedIsAnErrorThatNamesIt) {
  const Descriptor closed(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(MapBerth(closed.get()).ok());
  const auto board = MapBoard(closed.get());
  EXPECT_NE(board.status().message().find("board"), std::string::npos) << board.status().message();
}

}  // namespace
}  // namespace ascend

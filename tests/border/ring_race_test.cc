// The rings between threads and processes: what a producer does wrong, and nobody sleeps through
// news.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "exporter/border/berth.h"
#include "exporter/border/group_block.h"

namespace ascend {
namespace {

std::span<const std::byte> BytesOf(const std::uint64_t& number) {
  return std::as_bytes(std::span(&number, 1));
}

// Writes as a hostile process does, but only through atomics of 32 bits, so that the race is none
// by the language. The ring lies at the start of the channel.
class Scribbler {
 public:
  explicit Scribbler(RecordRing& ring) : words_(reinterpret_cast<std::uint32_t*>(&ring)) {}
  static constexpr std::size_t kHeadWords = (sizeof(RecordRing) - RecordRing::kBytes) / 4;

  void Scribble(std::mt19937_64& random) {
    const std::uint64_t roll = random();
    // The first words are the counts, behind them lie the places.
    const std::size_t word = roll % 4 == 0 ? (roll >> 8) % 6 : (roll >> 8) % kHeadWords;
    const auto value = static_cast<std::uint32_t>(roll >> 32);
    std::atomic_ref(words_[word]).store(roll % 3 == 0 ? value % 200'000 : value);
  }

 private:
  std::uint32_t* words_;
};

static_assert(std::atomic_ref<std::uint32_t>::is_always_lock_free);

TEST(RingRaceTest, AScribblingProducerMakesTheConsumerReadNonsenseAndNothingElse) {
  constexpr std::size_t kGuard = 64;
  const std::shared_ptr<Berth> berth = PrivateBerth();
  RecordRing& ring = berth->channels[0].ring;
  std::atomic<bool> done = false;
  std::jthread producer([&] {
    std::mt19937_64 random(5);
    Scribbler scribbler(ring);
    while (!done.load()) scribbler.Scribble(random);
  });
  std::vector<std::byte> out(kMaxBlockBytes + kGuard, std::byte{0x5a});
  GroupBlock block;
  for (int i = 0; i < 200'000; ++i) {
    const auto size = ring.Pop(std::span(out).first(kMaxBlockBytes));
    if (!size) continue;
    ASSERT_LE(*size, kMaxBlockBytes);
    if (ReadBlock(std::span(out).first(*size), block)) {
      ASSERT_LE(block.samples_used, GroupBlock::kMaxSamples);
    }
  }
  done.store(true);
  for (std::size_t i = kMaxBlockBytes; i < out.size(); ++i) ASSERT_EQ(out[i], std::byte{0x5a});
}

TEST(RingRaceTest, RecordsThatOverlapOrLieOutsideAreCopiesOfTheRingOrBroken) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  RecordRing& ring = berth->topology;
  const std::vector<std::byte> half(RecordRing::kBytes / 2, std::byte{1});
  ASSERT_TRUE(ring.Push({half}));
  std::vector<std::byte> out(half.size() - 1);
  EXPECT_EQ(ring.Pop(out), 0U) << "longer than there is room for";
  EXPECT_EQ(ring.Pop(out), std::nullopt);
}

// A wake-up that is lost makes the consumer sleep to its deadline, which no machine is slow enough
// to reach.
constexpr auto kNever = std::chrono::minutes(2);

// Takes `count` numbers off the ring, asleep while there are none. Returns how many were as
// expected; stops at the first that is not.
int TakeAll(RecordRing& ring, const std::shared_ptr<Board>& board, int count) {
  const std::unique_ptr<Alarm> alarm = MakeBellAlarm(board);
  int taken = 0;
  const auto take = [&] {
    std::uint64_t number = 0;
    bool any = false;
    while (ring.Pop(std::as_writable_bytes(std::span(&number, 1)))) {
      if (number != static_cast<std::uint64_t>(taken)) return std::optional<bool>();
      ++taken;
      any = true;
    }
    return std::optional(any);
  };
  while (taken < count) {
    board->bell.armed.store(0);
    std::optional<bool> news = take();
    if (news && !*news) {
      board->bell.armed.store(1);
      news = take();
      const Mono deadline = RealClock().Now() + kNever;
      if (news && !*news) alarm->WaitUntil(deadline);
      if (RealClock().Now() >= deadline) return taken;
    }
    if (!news) return taken;
  }
  return taken;
}

void GiveAll(RecordRing& ring, Bell& bell, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < count;) {
    // Now and then it lets the consumer fall asleep.
    if (random() % 8 == 0) {
      for (int spin = 0; spin < 50; ++spin) std::this_thread::yield();
    }
    const auto number = static_cast<std::uint64_t>(i);
    if (!ring.Push({BytesOf(number)})) {
      std::this_thread::yield();
      continue;
    }
    ++i;
    if (Knock(bell, false)) Wake(bell);
  }
}

TEST(BellTest, NoKnockOfAThreadIsSleptThrough) {
  constexpr int kRecords = 50'000;
  const std::shared_ptr<Berth> berth = PrivateBerth();
  const std::shared_ptr<Board> board = PrivateBoard();
  std::jthread producer([&] { GiveAll(berth->topology, board->bell, kRecords, 1); });
  EXPECT_EQ(TakeAll(berth->topology, board, kRecords), kRecords);
}

// The number of a file in memory, closed at the end.
class MemoryFile {
 public:
  explicit MemoryFile(std::size_t size) : fd_(memfd_create("border_test", MFD_CLOEXEC)) {
    EXPECT_EQ(ftruncate(fd_, static_cast<off_t>(size)), 0);
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  const int fd_;
};

TEST(BellTest, NoKnockOfAnotherProcessIsSleptThrough) {
  constexpr int kRecords = 50'000;
  const MemoryFile berth_file(sizeof(Berth)), board_file(sizeof(Board));
  const auto berth = MapBerth(berth_file.fd());
  const auto board = MapBoard(board_file.fd());
  ASSERT_TRUE(berth.ok() && board.ok());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Through a mapping of its own, as a host has.
    const auto own_berth = MapBerth(berth_file.fd());
    const auto own_board = MapBoard(board_file.fd());
    if (!own_berth.ok() || !own_board.ok()) _exit(1);
    GiveAll((*own_berth)->topology, (*own_board)->bell, kRecords, 2);
    _exit(0);
  }
  EXPECT_EQ(TakeAll((*berth)->topology, *board, kRecords), kRecords);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(BellTest, OnlyAnUrgentKnockWakesOneThatSleepsUntilATime) {
  Bell bell{};
  EXPECT_FALSE(Knock(bell, false));
  EXPECT_TRUE(Knock(bell, true));
  bell.armed.store(1);
  EXPECT_TRUE(Knock(bell, false));
  EXPECT_FALSE(Knock(bell, false)) << "once is enough";
}

TEST(BellTest, ARingBeforeTheSleepIsNotLost) {
  const std::shared_ptr<Board> board = PrivateBoard();
  const std::unique_ptr<Alarm> alarm = MakeBellAlarm(board);
  const Mono deadline = RealClock().Now() + kNever;
  alarm->Ring();
  alarm->WaitUntil(deadline);
  EXPECT_LT(RealClock().Now(), deadline);
}

TEST(BellTest, ATimeThatHasPassedIsNotWaitedFor) {
  const std::unique_ptr<Alarm> alarm = MakeBellAlarm(PrivateBoard());
  alarm->WaitUntil(Mono{});
  alarm->WaitUntil(Mono(std::chrono::seconds(-5)));
  EXPECT_GT(RealClock().Now(), Mono{});
}

}  // namespace
}  // namespace ascend

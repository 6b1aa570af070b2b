#include "hal/virtual_clock.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace ascend {
namespace {

using namespace std::chrono_literals;

TEST(VirtualClockTest, ThreadsRunInTheOrderOfTheirDeadlines) {
  VirtualClock clock;
  std::vector<std::string> order;  // only one participant runs at a time
  std::vector<std::jthread> threads;
  for (int period : {3, 2}) {
    threads.emplace_back([&, period, alarm = std::shared_ptr<Alarm>(clock.MakeAlarm()),
                          token = std::shared_ptr<Clock::Participant>(clock.Join())]() mutable {
      const Mono start = clock.Now();
      for (int tick = 1; tick <= 3; ++tick) {
        alarm->WaitUntil(start + tick * period * 1s);
        order.push_back(std::to_string(period) + "@" + std::to_string((clock.Now() - start) / 1s));
      }
      token.reset();
    });
  }
  clock.Advance(100s);
  threads.clear();
  EXPECT_EQ(order, (std::vector<std::string>{"2@2", "3@3", "2@4", "3@6", "2@6", "3@9"}));
}

TEST(VirtualClockTest, TimeStandsStillBetweenAdvances) {
  VirtualClock clock(absl::FromUnixSeconds(1000));
  const Mono start = clock.Now();
  clock.Advance(90min);
  EXPECT_EQ(clock.Now() - start, 90min);
  EXPECT_EQ(clock.Wall(), absl::FromUnixSeconds(1000 + 5400));
  clock.Settle();
  EXPECT_EQ(clock.Now() - start, 90min);
}

TEST(VirtualClockTest, RingWakesASleeperAtOnce) {
  VirtualClock clock;
  const std::shared_ptr<Alarm> alarm = clock.MakeAlarm();
  const Mono start = clock.Now();
  Mono woke{};
  std::jthread sleeper([&, token = std::shared_ptr<Clock::Participant>(clock.Join())]() mutable {
    alarm->WaitUntil(Mono::max());
    woke = clock.Now();
    token.reset();
  });
  clock.Advance(5s);
  alarm->Ring();
  clock.Settle();
  sleeper.join();
  EXPECT_EQ(woke - start, 5s);
}

TEST(VirtualClockTest, ARingBeforeTheWaitIsNotLost) {
  VirtualClock clock;
  const std::shared_ptr<Alarm> alarm = clock.MakeAlarm();
  alarm->Ring();
  std::jthread sleeper([&, token = std::shared_ptr<Clock::Participant>(clock.Join())]() mutable {
    alarm->WaitUntil(Mono::max());
    token.reset();
  });
  sleeper.join();
}

TEST(RealClockTest, AlarmEndsAtItsDeadlineAndWhenRung) {
  const std::unique_ptr<Alarm> alarm = RealClock().MakeAlarm();
  const Mono start = RealClock().Now();
  alarm->WaitUntil(start + 5ms);
  EXPECT_GE(RealClock().Now() - start, 5ms);
  std::jthread ringer([&] { alarm->Ring(); });
  alarm->WaitUntil(start + 1h);
  EXPECT_LT(RealClock().Now() - start, 1h);
}

}  // namespace
}  // namespace ascend

// Rules and settings by which the library is slow, hangs and makes calls wait for each other.
#include <gtest/gtest.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "machine_file.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::kInnerError;
using fake_dcmi::kNotSupported;
using fake_dcmi::kOk;
using fake_dcmi::MachineFile;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(30);
// What a call that does not wait needs by far not.
constexpr milliseconds kWouldBeOver{200};
const char* const kTemperatureOf3 = "dcmi_get_device_temperature 3/0";

// In degrees, or the code where it is not 0.
int Temperature(int card) {
  int degrees = 0;
  const int code = dcmi_get_device_temperature(card, 0, &degrees);
  return code == kOk ? degrees : code;
}

template <class Call>
auto InThread(Call call) {
  return std::async(std::launch::async, call);
}

template <class Claim>
bool BecomesTrue(Claim claim) {
  const auto limit = Clock::now() + kPatience;
  while (!claim() && Clock::now() < limit) std::this_thread::yield();
  return claim();
}

bool IsCalled(const MachineFile& machine, const std::string& name) {
  return BecomesTrue([&] { return machine.Count(name) > 0; });
}

template <class Call>
Clock::duration TimeOf(Call call) {
  const auto start = Clock::now();
  call();
  return Clock::now() - start;
}

milliseconds OwnCpuTime() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return milliseconds(used.tv_sec * 1000 + used.tv_nsec / 1'000'000);
}

TEST(FakeRecheckTest, AChangeIsSeenByTheNextCallOrSomeTimeLaterOrByTheNextStart) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  machine.Add("set 3 temperature 70");
  EXPECT_EQ(Temperature(3), 70);
  machine.Add("recheck 20");
  EXPECT_EQ(Temperature(3), 70);
  machine.Add("set 3 temperature 71");
  EXPECT_TRUE(BecomesTrue([] { return Temperature(3) == 71; }));
  machine.Add("recheck 600000");
  machine.Add("set 3 temperature 72");
  ASSERT_TRUE(BecomesTrue([] { return Temperature(3) == 72; }));
  machine.Add("set 3 temperature 73");
  EXPECT_EQ(Temperature(3), 72);
  EXPECT_EQ(dcmi_init(), kOk);
  EXPECT_EQ(Temperature(3), 73);
}

TEST(FakeHangTest, AHungCallAnswersWhenTheRuleIsGoneHoweverRarelyTheFileIsLookedAt) {
  const MachineFile machine("8x910b");
  machine.Add("recheck 600000");
  machine.Add("rule dcmi_get_device_temperature 3 hang");
  ASSERT_EQ(dcmi_init(), kOk);
  auto hung = InThread([] { return Temperature(3); });
  ASSERT_TRUE(IsCalled(machine, kTemperatureOf3));
  EXPECT_EQ(Temperature(2), 40);
  EXPECT_EQ(hung.wait_for(milliseconds(0)), std::future_status::timeout);
  machine.Remove("rule");
  EXPECT_EQ(hung.get(), 61);
}

TEST(FakeHangTest, StartAndEnumerationHangUntilTheirRulesAreGone) {
  int count = 0;
  int list[64] = {};
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  const auto hang = [&](const std::string& rule, auto call) {
    machine.Add("rule " + rule + " hang");
    auto hung = InThread(call);
    const std::string function = rule.substr(0, rule.find(' '));
    EXPECT_TRUE(IsCalled(machine, function)) << function;
    EXPECT_EQ(hung.wait_for(milliseconds(0)), std::future_status::timeout) << function;
    machine.Remove("rule");
    EXPECT_EQ(hung.get(), kOk) << function;
  };
  hang("dcmi_get_card_list *", [&] { return dcmi_get_card_list(&count, list, 64); });
  EXPECT_EQ(count, 8);
  hang("dcmi_get_device_num_in_card 3/*", [&] { return dcmi_get_device_num_in_card(3, &count); });
  EXPECT_EQ(count, 1);
  const MachineFile second("8x910b");
  second.Add("rule dcmi_init * hang");
  auto start = InThread([] { return dcmi_init(); });
  EXPECT_TRUE(IsCalled(second, "dcmi_init"));
  EXPECT_EQ(start.wait_for(milliseconds(0)), std::future_status::timeout);
  second.Remove("rule");
  EXPECT_EQ(start.get(), kOk);
}

TEST(FakeStartTest, StartAndEnumerationAreSlowAndErrAsTheirRulesSay) {
  const MachineFile machine("2x950");
  machine.Add("rule dcmiv2_init * slow 50");
  EXPECT_GE(TimeOf([] { EXPECT_EQ(dcmiv2_init(), kOk); }), milliseconds(50));
  machine.Add("rule dcmiv2_init * code -8005");
  machine.Add("rule dcmiv2_get_device_list * slow 30");
  machine.Add("rule dcmiv2_get_device_list * code -8255");
  EXPECT_EQ(dcmiv2_init(), kInnerError);
  int count = 0;
  int list[64] = {};
  EXPECT_GE(TimeOf([&] { EXPECT_EQ(dcmiv2_get_device_list(list, &count, 64), kNotSupported); }),
            milliseconds(30));
}

TEST(FakeCostTest, EveryCallTakesItsTimeAsleepOrAtWork) {
  const MachineFile machine("8x910b");
  machine.Add("cost 30000");
  const auto asleep = OwnCpuTime();
  EXPECT_GE(TimeOf([] { EXPECT_EQ(dcmi_init(), kOk); }), milliseconds(30));
  EXPECT_GE(TimeOf([] { EXPECT_EQ(Temperature(3), 61); }), milliseconds(30));
  EXPECT_LT(OwnCpuTime() - asleep, milliseconds(30));
  machine.Add("cost 30000 spin");
  const auto at_work = OwnCpuTime();
  // A call may lose the processor to others for a part of its time, but not always for most of it.
  EXPECT_TRUE(BecomesTrue([&] {
    EXPECT_GE(TimeOf([] { EXPECT_EQ(Temperature(3), 61); }), milliseconds(30));
    return OwnCpuTime() - at_work >= milliseconds(15);
  }));
}

TEST(FakeOneLockTest, CallsTakeTheirTimeOneAfterTheOther) {
  constexpr int kCalls = 4;
  const MachineFile machine("8x910b");
  machine.Add("one_lock");
  machine.Add("cost 20000");
  ASSERT_EQ(dcmi_init(), kOk);
  const auto taken = TimeOf([] {
    std::vector<std::jthread> threads;
    for (int card = 0; card < kCalls; ++card) {
      threads.emplace_back([card] { EXPECT_GT(Temperature(card), 0); });
    }
  });
  EXPECT_GE(taken, kCalls * milliseconds(20));
}

TEST(FakeOneLockTest, AHungCallOfOneDeviceHoldsUpAllOthers) {
  const MachineFile machine("8x910b");
  machine.Add("one_lock");
  ASSERT_EQ(dcmi_init(), kOk);
  machine.Add("rule dcmi_get_device_temperature 3 hang");
  auto hung = InThread([] { return Temperature(3); });
  ASSERT_TRUE(IsCalled(machine, kTemperatureOf3));  // counted when it has the lock
  int count = 0;
  int list[64] = {};
  auto other = InThread([] { return Temperature(2); });
  auto search = InThread([&] { return dcmi_get_card_list(&count, list, 64); });
  EXPECT_EQ(other.wait_for(kWouldBeOver), std::future_status::timeout);
  EXPECT_EQ(search.wait_for(milliseconds(0)), std::future_status::timeout);
  machine.Remove("rule");
  EXPECT_EQ(hung.get(), 61);
  EXPECT_EQ(other.get(), 40);
  EXPECT_EQ(search.get(), kOk);
}

}  // namespace

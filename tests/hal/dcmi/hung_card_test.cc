// A card that never says who it is does not hide the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "fake_machine.h"

namespace ascend {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Only something that is stuck takes so long.
constexpr seconds kLimit{60};

std::shared_ptr<NpuDriver> OpenPatient(const FakeMachine& machine, nanoseconds patience) {
  auto driver = OpenDcmi({.library = FakeMachine::Library(),
                          .allow_untrusted = true,
                          .sysfs = machine.sysfs(),
                          .hccn_path = machine.hccn_tool(),
                          .card_patience = patience},
                         RealClock());
  EXPECT_TRUE(driver.ok()) << driver.status();
  return driver.ok() ? *driver : nullptr;
}

std::vector<int> DevicesOf(const absl::StatusOr<Discovery>& found) {
  EXPECT_TRUE(found.ok()) << found.status();
  std::vector<int> devices;
  if (!found.ok()) return devices;
  for (const FoundDevice& device : found->devices) devices.push_back(device.device);
  return devices;
}

std::vector<std::string> ProblemsOf(const absl::StatusOr<Discovery>& found) {
  return found.ok() ? found->problems : std::vector<std::string>{found.status().ToString()};
}

template <class Condition>
bool ComesTrue(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

std::ptrdiff_t Threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

// A hang ends with its test, and so do the threads that it held, before the driver does.
class HungMachine : public FakeMachine {
 public:
  explicit HungMachine(const std::string& description = "8x910b") : FakeMachine(description) {}
  ~HungMachine() { Release(); }

  std::shared_ptr<NpuDriver> Open(nanoseconds patience = seconds(1)) {
    return driver_ = OpenPatient(*this, patience);
  }

  void Release() {
    for (const char* rule : {"rule dcmi_get", "rule dcmiv2_get", "rule *"}) Remove(rule);
    EXPECT_TRUE(HoldsAtMost(0));
  }
  // A thread that has been joined may be seen for a moment more.
  [[nodiscard]] bool HoldsAtMost(int threads) const {
    return ComesTrue([&] { return Threads() <= threads_ + threads; });
  }

 private:
  static std::ptrdiff_t ThreadsAtStart() {
    std::thread([] {}).join();  // with the first one a sanitizer starts one of its own
    return Threads();
  }

  std::shared_ptr<NpuDriver> driver_;
  const std::ptrdiff_t threads_ = ThreadsAtStart();
};

struct HangingCall {
  const char* machine;
  const char* function;
  const char* target;
  const char* problem;
  std::vector<int> others;
};

class DcmiHungCardTest : public testing::TestWithParam<HangingCall> {};

TEST_P(DcmiHungCardTest, IsLeftOutAndNamedAndFoundOnceItsCallHasReturned) {
  const HangingCall& hanging = GetParam();
  HungMachine machine(hanging.machine);
  const auto driver = machine.Open();
  machine.Add(std::string("rule ") + hanging.function + " " + hanging.target + " hang");
  const auto found = driver->Discover();
  EXPECT_EQ(DevicesOf(found), hanging.others);
  EXPECT_THAT(ProblemsOf(found),
              ElementsAre(std::string(hanging.problem) + ": " + hanging.function +
                          " has not returned after 1 s; it is left out"));
  machine.Release();
  const auto after = driver->Discover();
  EXPECT_THAT(DevicesOf(after), SizeIs(hanging.others.size() + 1));
  EXPECT_THAT(ProblemsOf(after), IsEmpty());
}

const std::vector<int> kAllButThree = {0, 1, 2, 4, 5, 6, 7};

INSTANTIATE_TEST_SUITE_P(
    Calls, DcmiHungCardTest,
    testing::Values(
        HangingCall{"8x910b", "dcmi_get_device_num_in_card", "3/*", "card 3", kAllButThree},
        HangingCall{"8x910b", "dcmi_get_device_type", "3", "card 3", kAllButThree},
        HangingCall{"8x910b", "dcmi_get_device_logic_id", "3", "card 3", kAllButThree},
        HangingCall{"8x910b", "dcmi_get_device_phyid_from_logicid", "3", "card 3", kAllButThree},
        HangingCall{"2x950", "dcmiv2_get_device_type", "0", "device 0", {1}},
        HangingCall{"2x950", "dcmiv2_get_chip_phy_id_by_dev_id", "1", "device 1", {0}}),
    [](const auto& test) { return std::string(test.param.function); });

TEST(DcmiHungCardsTest, SeveralCardsThatHangAreWaitedForTogether) {
  HungMachine machine;
  const auto driver = machine.Open(seconds(2));
  for (const char* card : {"0", "1", "2", "4", "5", "6"}) {
    machine.Add(std::string("rule dcmi_get_device_logic_id ") + card + " hang");
  }
  const auto start = std::chrono::steady_clock::now();
  const auto found = driver->Discover();
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(2 * 6));
  EXPECT_THAT(DevicesOf(found), ElementsAre(3, 7));
  EXPECT_THAT(ProblemsOf(found), SizeIs(6));
}

TEST(DcmiHungCardsTest, ADeviceThatWasKnownStaysWhenItsCardHangsLater) {
  HungMachine machine;
  const auto driver = machine.Open();
  const auto before = driver->Discover();
  ASSERT_THAT(DevicesOf(before), SizeIs(8));
  machine.Add("rule dcmi_get_device_num_in_card 3/* hang");
  for (int search = 0; search < 3; ++search) {
    const auto found = driver->Discover();
    EXPECT_EQ(DevicesOf(found), DevicesOf(before));
    EXPECT_THAT(ProblemsOf(found), ElementsAre("card 3: dcmi_get_device_num_in_card has not "
                                               "returned after 1 s; it is taken to be as before"));
  }
}

TEST(DcmiHungCardsTest, AHundredSearchesLeaveOneThreadBehindAndAskOnce) {
  HungMachine machine;
  const auto driver = machine.Open(seconds(3));
  machine.Add("rule dcmi_get_device_logic_id 3 hang");
  const auto first = driver->Discover();
  EXPECT_TRUE(machine.HoldsAtMost(1));
  const auto start = std::chrono::steady_clock::now();
  for (int search = 1; search < 100; ++search) {
    const auto found = driver->Discover();
    ASSERT_EQ(DevicesOf(found), kAllButThree);
    ASSERT_EQ(ProblemsOf(found), ProblemsOf(first));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(99 * 3)) << "waited again";
  EXPECT_TRUE(machine.HoldsAtMost(1));
  EXPECT_EQ(machine.Calls("dcmi_get_device_logic_id 3/0"), 1);
  EXPECT_EQ(machine.Calls("dcmi_get_device_logic_id 4/0"), 100);
}

TEST(DcmiHungCardsTest, AnAnswerThatComesTooLateCountsForTheNextSearchOnly) {
  HungMachine machine;
  const auto driver = machine.Open();
  machine.Add("rule dcmi_get_device_logic_id 3 hang");
  EXPECT_EQ(DevicesOf(driver->Discover()), kAllButThree);
  machine.Release();
  EXPECT_THAT(DevicesOf(driver->Discover()), SizeIs(8));
  EXPECT_EQ(machine.Calls("dcmi_get_device_logic_id 3/0"), 1);
  machine.Add("rule dcmi_get_device_logic_id 3 code -8005");
  EXPECT_EQ(DevicesOf(driver->Discover()), kAllButThree);
  EXPECT_EQ(machine.Calls("dcmi_get_device_logic_id 3/0"), 2);
}

TEST(DcmiHungCardsTest, WhereNoCardAnswersTheSearchGoesOn) {
  HungMachine machine;
  const auto driver = machine.Open(milliseconds(20));
  machine.Add("rule dcmi_get_device_num_in_card * hang");
  auto search = std::async(std::launch::async, [&] { return driver->Discover(); });
  EXPECT_EQ(search.wait_for(seconds(1)), std::future_status::timeout);
  machine.Release();
  EXPECT_TRUE(search.get().ok());
  EXPECT_THAT(DevicesOf(driver->Discover()), SizeIs(8));
}

TEST(DcmiHungCardsTest, SlowCardsAreAllFoundHoweverLongTheyTakeTogether) {
  HungMachine machine;
  const auto driver = machine.Open(milliseconds(1500));
  machine.Add("one_lock");
  machine.Add("rule dcmi_get_device_logic_id * slow 300");
  const auto found = driver->Discover();
  EXPECT_THAT(DevicesOf(found), SizeIs(8));
  EXPECT_THAT(ProblemsOf(found), IsEmpty());
}

TEST(DcmiHungCardsTest, TheCallMayReturnAfterItsDriverIsGone) {
  HungMachine machine;
  const auto other = machine.Open();
  auto driver = OpenPatient(machine, seconds(1));
  machine.Add("rule dcmi_get_device_logic_id 3 hang");
  EXPECT_EQ(DevicesOf(driver->Discover()), kAllButThree);
  driver = nullptr;
  machine.Release();
  EXPECT_THAT(DevicesOf(other->Discover()), SizeIs(8));
}

TEST(DcmiHungCardsTest, TheOthersAreStillReadWhileOneHangs) {
  HungMachine machine;
  const auto driver = machine.Open();
  machine.Add("rule * 3 hang");
  EXPECT_EQ(DevicesOf(driver->Discover()), kAllButThree);
  EXPECT_TRUE(driver->ReadTemperature({4, 0}).ok());
}

}  // namespace
}  // namespace ascend

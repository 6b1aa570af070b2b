// Devices do not wait for each other.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "fake_machine.h"

namespace ascend {
namespace {

using std::chrono::seconds;

TEST(DcmiConcurrencyTest, ADeviceThatHangsDoesNotHoldUpAnother) {
  FakeMachine machine;
  const auto driver = machine.Open();
  machine.Add("rule dcmi_get_device_temperature 0 hang");
  auto hung = std::async(std::launch::async, [&] { return driver->ReadTemperature({0, 0}); });
  while (machine.Calls("dcmi_get_device_temperature 0/0") == 0) std::this_thread::yield();
  for (int card = 1; card < 8; ++card) {
    EXPECT_TRUE(driver->ReadTemperature({card, 0}).ok());
    EXPECT_TRUE(driver->ReadUtilization({card, 0}).ok());
  }
  EXPECT_EQ(hung.wait_for(seconds(0)), std::future_status::timeout);
  machine.Remove("rule");
  EXPECT_EQ(hung.get()->chip, Celsius{43});
}

TEST(DcmiConcurrencyTest, ASlowDeviceDoesNotSlowAnother) {
  FakeMachine machine;
  const auto driver = machine.Open();
  machine.Add("rule * 0 slow 1000");
  const auto start = std::chrono::steady_clock::now();
  auto slow = std::async(std::launch::async, [&] {
    const bool ok = driver->ReadHealth({0, 0}).ok();
    return std::pair(ok, std::chrono::steady_clock::now());
  });
  EXPECT_TRUE(driver->ReadHealth({1, 0}).ok());
  const auto others_end = std::chrono::steady_clock::now();
  const auto [ok, slow_end] = slow.get();
  EXPECT_TRUE(ok);
  EXPECT_GE(slow_end - start, seconds(1));
  EXPECT_LT(others_end, slow_end);
}

TEST(DcmiConcurrencyTest, AllDevicesAreReadAtOnce) {
  FakeMachine machine("16x910c");
  const auto driver = machine.Open();
  std::vector<std::jthread> threads;
  std::atomic<int> failures{0};
  for (int card = 0; card < 8; ++card) {
    for (int chip = 0; chip < 2; ++chip) {
      threads.emplace_back([&, at = DeviceAddress{card, chip}] {
        for (int i = 0; i < 20; ++i) {
          const bool ok = driver->ReadUtilization(at).ok() && driver->ReadHbm(at).ok() &&
                          driver->ReadEcc(at).ok() && driver->ReadIdentity(at).ok();
          failures += ok ? 0 : 1;
        }
      });
    }
  }
  EXPECT_TRUE(driver->Discover().ok());
  threads.clear();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(machine.Calls("dcmi_get_device_hbm_info 7/1"), 20);
  EXPECT_EQ(machine.Calls("dcmi_get_device_ecc_info 7/1"), 20 + 3);
}

}  // namespace
}  // namespace ascend

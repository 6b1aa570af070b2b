// Faults: what is active, what the library reports by itself, what codes mean.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "chip.h"

namespace ascend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class DcmiFaultsTest : public DcmiChipTest {
 protected:
  DcmiFaultsTest() {
    machine_.SendEvents();
    driver_ = machine_.Open();
  }
  // The events of the device until there are as many as that; the library looks every few
  // milliseconds for new ones.
  std::vector<std::uint32_t> Events(std::size_t count) {
    std::vector<std::uint32_t> events;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (events.size() < count && std::chrono::steady_clock::now() < deadline) {
      const auto reading = driver_->ReadFaults(at());
      EXPECT_TRUE(reading.ok()) << reading.status();
      if (!reading.ok()) break;
      events.insert(events.end(), reading->events.begin(), reading->events.end());
      std::this_thread::yield();
    }
    return events;
  }
  void Event(const char* code, int assertion) {
    machine_.Add(fmt::format("event 5 {} {}", code, assertion));
  }
  // Has the library look at the file: what is sent after the last event is sent after all before.
  void Fence() {
    Event("0xF000000F", 1);
    EXPECT_THAT(Events(1), ElementsAre(0xF000000F));
  }
};
INSTANTIATE_TEST_SUITE_P(Interfaces, DcmiFaultsTest, testing::Values(1, 2), NameOfInterface);

TEST_P(DcmiFaultsTest, WhatBeginsAndWhatHappensIsAnEventAndARecoveryIsNone) {
  ASSERT_TRUE(driver_->Discover().ok());
  Event("0x80E01801", 1);
  Event("0x80E01802", 2);
  Event("0x80E01803", 0);
  EXPECT_THAT(Events(2), testing::UnorderedElementsAre(0x80E01801, 0x80E01802));
  Fence();
  EXPECT_THAT(driver_->ReadFaults(at())->events.items(), IsEmpty()) << "each is told once";
}

TEST_P(DcmiFaultsTest, AFaultTwiceIsTwoEvents) {
  ASSERT_TRUE(driver_->Discover().ok());
  Event("0x80E01801", 2);
  EXPECT_THAT(Events(1), SizeIs(1));
  Event("0x80E01801", 2);
  EXPECT_THAT(Events(1), SizeIs(1));
}

TEST_P(DcmiFaultsTest, EventsBelongToTheirDevice) {
  machine_.Add("chip 2 7 0 5");  // its physical id is the logic id of the other and the other way
  driver_ = machine_.Open();
  ASSERT_TRUE(driver_->Discover().ok());
  machine_.Add("event 2 0x80E01805 1");
  const DeviceAddress other = second() ? DeviceAddress{5, 0} : DeviceAddress{7, 0};
  while (driver_->ReadFaults(other)->events.empty()) std::this_thread::yield();
  EXPECT_THAT(driver_->ReadFaults(at())->events.items(), IsEmpty());
  Fence();
}

TEST_P(DcmiFaultsTest, NoMoreEventsAreKeptThanAReadingHolds) {
  ASSERT_TRUE(driver_->Discover().ok());
  std::string lines;
  for (int i = 1; i <= 200; ++i) lines += fmt::format("event 5 {:#x} 1\n", 0x1000 + i);
  machine_.Add(lines + "event 5 0x999 0");
  EXPECT_THAT(Events(128), testing::Each(testing::Lt(0x1000U + 201)));
}

TEST_P(DcmiFaultsTest, IsSubscribedOnceForAllDevices) {
  machine_.Add("chip 6 7 0 1");
  const int before = machine_.Calls(Named("subscribe_fault_event"));
  driver_ = machine_.Open();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(driver_->ReadFaults(at()).ok());
  EXPECT_EQ(machine_.Calls(Named("subscribe_fault_event")), before + 1);
}

TEST_P(DcmiFaultsTest, ALibraryThatSendsEventsStaysLoadedAndMaySendThemWithoutADriver) {
  const std::string path = FakeMachine::Library();
  driver_.reset();
  void* loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(loaded, nullptr);
  dlclose(loaded);
  Event("0x80E01801", 1);
  driver_ = machine_.Open();
  ASSERT_TRUE(driver_->Discover().ok());
  Event("0x80E01802", 1);
  const auto events = Events(1);
  EXPECT_EQ(events.back(), 0x80E01802) << "a later driver goes on with the subscription";
}

TEST_P(DcmiFaultsTest, WithoutEventsTheActiveFaultsAreStillRead) {
  Set("faults 0x80E01801");
  Rule(Named("subscribe_fault_event") + " * code -8255");
  const auto reading = machine_.Open()->ReadFaults(at());
  ASSERT_TRUE(reading.ok()) << reading.status();
  EXPECT_THAT(reading->active.items(), ElementsAre(0x80E01801));
}

TEST_P(DcmiFaultsTest, ReadsAll128Codes) {
  std::string key = "faults";
  for (int i = 0; i < 128; ++i) key += fmt::format(" {:#x}", 0x80E00000 + i % 100);
  Set(key);
  const auto reading = driver_->ReadFaults(at());
  ASSERT_TRUE(reading.ok()) << reading.status();
  EXPECT_THAT(reading->active.items(), SizeIs(128));
  EXPECT_EQ(reading->active[127], 0x80E0001BU);
}

TEST_P(DcmiFaultsTest, ACodeIsAskedForItsTextAndSeverityOnce) {
  Set("fault.80E01801 2 HBM%20multi%20bit%20ecc%20error");
  Set("fault.80E01802 0 one%20that%20is%20not%20active");
  Set("faults 0x80E01801 0x80E01803");
  const FaultDetail expected{FaultSeverity::kMajor, "HBM multi bit ecc error"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(driver_->DetailOf(at(), 0x80E01801), expected);
    EXPECT_EQ(driver_->DetailOf(at(), 0x80E01802),
              (FaultDetail{FaultSeverity::kUnknown, "one that is not active"}));
    EXPECT_EQ(driver_->DetailOf(at(), 0x80E01803), (FaultDetail{FaultSeverity::kMinor, ""}));
  }
  EXPECT_EQ(machine_.Calls(second() ? "dcmiv2_get_device_error_info"
                                    : "dcmi_get_device_errorcode_string"),
            3);
  EXPECT_EQ(machine_.Calls(Named("get_device_current_fault_event")), 3);
}

TEST_P(DcmiFaultsTest, EverySeverityIsTold) {
  const std::array severities = {FaultSeverity::kWarning, FaultSeverity::kMinor,
                                 FaultSeverity::kMajor, FaultSeverity::kCritical,
                                 FaultSeverity::kUnknown};
  Set("faults 0xA0 0xA1 0xA2 0xA3 0xA4");
  for (unsigned i = 0; i < severities.size(); ++i) {
    Set(fmt::format("fault.{:08X} {} text", 0xA0 + i, i));
    EXPECT_EQ(driver_->DetailOf(at(), 0xA0 + i).severity, severities[i]) << i;
  }
}

TEST_P(DcmiFaultsTest, ADetailThatFailsForOnceIsAskedAgain) {
  Set("fault.80E01801 3 text");
  Set("faults 0x80E01801");
  Rule(Named("get_device_current_fault_event") + " * code -8006");
  EXPECT_EQ(driver_->DetailOf(at(), 0x80E01801).severity, FaultSeverity::kUnknown);
  Rule(Named("get_device_current_fault_event") + " * code 0");
  EXPECT_EQ(driver_->DetailOf(at(), 0x80E01801).severity, FaultSeverity::kCritical);
}

TEST_P(DcmiFaultsTest, ATextWithoutAnEndIsBounded) {
  Set("fault.80E01801 3 text");
  Rule("* * text error_info " + std::string(300, 'x'));
  EXPECT_EQ(driver_->DetailOf(at(), 0x80E01801).description.view(), std::string(255, 'x'));
}

TEST_P(DcmiFaultsTest, KeepsABoundedNumberOfDetails) {
  Set("fault.00000001 3 text");
  for (std::uint32_t code = 1; code <= 1100; ++code) driver_->DetailOf(at(), code);
  const char* text = second() ? "dcmiv2_get_device_error_info" : "dcmi_get_device_errorcode_string";
  EXPECT_EQ(machine_.Calls(text), 1100);
  driver_->DetailOf(at(), 1100);
  EXPECT_EQ(machine_.Calls(text), 1100);
  driver_->DetailOf(at(), 1);
  EXPECT_EQ(machine_.Calls(text), 1101);
}

}  // namespace
}  // namespace ascend

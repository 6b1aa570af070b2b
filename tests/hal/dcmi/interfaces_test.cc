// Which of the library's two interfaces serves, and how devices are numbered in the second.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fake_machine.h"
#include "hal/driver_state.h"

namespace ascend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

// Two chips whose physical and logic ids, cards and device ids all differ.
class Machine950 : public FakeMachine {
 public:
  Machine950() : FakeMachine("") {
    Add("generation 2");
    Add("driver_version 25.5");
    Add("driver_health 1");
    Add("chip 9 3 1 2");
    Add("chip 8 4 1 1");
    Add("set 9 chip_name Ascend950PR");
    Add("set 9 temperature 41");
    Add("set 8 temperature 42");
  }
};

TEST(DcmiInterfaceTest, TheSecondServesWhereTheFirstRefusesTheChips) {
  Machine950 machine;
  const auto driver = machine.Open();
  EXPECT_EQ(machine.Calls("dcmi_init"), 1);
  EXPECT_EQ(machine.Calls("dcmiv2_init"), 1);
  const auto found = driver->Discover();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(found->devices, ElementsAre(FoundDevice{{2, 0}, 9, 2}, FoundDevice{{1, 0}, 8, 1}));
  EXPECT_THAT(found->problems, IsEmpty());
  EXPECT_EQ(found->info.backend, "dcmi");
  EXPECT_EQ(found->info.device_id_source, "phy_id");
  EXPECT_EQ(found->info.driver_version, "25.5");
  EXPECT_EQ(found->driver_health, Health::kWarning);
  EXPECT_EQ(driver->ReadTemperature({2, 0})->chip, Celsius{41});
  EXPECT_EQ(driver->ReadTemperature({1, 0})->chip, Celsius{42});
  EXPECT_EQ(driver->ReadIdentity({2, 0})->family, ChipFamily::k950);
}

TEST(DcmiInterfaceTest, TheFirstIsNotGivenUpForOtherFailures) {
  FakeMachine machine;
  machine.Add("rule dcmi_init * code -8005");
  EXPECT_FALSE(machine.TryOpen().ok());
  EXPECT_EQ(machine.Calls("dcmiv2_init"), 0);
}

TEST(DcmiInterfaceTest, WhereBothRefuseTheChipsTheErrorSaysWhatTheyNeed) {
  FakeMachine machine;
  machine.Add("rule dcmi_init * code -8255");
  machine.Add("rule dcmiv2_init * code -8255");
  const absl::Status status = machine.TryOpen().status();
  EXPECT_EQ(StateOf(status), DriverState::kInitFailed);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr("dcmiv2_init: -8255"), HasSubstr("950")));
}

TEST(DcmiInterfaceTest, AnOldLibraryHasOnlyTheFirst) {
  FakeMachine machine;
  machine.Add("rule dcmi_init * code -8255");
  EXPECT_THAT(MessageOf(machine.TryOpen("old").status()),
              AllOf(HasSubstr("dcmi_init: -8255"), HasSubstr("needs one that has dcmiv2_init")));
}

TEST(DcmiInterfaceTest, ErrorsNameTheFunctionThatWasCalled) {
  Machine950 machine;
  machine.Add("rule dcmiv2_get_device_temperature * code -8006");
  const auto driver = machine.Open();
  EXPECT_EQ(MessageOf(driver->ReadTemperature({2, 0}).status()),
            "dcmiv2_get_device_temperature: -8006 (time out)");
  machine.Add("rule dcmiv2_get_device_list * code -8020");
  const absl::Status status = driver->Discover().status();
  EXPECT_EQ(StateOf(status), DriverState::kDeviceInUse);
  EXPECT_THAT(MessageOf(status), HasSubstr("dcmiv2_get_device_list: -8020"));
}

TEST(DcmiInterfaceTest, WhatTheSecondLacksIsLacking) {
  Machine950 machine;
  machine.Add("set 9 ddr 1 1 1 1 1");
  machine.Add("set 9 dvpp 1 2 3 4 5");
  machine.Add("set 9 fans 1");
  machine.Add("set 9 card_power 100");
  const auto driver = machine.Open();
  const DeviceAddress at{2, 0};
  EXPECT_EQ(driver->ReadDdr(at).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver->ReadMedia(at).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver->ReadFans(at).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver->ReadCardPower(at).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver->ReadHccsBandwidth(at, nanoseconds(1)).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(DcmiInterfaceTest, TheSecondIdentifiesAChipByItsOwnDie) {
  Machine950 machine;
  machine.Add("set 9 die 1 2 3 4 5");
  machine.Add("set 9 serial 2102");
  machine.Add("set 9 model M");
  machine.Add("set 9 pcie 0 0xc1 0 0");
  machine.Add("set 9 firmware 7.1");
  machine.Add("rule dcmiv2_get_device_die_id:1 * code -8255");
  const auto identity = machine.Open()->ReadIdentity({2, 0});
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->die_id.view(), "00000001-00000002-00000003-00000004-00000005");
  EXPECT_EQ(identity->serial.view(), "2102");
  EXPECT_EQ(identity->model.view(), "M");
  EXPECT_EQ(identity->pci_address.view(), "0000:c1:00.0");
  EXPECT_EQ(identity->firmware_version.view(), "7.1");
}

TEST(DcmiInterfaceTest, AFailingDeviceOfTheSecondLeavesTheOthers) {
  for (const char* rule : {"rule dcmiv2_get_device_type 9 code -8012",
                           "rule dcmiv2_get_chip_phy_id_by_dev_id 9 code -8005",
                           "rule dcmiv2_get_device_type 9 value 1"}) {
    SCOPED_TRACE(rule);
    Machine950 machine;
    const auto driver = machine.Open();
    ASSERT_TRUE(driver->Discover().ok());
    machine.Add(rule);
    const auto found = driver->Discover();
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_THAT(found->devices, ElementsAre(FoundDevice{{1, 0}, 8, 1}));
  }
}

TEST(DcmiInterfaceTest, ImpossibleListsOfTheSecondAreErrors) {
  Machine950 machine;
  const auto driver = machine.Open();
  for (const char* count : {"-1", "257", "2147483647"}) {
    machine.Add(std::string("rule dcmiv2_get_device_list * value device_cnt ") + count);
    EXPECT_EQ(StateOf(driver->Discover().status()), DriverState::kInitFailed) << count;
  }
  machine.Add("rule dcmiv2_get_device_list * value device_cnt 0");
  const absl::Status status = driver->Discover().status();
  EXPECT_EQ(StateOf(status), DriverState::kNoDevices);
  EXPECT_THAT(MessageOf(status), HasSubstr("dcmiv2_get_device_list lists 0 devices"));
}

TEST(DcmiDriverHealthTest, IsTheDriversAndAbsentWhereItIsNotTold) {
  FakeMachine machine("");
  machine.Add("chip 0 0 0 0");
  const auto driver = machine.Open();
  EXPECT_FALSE(driver->Discover()->driver_health);
  EXPECT_FALSE(driver->Discover()->driver_health);
  EXPECT_EQ(machine.Calls("dcmi_get_driver_health"), 1) << "what is lacking is asked once";
  const auto told = machine.Open();
  for (const auto& [raw, health] :
       {std::pair("0", Health::kOk), std::pair("1", Health::kWarning),
        std::pair("2", Health::kAlarm), std::pair("3", Health::kCritical),
        std::pair("4", Health::kUnknown), std::pair("77", Health::kUnknown)}) {
    machine.Add(std::string("driver_health ") + raw);
    EXPECT_EQ(told->Discover()->driver_health, health) << raw;
  }
  machine.Add("rule dcmi_get_driver_health * code -8006");
  const auto failing = told->Discover();
  EXPECT_FALSE(failing->driver_health);
  EXPECT_THAT(failing->problems, IsEmpty()) << "nothing is wrong with the list of devices";
}

}  // namespace
}  // namespace ascend

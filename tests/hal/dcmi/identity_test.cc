#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fake_machine.h"

namespace ascend {
namespace {

constexpr DeviceAddress kFirst{0, 0};

DeviceIdentity IdentityOf(const FakeMachine& machine, DeviceAddress at = kFirst,
                          const char* variant = "") {
  const auto identity = machine.Open(variant)->ReadIdentity(at);
  EXPECT_TRUE(identity.ok()) << identity.status();
  return identity.value_or(DeviceIdentity());
}

TEST(DcmiIdentityTest, TextWithoutAnEndIsBoundedByItsField) {
  FakeMachine machine;
  // The field behind the serial number is the end of the struct, that behind the name the version.
  machine.Add("rule dcmi_get_card_elabel_v2 0/* text serial_number " + std::string(256, 'S'));
  machine.Add("rule dcmi_get_card_elabel_v2 0/* text model " + std::string(256, 'M'));
  machine.Add("rule dcmi_get_card_elabel_v2 0/* text product_name " + std::string(256, 'P'));
  machine.Add("rule dcmi_get_device_chip_info_v2 0 text chip_name 910B3" + std::string(27, 'x'));
  machine.Add("rule dcmi_get_device_component_static_version 0 text version_str " +
              std::string(64, '7'));
  const DeviceIdentity identity = IdentityOf(machine);
  EXPECT_EQ(identity.serial.view(), std::string(63, 'S'));
  EXPECT_EQ(identity.model.view(), std::string(63, 'M'));
  EXPECT_EQ(identity.product.view(), std::string(63, 'P'));
  EXPECT_EQ(identity.chip_name.view(), "910B3" + std::string(26, 'x'));
  EXPECT_EQ(identity.firmware_version.view(), std::string(63, '7'));
  EXPECT_EQ(identity.family, ChipFamily::k910B);
}

TEST(DcmiIdentityTest, TextIsTrimmedAndNaIsEmpty) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_card_elabel_v2 0/* text serial_number %20%09210%2055%20%20%0a");
  machine.Add("rule dcmi_get_card_elabel_v2 0/* text model NA");
  machine.Add("rule dcmi_get_card_elabel_v2 0/* text product_name %20%20");
  const DeviceIdentity identity = IdentityOf(machine);
  EXPECT_EQ(identity.serial.view(), "210 55");
  EXPECT_TRUE(identity.model.empty());
  EXPECT_TRUE(identity.product.empty());
}

TEST(DcmiIdentityTest, BytesThatAreNoUtf8GetThroughUnharmed) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_card_elabel_v2 0/* text serial_number %ff21%fe");
  EXPECT_EQ(IdentityOf(machine).serial.view(),
            "\xff"
            "21\xfe");
}

TEST(DcmiIdentityTest, AnOldLibraryNamesTheChipByTheOlderCall) {
  FakeMachine machine;
  const DeviceIdentity identity = IdentityOf(machine, kFirst, "old");
  EXPECT_EQ(identity.chip_name.view(), "910B3");
  EXPECT_EQ(identity.family, ChipFamily::k910B);
  EXPECT_TRUE(identity.serial.empty());
  EXPECT_TRUE(identity.pci_address.empty());
}

TEST(DcmiIdentityTest, TheOlderCallServesWhereTheNewerFails) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_chip_info_v2 * code -8005");
  EXPECT_EQ(IdentityOf(machine).chip_name.view(), "910B3");
}

TEST(DcmiIdentityTest, WhatTheChipLacksIsEmpty) {
  FakeMachine machine;
  for (const char* function :
       {"dcmi_get_device_board_info", "dcmi_get_device_die_v2", "dcmi_get_card_elabel_v2",
        "dcmi_get_device_pcie_info_v2", "dcmi_get_device_component_static_version"}) {
    machine.Add(std::string("rule ") + function + " * code -8255");
  }
  const DeviceIdentity identity = IdentityOf(machine);
  EXPECT_EQ(identity.family, ChipFamily::k910B);
  EXPECT_TRUE(identity.board_id.empty());
  EXPECT_TRUE(identity.die_id.empty());
  EXPECT_TRUE(identity.serial.empty());
  EXPECT_TRUE(identity.pci_address.empty());
  EXPECT_TRUE(identity.firmware_version.empty());
}

// A call that may fail, and what it tells of the chip.
struct Part {
  const char* function;
  void (*clear)(DeviceIdentity& identity);
};

const std::vector<Part> kParts = {
    {"dcmi_get_device_board_info", [](DeviceIdentity& i) { i.board_id = ""; }},
    {"dcmi_get_device_die_v2", [](DeviceIdentity& i) { i.die_id = ""; }},
    {"dcmi_get_card_elabel_v2",
     [](DeviceIdentity& i) {
       i.serial = "";
       i.model = "";
       i.product = "";
     }},
    {"dcmi_get_device_pcie_info_v2", [](DeviceIdentity& i) { i.pci_address = ""; }},
    {"dcmi_get_device_component_static_version",
     [](DeviceIdentity& i) { i.firmware_version = ""; }}};

TEST(DcmiIdentityTest, ACallThatFailsLeavesItsPartEmptyAndTheRestWhole) {
  FakeMachine machine;
  const auto driver = machine.Open();
  const DeviceIdentity whole = IdentityOf(machine);
  for (const Part& part : kParts) {
    DeviceIdentity expected = whole;
    part.clear(expected);
    ASSERT_FALSE(expected == whole) << part.function;
    for (const char* code : {"-8005", "-8006", "-8012", "-8013"}) {
      machine.Add(std::string("rule ") + part.function + " * code " + code);
      const auto identity = driver->ReadIdentity(kFirst);
      ASSERT_TRUE(identity.ok()) << identity.status();
      EXPECT_TRUE(*identity == expected) << part.function << " " << code;
    }
    machine.Remove("rule");
  }
}

TEST(DcmiIdentityTest, AChipThatCannotBeAskedItsNameHasNoIdentity) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_chip_info_v2 0 code -8013");
  machine.Add("rule dcmi_get_device_chip_info 0 code -8013");
  const absl::Status status = machine.Open()->ReadIdentity(kFirst).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  machine.Add("rule dcmi_get_device_chip_info_v2 0 code -8255");
  EXPECT_EQ(std::string(machine.Open()->ReadIdentity(kFirst).status().message()),
            "dcmi_get_device_chip_info: -8013 (not supported in a container, or device busy)");
}

TEST(DcmiIdentityTest, OneFirmwareComponentThatFailsLeavesTheOthersToTellTheVersion) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_component_static_version:11 0 code -8006");
  EXPECT_FALSE(IdentityOf(machine).firmware_version.empty());
}

TEST(DcmiIdentityTest, NumbersThatAreNoAddressAndNoDieAreEmpty) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_pcie_info_v2 0 value 0xFFFFFFFF");
  machine.Add("rule dcmi_get_device_die_v2 0 value 0xFFFFFFFF");
  machine.Add("rule dcmi_get_device_board_info 0 value 0xFFFFFFFF");
  DeviceIdentity identity = IdentityOf(machine);
  EXPECT_TRUE(identity.pci_address.empty());
  EXPECT_TRUE(identity.die_id.empty());
  EXPECT_TRUE(identity.board_id.empty());
  machine.Add("rule dcmi_get_device_die_v2 0 value 0");
  EXPECT_TRUE(IdentityOf(machine).die_id.empty());
}

TEST(DcmiIdentityTest, AddressAndDieHaveTheFormsOfSysfsAndOfTheTool) {
  FakeMachine machine;
  machine.Add("set 0 pcie 0x10000 0xC1 0x1F 7");
  machine.Add("set 0 die 0xabc 0x0 0xffffffff 0x1 0x2");
  machine.Add("set 0 board_id 0x2");
  const DeviceIdentity identity = IdentityOf(machine);
  EXPECT_EQ(identity.pci_address.view(), "10000:c1:1f.7");
  EXPECT_EQ(identity.die_id.view(), "00000ABC-00000000-FFFFFFFF-00000001-00000002");
  EXPECT_EQ(identity.board_id.view(), "0x02");
}

TEST(DcmiIdentityTest, ABoardOfA3IsA3WhateverTheChipIsCalled) {
  FakeMachine machine;
  machine.Add("set 0 board_id 0xd1");
  EXPECT_EQ(IdentityOf(machine).family, ChipFamily::k910_93);
}

TEST(DcmiIdentityTest, AChipOfUnknownNameHasWhatItAnswers) {
  FakeMachine machine;
  machine.Add("set 0 chip_name 1024X");
  EXPECT_EQ(IdentityOf(machine).family, ChipFamily::kUnknown);
  EXPECT_EQ(IdentityOf(machine).traits, kHasHbm | kChipPower);
  machine.Add("rule dcmi_get_device_power_info 0 code -8255");
  EXPECT_EQ(IdentityOf(machine).traits, kHasHbm);
  machine.Add("set 0 hbm 0 0 0 0");
  EXPECT_EQ(IdentityOf(machine).traits, kNoHbm | kHasDdr);
}

class DcmiKnownIdentityTest : public testing::Test {
 protected:
  int Calls() const {
    int calls = 0;
    for (const char* function :
         {"dcmi_get_device_chip_info_v2", "dcmi_get_device_board_info", "dcmi_get_device_die_v2",
          "dcmi_get_card_elabel_v2", "dcmi_get_device_pcie_info_v2",
          "dcmi_get_device_component_static_version"}) {
      calls += machine_.Calls(function);
    }
    return calls;
  }

  FakeMachine machine_;
  std::shared_ptr<NpuDriver> driver_ = machine_.Open();
};

TEST_F(DcmiKnownIdentityTest, TheSameChipIsAskedOnlyWhetherItIsTheSame) {
  const auto first = driver_->ReadIdentity(kFirst);
  EXPECT_EQ(Calls(), 6);
  const auto second = driver_->ReadIdentity(kFirst);
  EXPECT_TRUE(*first == *second);
  EXPECT_EQ(Calls(), 6 + 2);
  EXPECT_EQ(machine_.Calls("dcmi_get_device_die_v2"), 2);
  EXPECT_EQ(machine_.Calls("dcmi_get_device_pcie_info_v2"), 2);
  EXPECT_TRUE(driver_->ReadIdentity({1, 0}).ok());
  EXPECT_EQ(Calls(), 6 + 2 + 6) << "another address is another chip";
}

TEST_F(DcmiKnownIdentityTest, AnotherDieOrAnotherPlaceIsAnotherChip) {
  ASSERT_TRUE(driver_->ReadIdentity(kFirst).ok());
  machine_.Add("set 0 serial new");
  EXPECT_NE(driver_->ReadIdentity(kFirst)->serial.view(), "new");
  machine_.Add("set 0 die 1 2 3 4 5");
  EXPECT_EQ(driver_->ReadIdentity(kFirst)->serial.view(), "new");
  machine_.Add("set 0 serial newer");
  machine_.Add("set 0 pcie 0 1 2 3");
  EXPECT_EQ(driver_->ReadIdentity(kFirst)->serial.view(), "newer");
}

TEST_F(DcmiKnownIdentityTest, AnIncompleteIdentityIsReadAgain) {
  machine_.Add("rule dcmi_get_card_elabel_v2 * code -8006");
  EXPECT_TRUE(driver_->ReadIdentity(kFirst)->serial.empty());
  machine_.Add("rule dcmi_get_card_elabel_v2 * code 0");
  EXPECT_FALSE(driver_->ReadIdentity(kFirst)->serial.empty());
}

TEST_F(DcmiKnownIdentityTest, AChipThatCannotBeToldFromOthersIsReadWholeEachTime) {
  machine_.Add("rule dcmi_get_device_die_v2 0 code -8255");
  ASSERT_TRUE(driver_->ReadIdentity(kFirst).ok());
  machine_.Add("set 0 serial new");
  EXPECT_EQ(driver_->ReadIdentity(kFirst)->serial.view(), "new");
}

TEST(DcmiIdentityTest, AChipWithoutANameIsStillADevice) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_chip_info_v2 0 text chip_name %00");
  const DeviceIdentity identity = IdentityOf(machine);
  EXPECT_EQ(identity.family, ChipFamily::kUnknown);
  EXPECT_FALSE(identity.die_id.empty());
}

}  // namespace
}  // namespace ascend

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "fake_machine.h"
#include "hal/driver_state.h"

namespace ascend {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<int> DevicesOf(const absl::StatusOr<Discovery>& found) {
  EXPECT_TRUE(found.ok()) << found.status();
  std::vector<int> devices;
  if (!found.ok()) return devices;
  for (const FoundDevice& device : found->devices) devices.push_back(device.device);
  return devices;
}

struct EnumeratingCall {
  const char* name;
  const char* rule;  // makes it fail for the second card of 8x910b
};

class DcmiFailingCardTest : public testing::TestWithParam<EnumeratingCall> {};

TEST_P(DcmiFailingCardTest, LeavesTheOthersAndIsNamedAsAProblem) {
  FakeMachine machine;
  const auto driver = machine.Open();
  ASSERT_THAT(DevicesOf(driver->Discover()), SizeIs(8));
  machine.Add(GetParam().rule);
  const auto found = driver->Discover();
  EXPECT_THAT(DevicesOf(found), ElementsAre(0, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(found->problems, ElementsAre(HasSubstr("card 1")));
  EXPECT_THAT(found->problems, ElementsAre(HasSubstr(GetParam().name)));
}

INSTANTIATE_TEST_SUITE_P(
    Calls, DcmiFailingCardTest,
    testing::Values(
        EnumeratingCall{"dcmi_get_device_num_in_card",
                        "rule dcmi_get_device_num_in_card 1/* code -8005"},
        EnumeratingCall{"dcmi_get_device_num_in_card",
                        "rule dcmi_get_device_num_in_card 1/* value device_num 2000000000"},
        EnumeratingCall{"dcmi_get_device_num_in_card",
                        "rule dcmi_get_device_num_in_card 1/* value device_num -1"},
        EnumeratingCall{"dcmi_get_device_type", "rule dcmi_get_device_type 1/0 code -8012"},
        EnumeratingCall{"dcmi_get_device_logic_id", "rule dcmi_get_device_logic_id 1 code -8008"},
        EnumeratingCall{"dcmi_get_device_logic_id", "rule dcmi_get_device_logic_id 1 value -1"},
        EnumeratingCall{"dcmi_get_device_phyid_from_logicid",
                        "rule dcmi_get_device_phyid_from_logicid 1 code -8005"},
        EnumeratingCall{"dcmi_get_device_phyid_from_logicid",
                        "rule dcmi_get_device_phyid_from_logicid 1 value 0xFFFFFFFF"}),
    [](const auto& test) {
      return std::string(test.param.name) + "_" + std::to_string(test.index);
    });

TEST(DcmiDiscoveryTest, TheLossOfTheFirstChipOfACardLeavesTheSecond) {
  FakeMachine machine("16x910c");
  machine.Add("rule dcmi_get_device_type 2/0 code -8012");
  const auto found = machine.Open()->Discover();
  const auto devices = DevicesOf(found);
  EXPECT_THAT(devices, SizeIs(15));
  EXPECT_THAT(devices, Contains(5));
  EXPECT_THAT(devices, testing::Not(Contains(4)));
  EXPECT_THAT(found->problems, ElementsAre(HasSubstr("card 2")));
}

TEST(DcmiDiscoveryTest, DeviceIdsOfACardNeedNotBeginAtZero) {
  FakeMachine machine("");
  machine.Add("card 24 mcu 0");
  machine.Add("chip 3 24 1 0");
  machine.Add("chip 9 24 2 1");
  const auto found = machine.Open()->Discover();
  EXPECT_THAT(DevicesOf(found), ElementsAre(3, 9));
  EXPECT_EQ(found->devices[0].address, (DeviceAddress{24, 1}));
  EXPECT_EQ(found->devices[1].address, (DeviceAddress{24, 2}));
}

TEST(DcmiDiscoveryTest, UnitsThatAreNoNpuAreNoDevices) {
  FakeMachine machine("4x310p");
  machine.Add("rule dcmi_get_device_num_in_card 1536/* value device_num 3");  // counts its MCU
  const auto found = machine.Open()->Discover();
  EXPECT_THAT(DevicesOf(found), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(found->problems, ElementsAre(HasSubstr("announces 3 devices, 2 found")));
}

TEST(DcmiDiscoveryTest, AskNothingOfAChipButItsIds) {
  FakeMachine machine;
  ASSERT_TRUE(machine.Open()->Discover().ok());
  EXPECT_EQ(machine.Calls("dcmi_get_device_type"), 8);
  EXPECT_EQ(machine.Calls("dcmi_get_device_phyid_from_logicid"), 8);
  EXPECT_EQ(machine.Calls("dcmi_get_device_chip_info_v2"), 0);
  EXPECT_EQ(machine.Calls("dcmi_get_device_health"), 0);
}

TEST(DcmiDiscoveryTest, WithoutPhysicalIdsTheLogicIdsServe) {
  FakeMachine machine("2x910a");
  machine.Add("rule dcmi_get_device_phyid_from_logicid * code -8255");
  const auto found = machine.Open()->Discover();
  EXPECT_THAT(DevicesOf(found), ElementsAre(0, 1));
  EXPECT_EQ(found->info.device_id_source, "logic_id");
  EXPECT_THAT(found->problems, IsEmpty());
}

TEST(DcmiDiscoveryTest, AnOldLibraryStillFindsTheDevices) {
  FakeMachine machine("2x910a");
  const auto found = machine.Open("old")->Discover();
  EXPECT_THAT(DevicesOf(found), ElementsAre(0, 1));
  EXPECT_EQ(found->info.device_id_source, "logic_id");
  EXPECT_EQ(found->info.driver_version, "");
}

TEST(DcmiDiscoveryTest, ADeviceIsNotRenumberedWhenItsPhysicalIdFailsForOnce) {
  FakeMachine machine("2x910a");
  const auto driver = machine.Open();
  ASSERT_THAT(DevicesOf(driver->Discover()), ElementsAre(5, 7));
  machine.Add("rule dcmi_get_device_phyid_from_logicid * code -8006");
  EXPECT_FALSE(driver->Discover().ok());
  machine.Add("rule dcmi_get_device_phyid_from_logicid * code 0");
  EXPECT_THAT(DevicesOf(driver->Discover()), ElementsAre(5, 7));
}

TEST(DcmiDiscoveryTest, DevicesThatComeBackAreFoundAgain) {
  FakeMachine machine;
  const auto driver = machine.Open();
  machine.Add("rule dcmi_get_card_list * value card_num 7");
  EXPECT_THAT(DevicesOf(driver->Discover()), SizeIs(7));
  machine.Remove("rule");
  EXPECT_THAT(DevicesOf(driver->Discover()), SizeIs(8));
}

TEST(DcmiDiscoveryTest, NoCardsIsItsOwnState) {
  FakeMachine machine("");
  machine.Add("driver_version 1.0");
  const auto found = machine.Open()->Discover();
  EXPECT_EQ(StateOf(found.status()), DriverState::kNoDevices);
  EXPECT_THAT(std::string(found.status().message()), HasSubstr("0 cards"));
}

TEST(DcmiDiscoveryTest, CardsThatAllFailWithOneCodeGiveTheStateOfThatCode) {
  FakeMachine machine("16x910c");
  const auto driver = machine.Open();
  for (const char* function : {"dcmi_get_device_num_in_card", "dcmi_get_device_type",
                               "dcmi_get_device_logic_id", "dcmi_get_device_phyid_from_logicid"}) {
    SCOPED_TRACE(function);
    ASSERT_TRUE(driver->Discover().ok());
    machine.Add(std::string("rule ") + function + " * code -8020");
    const auto found = driver->Discover();
    EXPECT_EQ(StateOf(found.status()), DriverState::kDeviceInUse);
    EXPECT_THAT(std::string(found.status().message()),
                HasSubstr(std::string("none of 8 cards can be used: ") + function +
                          ": -8020 (resource occupied)"));
    machine.Remove("rule");
  }
}

TEST(DcmiDiscoveryTest, CardsThatAllFailInDifferentWaysAreNoDevicesAndTheFirstReasonIsTold) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_num_in_card * code -8020");
  machine.Add("rule dcmi_get_device_num_in_card 0/* code -8005");
  const auto driver = machine.Open();
  const auto found = driver->Discover();
  EXPECT_EQ(StateOf(found.status()), DriverState::kNoDevices);
  EXPECT_THAT(std::string(found.status().message()),
              HasSubstr("card 0: dcmi_get_device_num_in_card: -8005 (inner error)"));
  machine.Remove("rule");
  machine.Add("rule dcmi_get_device_num_in_card * value device_num 0");
  EXPECT_EQ(StateOf(driver->Discover().status()), DriverState::kNoDevices);
}

TEST(DcmiDiscoveryTest, AnImpossibleNumberOfCardsIsAnError) {
  FakeMachine machine;
  const auto driver = machine.Open();
  for (const char* count : {"65", "1000000", "-1", "2147483647"}) {
    machine.Add(std::string("rule dcmi_get_card_list * value card_num ") + count);
    const auto found = driver->Discover();
    EXPECT_EQ(StateOf(found.status()), DriverState::kInitFailed);
    EXPECT_THAT(std::string(found.status().message()), HasSubstr(count));
  }
}

TEST(DcmiDiscoveryTest, AFailingListCarriesTheStateOfItsCode) {
  FakeMachine machine;
  const auto driver = machine.Open();
  machine.Add("rule dcmi_get_card_list * code -8020");
  EXPECT_EQ(StateOf(driver->Discover().status()), DriverState::kDeviceInUse);
}

TEST(DcmiDiscoveryTest, VersionsWithoutAnEndAreBounded) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_driver_version * text driver_ver " + std::string(300, 'v'));
  machine.Add("rule dcmi_get_dcmi_version * text dcmi_ver " + std::string(300, 'w'));
  const auto found = machine.Open()->Discover();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->info.driver_version, std::string(64, 'v'));
  EXPECT_EQ(found->info.library_version, std::string(64, 'w'));
}

std::string OwnMountNamespace() {
  struct stat status {};
  EXPECT_EQ(stat("/proc/self/ns/mnt", &status), 0);
  return std::to_string(status.st_ino);
}

TEST(DcmiDiscoveryTest, ACallerInTheHostsMountNamespaceSeesTheCards) {
  FakeMachine machine;
  machine.Add("admin /dev/null " + OwnMountNamespace());
  EXPECT_THAT(DevicesOf(machine.Open()->Discover()), SizeIs(8));
}

TEST(DcmiDiscoveryDeathTest, ACallerThatTheDriverDoesNotTakeForAnAdministratorSeesNone) {
  FakeMachine machine;
  machine.Add("admin /dev/null 1");  // the host's mount namespace is another one
  fs::permissions(fs::path(machine.data()).parent_path(), fs::perms(0755));
  fs::permissions(machine.data(), fs::perms(0644));
  const auto driver = machine.Open();
  const auto as_another_user = [&] {
    if (geteuid() == 0 && seteuid(65534) != 0) _exit(3);  // loses the effective capabilities
    const auto library = dlopen(FakeMachine::Library().c_str(), RTLD_NOW | RTLD_NOLOAD);
    const auto init = reinterpret_cast<int (*)()>(dlsym(library, "dcmi_init"));
    if (init() != 0) _exit(4);
    std::fprintf(stderr, "%s\n", std::string(driver->Discover().status().message()).c_str());
    _exit(0);
  };
  EXPECT_EXIT(as_another_user(), testing::ExitedWithCode(0), "lists 0 cards.*mount namespace");
}

}  // namespace
}  // namespace ascend

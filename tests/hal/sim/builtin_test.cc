#include <set>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/driver_state.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

Discovery DiscoveryOf(NpuDriver& driver) {
  auto discovery = driver.Discover();
  EXPECT_TRUE(discovery.ok()) << discovery.status();
  return discovery.ok() ? *discovery : Discovery();
}

struct Shape {
  std::string scenario;
  std::size_t chips;
  std::string chip_name, board_id;
  ChipFamily family;
};

class BuiltinTest : public testing::TestWithParam<Shape> {};

TEST_P(BuiltinTest, HasItsChipsWithWholeIdentities) {
  VirtualClock clock;
  const auto driver = Opened(GetParam().scenario, clock);
  ASSERT_TRUE(driver);
  const Discovery discovery = DiscoveryOf(*driver);
  ASSERT_EQ(discovery.devices.size(), GetParam().chips);
  EXPECT_EQ(discovery.info.backend, "sim");
  EXPECT_EQ(discovery.info.device_id_source, "phy_id");
  EXPECT_FALSE(discovery.info.driver_version.empty());
  EXPECT_FALSE(discovery.info.library_version.empty());
  std::set<std::string> dies;
  for (std::size_t i = 0; i < discovery.devices.size(); ++i) {
    const FoundDevice& found = discovery.devices[i];
    EXPECT_EQ(found.device, static_cast<int>(i));
    EXPECT_EQ(found.logic_id, found.device);
    const auto identity = driver->ReadIdentity(found.address);
    ASSERT_TRUE(identity.ok()) << identity.status();
    EXPECT_EQ(identity->family, GetParam().family);
    EXPECT_EQ(identity->chip_name.view(), GetParam().chip_name);
    EXPECT_EQ(identity->board_id.view(), GetParam().board_id);
    EXPECT_THAT(identity->pci_address.str(),
                MatchesRegex("[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.0"));
    EXPECT_THAT(identity->die_id.str(), MatchesRegex("([0-9A-F]{8}-){4}[0-9A-F]{8}"));
    EXPECT_FALSE(identity->serial.empty());
    EXPECT_FALSE(identity->model.empty());
    EXPECT_FALSE(identity->product.empty());
    EXPECT_FALSE(identity->firmware_version.empty());
    dies.insert(identity->die_id.str());
  }
  EXPECT_EQ(dies.size(), GetParam().chips);
}

INSTANTIATE_TEST_SUITE_P(
    All, BuiltinTest,
    testing::Values(Shape{"8x910b", 8, "910B3", "0x30", ChipFamily::k910B},
                    Shape{"16x910c", 16, "Ascend910", "0xb1", ChipFamily::k910_93},
                    Shape{"4x310p", 4, "310P3", "0x6a", ChipFamily::k310P},
                    Shape{"8x950", 8, "Ascend950PR", "0x1b", ChipFamily::k950},
                    Shape{"fleet:1", 1, "910B3", "0x30", ChipFamily::k910B},
                    Shape{"fleet:1024", 1024, "910B3", "0x30", ChipFamily::k910B}),
    [](const auto& test) {
      std::string name = test.param.scenario;
      std::erase(name, ':');
      return name;
    });

TEST(BuiltinShapeTest, FirstDieOf910CCarriesThePowerOfBoth) {
  VirtualClock clock;
  const auto driver = Opened("16x910c", clock);
  ASSERT_TRUE(driver);
  for (int card = 0; card < 8; ++card) {
    const auto first = driver->ReadPower({card, 0});
    const auto second = driver->ReadPower({card, 1});
    ASSERT_TRUE(first.ok() && second.ok());
    ASSERT_TRUE(first->chip.has_value());
    EXPECT_GT(first->chip->value, 160) << "two idle dies draw more than one";
    EXPECT_FALSE(second->chip.has_value());
  }
}

TEST(BuiltinShapeTest, ChipsOf300IDuoShareTheirPciAddressAndTheirPowerMeter) {
  VirtualClock clock;
  const auto driver = Opened("4x310p", clock);
  ASSERT_TRUE(driver);
  const Discovery discovery = DiscoveryOf(*driver);
  ASSERT_EQ(discovery.devices.size(), 4U);
  for (std::size_t i = 0; i < 4; i += 2) {
    const DeviceAddress a = discovery.devices[i].address;
    const DeviceAddress b = discovery.devices[i + 1].address;
    EXPECT_EQ(a.card, b.card);
    EXPECT_GT(a.card, 1000) << "NPU ids are no indexes";
    EXPECT_EQ(driver->ReadIdentity(a)->pci_address, driver->ReadIdentity(b)->pci_address);
    ASSERT_TRUE(driver->ReadCardPower(a)->card.has_value());
    EXPECT_EQ(driver->ReadCardPower(a)->card, driver->ReadCardPower(b)->card);
    EXPECT_FALSE(driver->ReadPower(a)->chip.has_value());
    EXPECT_TRUE(absl::IsUnimplemented(driver->ReadHbm(a).status()));
    EXPECT_TRUE(driver->ReadDdr(a)->used.has_value());
  }
}

TEST(BuiltinShapeTest, ChipsOfAFleetHavePciAddressesOfTheirOwn) {
  VirtualClock clock;
  const auto driver = Opened("fleet:1024", clock);
  ASSERT_TRUE(driver);
  std::set<std::string> addresses;
  for (int chip = 0; chip < 1024; ++chip) {
    addresses.insert(driver->ReadIdentity({chip, 0})->pci_address.str());
  }
  EXPECT_EQ(addresses.size(), 1024U);
}

TEST(BuiltinShapeTest, ChipsWithHbmReportNoDdr) {
  VirtualClock clock;
  const auto driver = Opened("8x950", clock);
  ASSERT_TRUE(driver);
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadDdr({0, 0}).status()));
  EXPECT_EQ(driver->ReadHbm({0, 0})->total, Bytes{131072.0 * 1048576});
}

TEST(BuiltinShapeTest, A2HasSevenHccsLinksAndOnePortWithoutAName) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(DiscoveryOf(*driver).driver_health, Health::kOk);
  const DeviceAddress chip{3, 0};
  const auto hccs = driver->ReadHccs(chip);
  ASSERT_EQ(hccs->links.size(), 7U);
  EXPECT_EQ(hccs->links[0].index, 1U);
  EXPECT_EQ(hccs->links[6].index, 7U);
  EXPECT_EQ(hccs->up, Count{1});
  const auto topology = driver->ReadTopology(chip);
  ASSERT_EQ(topology->links.size(), 7U);
  for (const TopologyLink& link : topology->links) {
    EXPECT_NE(link.peer, 3);
    EXPECT_EQ(link.path, LinkPath::kHccs);
  }
  ASSERT_EQ(driver->ReadNetworkLink(chip)->ports.size(), 1U);
  EXPECT_EQ(driver->ReadNetworkLink(chip)->ports[0].index, 0U);
  EXPECT_EQ(driver->ReadOptical(chip)->lanes.size(), 4U);
  EXPECT_FALSE(driver->ReadCpuAffinity(chip)->cpus.empty());
  EXPECT_EQ(driver->ReadThrottle(chip)->thermal, Count{0});
  EXPECT_TRUE(driver->ReadPowerLimit(chip).ok());
  EXPECT_TRUE(driver->ReadPcieBandwidth(chip, nanoseconds(0)).ok());
  EXPECT_FALSE(driver->ReadClocks(chip)->ddr.has_value());
  EXPECT_FALSE(driver->DetailOf(chip, 0x80E01801).description.empty());
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadSio(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadSuperPod(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadUb(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadMedia(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadVnpus(chip).status()));
}

TEST(BuiltinShapeTest, DiesOfA3AreJoinedBySioAndTheirCardsByASwitch) {
  VirtualClock clock;
  const auto driver = Opened("16x910c", clock);
  ASSERT_TRUE(driver);
  const DeviceAddress chip{2, 1};  // device 5
  const auto topology = driver->ReadTopology(chip);
  ASSERT_EQ(topology->links.size(), 15U);
  for (const TopologyLink& link : topology->links) {
    EXPECT_EQ(link.path, link.peer == 4 ? LinkPath::kSio : LinkPath::kHccsSwitch) << link.peer;
  }
  EXPECT_EQ(driver->ReadSio(chip)->transmit_errors, Count{0});
  EXPECT_EQ(driver->ReadSuperPod(chip)->sdid, 5U);
  EXPECT_EQ(driver->ReadSuperPod(chip)->scale, 384U);
  EXPECT_EQ(driver->ReadHccs(chip)->links.size(), 7U);
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadPcieBandwidth(chip, nanoseconds(0)).status()));
}

TEST(BuiltinShapeTest, DuoHasMediaEnginesAndOneHccsLinkAndNoNetwork) {
  VirtualClock clock;
  const auto driver = Opened("4x310p", clock);
  ASSERT_TRUE(driver);
  const DeviceAddress chip = DiscoveryOf(*driver).devices.at(1).address;
  EXPECT_TRUE(driver->ReadMedia(chip)->vdec.has_value());
  EXPECT_TRUE(driver->ReadVnpus(chip)->vnpus.empty());
  EXPECT_EQ(driver->ReadHccs(chip)->links.size(), 1U);
  EXPECT_FALSE(driver->ReadHccs(chip)->up.has_value());
  EXPECT_TRUE(driver->ReadClocks(chip)->ddr.has_value());
  EXPECT_FALSE(driver->ReadSensors(chip)->hbm.has_value());
  EXPECT_EQ(driver->ReadCoreUtilization(chip)->aicores.size(), 8U);
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadTopology(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadNetworkHealth(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadOptical(chip).status()));
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadThrottle(chip).status()));
}

TEST(BuiltinShapeTest, A5HasUbPortsOfWhichSomeCarryEthernet) {
  VirtualClock clock;
  const auto driver = Opened("8x950", clock);
  ASSERT_TRUE(driver);
  const DeviceAddress chip{0, 0};
  const auto ub = driver->ReadUb(chip);
  ASSERT_EQ(ub->ports.size(), 16U);
  EXPECT_EQ(ub->ports[0].index, PortIndex(0, 0));
  EXPECT_TRUE(ub->ports[0].values.back().has_value());
  EXPECT_FALSE(ub->ports[1].values.back().has_value());
  const auto network = driver->ReadNetworkLink(chip);
  ASSERT_EQ(network->ports.size(), 2U);
  EXPECT_EQ(network->ports[1].index, PortIndex(1, 0));
  EXPECT_EQ(network->ports[1].down_changes, Count{0});
  EXPECT_EQ(driver->ReadTopology(chip)->links[0].path, LinkPath::kUb);
  EXPECT_TRUE(driver->ReadSio(chip).ok());
  EXPECT_TRUE(driver->ReadSuperPod(chip).ok());
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadHccs(chip).status()));
}

TEST(BuiltinShapeTest, FleetIsMadeOfHosts) {
  VirtualClock clock;
  const auto driver = Opened("fleet:20", clock);
  ASSERT_TRUE(driver);
  EXPECT_EQ(driver->ReadTopology({9, 0})->links.size(), 7U);
  EXPECT_EQ(driver->ReadTopology({9, 0})->links[0].peer, 8);
  EXPECT_EQ(driver->ReadTopology({17, 0})->links.size(), 3U);
}

TEST(BuiltinNameTest, UnknownNameListsTheBuiltins) {
  VirtualClock clock;
  const auto driver = OpenSim({.scenario = "8x910z"}, clock);
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.status().message(),
            "\"8x910z\" is no built-in scenario and no file; built-in are 8x910b, 16x910c, 4x310p, "
            "8x950, fleet:N (N chips of 910B, 1 to 1024)");
  EXPECT_EQ(StateOf(driver.status()), DriverState::kInitFailed);
}

TEST(BuiltinNameTest, FleetOfNoOrTooManyChipsIsRefused) {
  VirtualClock clock;
  for (const std::string scenario :
       {"fleet:0", "fleet:1025", "fleet:", "fleet:x", "fleet:8x", "fleet:-1"}) {
    const auto driver = OpenSim({.scenario = scenario}, clock);
    ASSERT_FALSE(driver.ok()) << scenario;
    EXPECT_THAT(std::string(driver.status().message()),
                HasSubstr("want fleet:N with N of 1 to 1024"));
  }
}

TEST(BuiltinNameTest, ChipThatTheMachineLacksIsNotFound) {
  VirtualClock clock;
  const auto driver = Opened("8x910b", clock);
  ASSERT_TRUE(driver);
  EXPECT_TRUE(absl::IsNotFound(driver->ReadPower({8, 0}).status()));
  EXPECT_TRUE(absl::IsNotFound(driver->ReadHealth({0, 1}).status()));
  EXPECT_TRUE(absl::IsNotFound(driver->ReadIdentity({-1, 0}).status()));
}

}  // namespace
}  // namespace ascend

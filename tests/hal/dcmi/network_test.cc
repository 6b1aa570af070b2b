// The chip's own network.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "chip.h"

namespace ascend {
namespace {

using testing::SizeIs;

class DcmiNetworkTest : public DcmiChipTest {
 protected:
  static std::string Numbers(int first, int count) {
    std::string numbers;
    for (int i = 0; i < count; ++i) numbers += fmt::format(" {}", first + i);
    return numbers;
  }
};
INSTANTIATE_TEST_SUITE_P(Interfaces, DcmiNetworkTest, testing::Values(1, 2), NameOfInterface);

class DcmiUbTest : public DcmiNetworkTest {};
INSTANTIATE_TEST_SUITE_P(Interfaces, DcmiUbTest, testing::Values(2), NameOfInterface);

TEST_P(DcmiNetworkTest, OnlySuccessIsHealthy) {
  for (int result = 0; result <= 9; ++result) {
    Set(fmt::format("network_health {}", result));
    const auto health = driver_->ReadNetworkHealth(at());
    ASSERT_TRUE(health.ok()) << health.status();
    const bool unknown = result > 5;
    EXPECT_EQ(health->state, result == 0 ? NetworkHealth::kOk
                             : unknown   ? NetworkHealth::kUnknown
                                         : NetworkHealth::kFaulty)
        << result;
  }
}

TEST_P(DcmiNetworkTest, NumbersThatAreNoResultAreRefused) {
  for (const char* result : {"128", "255", "-1", "0x7FFFFFFF"}) {
    Set(std::string("network_health ") + result);
    const auto health = driver_->ReadNetworkHealth(at());
    EXPECT_FALSE(health->state) << result;
    EXPECT_EQ(health->refused.sentinel, 1);
  }
}

TEST_P(DcmiNetworkTest, WithoutAnAddressToCheckThereIsNoHealthAndNoError) {
  Rule(Named("get_device_network_health") + " * code -8023");
  const auto health = driver_->ReadNetworkHealth(at());
  ASSERT_TRUE(health.ok()) << health.status();
  EXPECT_FALSE(health->state);
  EXPECT_EQ(health->refused.sentinel, 0);
}

TEST_P(DcmiNetworkTest, EachCounterHasItsPlace) {
  Set("network.0" + Numbers(1000, 48));
  const auto counters = driver_->ReadNetworkCounters(at());
  ASSERT_TRUE(counters.ok()) << counters.status();
  ASSERT_THAT(counters->ports.items(), SizeIs(1));
  const PortCounters& port = counters->ports[0];
  EXPECT_EQ(port.index, 0U);
  for (int i = 0; i < 48; ++i) {
    EXPECT_EQ(port[static_cast<NetworkCounter>(i)], Count{1000.0 + i}) << i;
  }
  EXPECT_EQ(port[NetworkCounter::kMacTxBytes], Count{1021});
  EXPECT_EQ(port[NetworkCounter::kRoceRxRcPackets], Count{1029});
  EXPECT_EQ(port[NetworkCounter::kNicRxBytes], Count{1047});
  EXPECT_FALSE(port[NetworkCounter::kRoceOutOfOrder]);
}

TEST_P(DcmiNetworkTest, CountersOfAllOnesAreUnknown) {
  Set("network.0 4294967296 0xFFFFFFFFFFFFFFFF 0x8000000000000000 7");
  const auto port = driver_->ReadNetworkCounters(at())->ports[0];
  EXPECT_EQ(port.values[0], Count{4294967296.0});
  EXPECT_FALSE(port.values[1] || port.values[2]);
  EXPECT_EQ(port.values[3], Count{7});
}

TEST_P(DcmiNetworkTest, ReadsTheBandwidth) {
  Set("rdma.0 7 266");
  const auto bandwidth = driver_->ReadNetworkBandwidth(at(), std::chrono::milliseconds(100));
  ASSERT_TRUE(bandwidth.ok()) << bandwidth.status();
  EXPECT_EQ(bandwidth->ports[0], (PortBandwidth{0, BytesPerSecond{7e6}, BytesPerSecond{266e6}}));
}

TEST_P(DcmiNetworkTest, WhatOnlyTheToolKnowsIsAskedOfTheTool) {
  machine_.WriteHccnTool(
      "case \"$*\" in\n"
      "*-link*) echo 'link status: UP' ;;\n"
      "*-optical*) printf 'present : present\\nTx Power0 : 0.9095 mW\\n' ;;\n"
      "*) echo 'not supported' ;;\nesac");
  auto driver = machine_.Open();
  ASSERT_TRUE(driver->Discover().ok());
  const auto link = driver->ReadNetworkLink(at());
  ASSERT_TRUE(link.ok()) << link.status();
  if (second()) {  // asked by its ports, which this tool does not list
    EXPECT_TRUE(link->ports.empty());
    return;
  }
  EXPECT_EQ(link->ports[0].up, Count{1});
  const auto optical = driver->ReadOptical(at());
  ASSERT_TRUE(optical.ok()) << optical.status();
  EXPECT_EQ(optical->lanes[0].transmit_power, Watts{0.0009095});
}

TEST_P(DcmiNetworkTest, AToolThatHangsDoesNotHoldTheDevicesThread) {
  machine_.WriteHccnTool("exec sleep 60");
  auto driver = machine_.Open();
  ASSERT_TRUE(driver->Discover().ok());
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(absl::IsUnavailable(driver->ReadNetworkLink(at()).status()));
  EXPECT_FALSE(driver->ReadOptical(at()).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
  driver->Interrupt();
}

TEST_P(DcmiNetworkTest, WithoutTheToolWhatOnlyItKnowsIsLacking) {
  EXPECT_EQ(driver_->ReadNetworkLink(at()).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver_->ReadOptical(at()).status().code(), absl::StatusCode::kUnimplemented);
}

TEST_P(DcmiUbTest, TheNetworkIsThePortsThatCarryEthernet) {
  Set("ub_ports 0 4 0 1 1 7 1 1 1 8 1 1");
  Set("network.7 70");
  Set("network.8 80");
  Set("rdma.7 1 2");
  Set("rdma.8 3 4");
  const auto counters = driver_->ReadNetworkCounters(at());
  ASSERT_TRUE(counters.ok()) << counters.status();
  ASSERT_THAT(counters->ports.items(), SizeIs(2));
  EXPECT_EQ(counters->ports[0].index, PortIndex(1, 7));
  EXPECT_EQ(counters->ports[0].values[0], Count{70});
  EXPECT_EQ(counters->ports[1].index, PortIndex(1, 8));
  EXPECT_EQ(counters->ports[1].values[0], Count{80});
  const auto bandwidth = driver_->ReadNetworkBandwidth(at(), nanoseconds(1));
  ASSERT_TRUE(bandwidth.ok()) << bandwidth.status();
  EXPECT_EQ(bandwidth->ports[1],
            (PortBandwidth{PortIndex(1, 8), BytesPerSecond{3e6}, BytesPerSecond{4e6}}));
}

TEST_P(DcmiUbTest, WithoutEthernetThereIsNoNetwork) {
  Set("ub_ports 0 4 0 1");
  EXPECT_EQ(driver_->ReadNetworkCounters(at()).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver_->ReadNetworkBandwidth(at(), nanoseconds(1)).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST_P(DcmiUbTest, ReadsEachPortOfEachDie) {
  Set("ub_ports 0 4 0 1 0 5 1 2 1 4 0 3 1 8 0 0");
  Set("ub.0.4" + Numbers(100, 48));
  Set("ub.0.5" + Numbers(200, 48));
  Set("ub.1.4" + Numbers(300, 48));
  Set("ub.1.8" + Numbers(400, 48));
  const auto ub = driver_->ReadUb(at());
  ASSERT_TRUE(ub.ok()) << ub.status();
  ASSERT_THAT(ub->ports.items(), SizeIs(4));
  const std::vector<std::uint32_t> indexes = {PortIndex(0, 4), PortIndex(0, 5), PortIndex(1, 4),
                                              PortIndex(1, 8)};
  for (std::size_t i = 0; i < 4; ++i) {
    const UbPort& port = ub->ports[i];
    EXPECT_EQ(port.index, indexes[i]);
    for (std::size_t counter = 0; counter < kUbPortCounters; ++counter) {
      EXPECT_EQ(port.values[counter], Count{100.0 * (i + 1) + counter}) << i << " " << counter;
    }
    EXPECT_EQ(port.values[kUbPortCounters].has_value(), i == 1) << "only one carries Ethernet";
  }
  EXPECT_EQ(ub->ports[1].values[47], Count{247});
  EXPECT_EQ(ub->ports[0].up, Count{1});
  EXPECT_EQ(ub->ports[1].up, Count{0});
  EXPECT_EQ(ub->ports[2].up, Count{0});
  EXPECT_FALSE(ub->ports[3].up);
}

TEST_P(DcmiUbTest, WithoutStatesAndCountersThePortsAreListedAndTheyAreAskedOnce) {
  Set("ub_ports 0 4 0 1 0 5 0 1");
  Set("ub.0.4 1");
  Set("ub.0.5 1");
  Rule("dcmiv2_get_ub_port_link_status * code -8255");
  Rule("dcmiv2_get_port_pkt_stats_info * code -8255");
  for (int i = 0; i < 3; ++i) {
    const auto ub = driver_->ReadUb(at());
    ASSERT_TRUE(ub.ok()) << ub.status();
    ASSERT_THAT(ub->ports.items(), SizeIs(2));
    EXPECT_FALSE(ub->ports[0].up || ub->ports[0].values[0]);
  }
  EXPECT_EQ(machine_.Calls("dcmiv2_get_ub_port_link_status"), 1);
  EXPECT_EQ(machine_.Calls("dcmiv2_get_port_pkt_stats_info"), 1);
  EXPECT_EQ(machine_.Calls("dcmiv2_get_device_port_list_info"), 3);
}

TEST_P(DcmiUbTest, ImpossibleListsAndStatesAreRefused) {
  Set("ub_ports 0 4 0 77");
  EXPECT_FALSE(driver_->ReadUb(at())->ports[0].up);
  EXPECT_EQ(driver_->ReadUb(at())->refused.sentinel, 1);
  for (const char* dies : {"3", "-1", "0x7FFFFFFF"}) {
    Rule(std::string("dcmiv2_get_device_port_list_info * value die_nums ") + dies);
    EXPECT_EQ(driver_->ReadUb(at()).status().code(), absl::StatusCode::kInternal) << dies;
  }
}

TEST(DcmiOldUbTest, TheFirstInterfaceHasNoUb) {
  FakeMachine machine;
  EXPECT_EQ(machine.Open()->ReadUb({0, 0}).status().code(), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace ascend

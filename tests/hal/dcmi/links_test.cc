// The links of a chip.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "chip.h"

namespace ascend {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kAddress = "0000:c1:00.0";

class DcmiLinksTest : public DcmiChipTest {
 protected:
  // The lanes of a link as the library writes them: those in use, then how many it runs with.
  static std::string Lanes(unsigned in_use, unsigned mode) {
    return fmt::format("{}", 1U | in_use << 1U | mode << 9U);
  }
};
INSTANTIATE_TEST_SUITE_P(Interfaces, DcmiLinksTest, testing::Values(1, 2), NameOfInterface);

class DcmiOldLinksTest : public DcmiLinksTest {};
INSTANTIATE_TEST_SUITE_P(Interfaces, DcmiOldLinksTest, testing::Values(1), NameOfInterface);

TEST_P(DcmiLinksTest, ReadsTheLinksThatTheChipSaysItHas) {
  Set("hccs.status 0 3");
  Set(fmt::format("hccs.lanes 0x84 {} {}", Lanes(0b1111, 2), Lanes(0b0011, 3)));  // links 2 and 7
  Set("hccs.tx 0 1 12 0 0 0 0 70");
  Set("hccs.rx 0 1 13 0 0 0 0 71");
  Set("hccs.crc 0 1 14 0 0 0 0 72");
  Set("hccs.retry 0 1 15 0 0 0 0 4294967296");
  const auto hccs = driver_->ReadHccs(at());
  ASSERT_TRUE(hccs.ok()) << hccs.status();
  EXPECT_EQ(hccs->up, Count{1});
  EXPECT_EQ(hccs->counter_range, 0);
  ASSERT_THAT(hccs->links.items(), SizeIs(2));
  EXPECT_EQ(hccs->links[0],
            (HccsLink{2, Count{4}, Count{4}, Bytes{240}, Bytes{260}, Count{14}, Count{15}}));
  EXPECT_EQ(hccs->links[1], (HccsLink{7, Count{2}, Count{2}, Bytes{1400}, Bytes{1420}, Count{72},
                                      Count{4294967296.0}}));
}

TEST_P(DcmiLinksTest, ALinkThatLostLanesShowsHowManyItShouldHave) {
  Set("hccs.lanes 0x2 " + Lanes(0b0001, 2));
  const auto hccs = driver_->ReadHccs(at());
  EXPECT_EQ(hccs->links[0].lanes, Count{1});
  EXPECT_EQ(hccs->links[0].lanes_expected, Count{4});
  EXPECT_FALSE(hccs->up);
  EXPECT_FALSE(hccs->links[0].transmitted);
}

TEST_P(DcmiLinksTest, WhereTheChipDoesNotSayTheLinksAreOneToSeven) {
  Set("hccs.tx 99 1 2 3 4 5 6 7 98");
  for (int i = 0; i < 3; ++i) {
    const auto hccs = driver_->ReadHccs(at());
    ASSERT_TRUE(hccs.ok()) << hccs.status();
    ASSERT_THAT(hccs->links.items(), SizeIs(7));
    EXPECT_EQ(hccs->links[0].index, 1U);
    EXPECT_EQ(hccs->links[0].transmitted, Bytes{20});
    EXPECT_EQ(hccs->links[6].index, 7U);
    EXPECT_EQ(hccs->links[6].transmitted, Bytes{140});
    EXPECT_FALSE(hccs->links[0].lanes);
  }
  EXPECT_EQ(machine_.Calls(Named("get_device_info")), 3 + 2) << "status and lanes are asked once";
}

TEST_P(DcmiLinksTest, ALibraryWithoutWideCountersAnswersNarrowOnesAndSaysSo) {
  Set("hccs.bits 32");
  Set("hccs.tx 0 4294967294");
  for (int i = 0; i < 3; ++i) {
    const auto hccs = driver_->ReadHccs(at());
    EXPECT_EQ(hccs->counter_range, 4294967296.0);
    EXPECT_EQ(hccs->links[0].transmitted, Bytes{4294967294.0 * 20});
  }
  EXPECT_EQ(machine_.Calls(Named("get_device_info")), 3 + 3);
}

TEST_P(DcmiLinksTest, WideCountersThatFailForOnceAreNotReplacedByNarrowOnes) {
  Set("hccs.lanes 0x2 " + Lanes(0b1111, 2));
  Set("hccs.tx 0 5");
  Rule(Named("get_device_info") + ":16/5 * code -8006");
  const auto hccs = driver_->ReadHccs(at());
  ASSERT_TRUE(hccs.ok()) << hccs.status();
  EXPECT_FALSE(hccs->links[0].transmitted);
  EXPECT_EQ(machine_.Calls(Named("get_device_info")), 3);
}

TEST_P(DcmiLinksTest, HccsIsUpOnlyWithBothOfItsLayers) {
  for (const auto& [status, up] : {std::pair("0 3", 1.0), std::pair("0 1", 0.0),
                                   std::pair("1 3", 0.0), std::pair("0 0", 0.0)}) {
    Set(std::string("hccs.status ") + status);
    EXPECT_EQ(driver_->ReadHccs(at())->up, Count{up}) << status;
  }
}

TEST_P(DcmiOldLinksTest, ReadsTheBandwidthOfEachLinkOverTheWindow) {
  Set(fmt::format("hccs.lanes 0x84 {} {}", Lanes(0b1111, 2), Lanes(0b1111, 2)));
  Set("hccs.tx_bandwidth 0 9 1.5 0 0 0 0 2.5");
  Set("hccs.rx_bandwidth 0 9 1.25 0 0 0 0 0");
  const auto reading = driver_->ReadHccsBandwidth(at(), milliseconds(200));
  ASSERT_TRUE(reading.ok()) << reading.status();
  EXPECT_THAT(
      reading->links.items(),
      ElementsAre(
          HccsLinkBandwidth{2, BytesPerSecond{1.5 * 1073741824}, BytesPerSecond{1.25 * 1073741824}},
          HccsLinkBandwidth{7, BytesPerSecond{2.5 * 1073741824}, BytesPerSecond{0}}));
}

TEST_P(DcmiOldLinksTest, AWindowOutsideOfWhatTheLibraryTakesIsBrought) {
  Set("hccs.tx_bandwidth 1");
  Set("hccs.rx_bandwidth 1");
  Set("pcie_bandwidth 1 2 3 4 5 6");
  Set("rdma.0 7 8");
  for (const nanoseconds window : {nanoseconds(0), nanoseconds(std::chrono::hours(1))}) {
    EXPECT_TRUE(driver_->ReadHccsBandwidth(at(), window).ok());
    EXPECT_TRUE(driver_->ReadPcieBandwidth(at(), window).ok());
    EXPECT_TRUE(driver_->ReadNetworkBandwidth(at(), window).ok());
  }
}

TEST_P(DcmiLinksTest, ReadsTheErrorsBetweenTheDies) {
  Set("sio 65533 65534");
  const auto sio = driver_->ReadSio(at());
  EXPECT_EQ(sio->transmit_errors, Count{65533});
  EXPECT_EQ(sio->receive_errors, Count{65534});
  EXPECT_EQ(sio->counter_range, 65536);
}

TEST_P(DcmiLinksTest, ReadsTheSuperPod) {
  Set("super_pod 17 384 3 1");
  const auto pod = driver_->ReadSuperPod(at());
  ASSERT_TRUE(pod.ok()) << pod.status();
  EXPECT_EQ(pod->sdid, 17U);
  EXPECT_EQ(pod->scale, 384U);
  EXPECT_EQ(pod->super_pod_id, 3U);
  EXPECT_EQ(pod->server_id, 1U);
  Set("super_pod 0xFFFFFFFF 0x7FFFFFFF 0xFFFFFFFF 0xFFFFFFFF");
  const auto none = driver_->ReadSuperPod(at());
  EXPECT_FALSE(none->sdid || none->scale || none->super_pod_id || none->server_id);
}

TEST_P(DcmiLinksTest, ReadsTheErrorsOfPcieFromTheLibraryAndTheRestFromTheKernel) {
  Set("pcie_errors 10 11 12 13 14");
  const auto folder = machine_.sysfs() / "bus/pci/devices" / kAddress;
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "current_link_speed") << "16.0 GT/s PCIe\n";
  std::ofstream(folder / "current_link_width") << "8\n";
  const auto pcie = driver_->ReadPcie(at(), kAddress);
  ASSERT_TRUE(pcie.ok()) << pcie.status();
  EXPECT_EQ(pcie->errors.symbol_unlock, Count{10});
  EXPECT_EQ(pcie->errors.pcs_receive, Count{11});
  EXPECT_EQ(pcie->errors.phy_lane, Count{12});
  EXPECT_EQ(pcie->errors.data_link_lcrc, Count{13});
  EXPECT_EQ(pcie->errors.data_link_dcrc, Count{14});
  EXPECT_EQ(pcie->speed, TransfersPerSecond{16e9});
  EXPECT_EQ(pcie->lanes, Count{8});
  Rule(Named("get_device_pcie_error_cnt") + " * code -8006");
  EXPECT_EQ(driver_->ReadPcie(at(), kAddress)->lanes, Count{8}) << "one of the two is enough";
}

TEST_P(DcmiLinksTest, WithoutAnAddressNothingIsLackingForEver) {
  EXPECT_TRUE(driver_->ReadPcie(at(), "").ok());
  EXPECT_EQ(driver_->ReadPcie(at(), kAddress).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(machine_.Calls(Named("get_device_pcie_error_cnt")), 1);
}

TEST_P(DcmiLinksTest, ReadsTheMeanBandwidthsOfPcie) {
  Set("pcie_bandwidth 12 13 14 15 16 17");
  const auto pcie = driver_->ReadPcieBandwidth(at(), milliseconds(100));
  ASSERT_TRUE(pcie.ok()) << pcie.status();
  EXPECT_EQ(pcie->transmit_posted, BytesPerSecond{12 * 1048576e3});
  EXPECT_EQ(pcie->transmit_nonposted, BytesPerSecond{13 * 1048576e3});
  EXPECT_EQ(pcie->transmit_completion, BytesPerSecond{14 * 1048576e3});
  EXPECT_EQ(pcie->receive_posted, BytesPerSecond{15 * 1048576e3});
  EXPECT_EQ(pcie->receive_nonposted, BytesPerSecond{16 * 1048576e3});
  EXPECT_EQ(pcie->receive_completion, BytesPerSecond{17 * 1048576e3});
}

TEST_P(DcmiLinksTest, TheProcessorsThatAreNearAreAList) {
  Set("affinity 0-23,48-71");
  EXPECT_EQ(driver_->ReadCpuAffinity(at())->cpus.view(), "0-23,48-71");
  std::string longer = "0";
  for (int i = 2; i < 80; i += 2) longer += fmt::format(",{}", i);
  ASSERT_LT(longer.size(), 127U);
  Set(fmt::format("affinity {}", longer));
  EXPECT_EQ(driver_->ReadCpuAffinity(at())->cpus.view(), longer);
  Set(fmt::format("affinity {},{}", longer, longer));
  EXPECT_TRUE(driver_->ReadCpuAffinity(at())->cpus.empty()) << "half a list is false";
  Set("affinity all%20of%20them");
  EXPECT_TRUE(driver_->ReadCpuAffinity(at())->cpus.empty());
}

TEST_P(DcmiLinksTest, PathsAreAskedOfTheDevicesThatWereFound) {
  for (int i = 0; i < 10; ++i) {  // physical ids 10 to 19
    machine_.Add(fmt::format("chip {} {} 0 {}", 10 + i, 20 + i, 30 + i));
  }
  Set("topology 10 1 11 2 12 3 13 4 14 5 15 6 16 7 17 8 18 9 19 0");
  EXPECT_THAT(driver_->ReadTopology(at())->links.items(), IsEmpty()) << "none is known yet";
  ASSERT_TRUE(driver_->Discover().ok());
  const auto topology = driver_->ReadTopology(at());
  ASSERT_TRUE(topology.ok()) << topology.status();
  EXPECT_THAT(
      topology->links.items(),
      ElementsAre(TopologyLink{10, LinkPath::kSys}, TopologyLink{11, LinkPath::kPhb},
                  TopologyLink{12, LinkPath::kHccs}, TopologyLink{13, LinkPath::kPxb},
                  TopologyLink{14, LinkPath::kPix}, TopologyLink{15, LinkPath::kSio},
                  TopologyLink{16, LinkPath::kHccsSwitch}, TopologyLink{17, LinkPath::kUb}));
  EXPECT_EQ(topology->refused.sentinel, 1) << "9 is no path";
  EXPECT_EQ(machine_.Calls(Named("get_topo_info_by_device_id")), 10);
}

TEST_P(DcmiLinksTest, APairWithoutAPathIsAskedOnce) {
  machine_.Add("chip 6 7 0 1");
  machine_.Add("chip 7 8 0 9");
  Set("topology 6 3");
  ASSERT_TRUE(driver_->Discover().ok());
  for (int i = 0; i < 3; ++i) EXPECT_THAT(driver_->ReadTopology(at())->links.items(), SizeIs(1));
  EXPECT_EQ(machine_.Calls(Named("get_topo_info_by_device_id")), 3 + 1);
}

TEST_P(DcmiLinksTest, OfTwoThatClaimOneIdOnlyTheFirstIsAPeer) {
  machine_.Add("chip 6 7 0 1");
  machine_.Add("chip 6 8 0 9");
  Set("topology 6 3");
  ASSERT_TRUE(driver_->Discover().ok());
  EXPECT_THAT(driver_->ReadTopology(at())->links.items(), SizeIs(1));
  EXPECT_EQ(machine_.Calls(Named("get_topo_info_by_device_id")), 1);
}

}  // namespace
}  // namespace ascend

// The stand-in answers as the vendor's library is documented to, in the vendor's units.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "machine_file.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::kInnerError;
using fake_dcmi::kInvalidParameter;
using fake_dcmi::kNotSupported;
using fake_dcmi::kOk;
using fake_dcmi::MachineFile;

// The events that the library sent, from its thread.
class Inbox {
 public:
  static void Put(fake_dcmi::Event* event) {
    Inbox& inbox = It();
    const std::lock_guard lock(inbox.mutex_);
    inbox.events_.push_back(*event);
    inbox.arrived_.notify_all();
  }
  // Waits for the next one; code 0 if none comes.
  static fake_dcmi::DmsFaultEvent Next() {
    Inbox& inbox = It();
    std::unique_lock lock(inbox.mutex_);
    const auto any = [&] { return !inbox.events_.empty(); };
    if (!inbox.arrived_.wait_for(lock, std::chrono::seconds(20), any)) return {};
    const auto event = inbox.events_.front().fault;
    inbox.events_.erase(inbox.events_.begin());
    return event;
  }

 private:
  static Inbox& It() {
    static Inbox& inbox = *new Inbox;
    return inbox;
  }
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<fake_dcmi::Event> events_;
};

TEST(FakeDcmiTest, OnlyTheGenerationOfTheChipsWorks) {
  unsigned int voltage = 0;
  const MachineFile a2("8x910b");
  EXPECT_EQ(dcmiv2_init(), kNotSupported);
  EXPECT_EQ(dcmi_init(), kOk);
  EXPECT_EQ(dcmi_get_device_voltage(3, 0, &voltage), kOk);
  EXPECT_EQ(voltage, 81U);
  EXPECT_EQ(dcmiv2_get_device_voltage(3, &voltage), kNotSupported);

  const MachineFile a5("2x950");
  EXPECT_EQ(dcmi_init(), kNotSupported);
  EXPECT_EQ(dcmiv2_init(), kOk);
  EXPECT_EQ(dcmiv2_get_device_voltage(1, &voltage), kOk);
  EXPECT_EQ(voltage, 77U);
  EXPECT_EQ(dcmi_get_device_voltage(1, 0, &voltage), kNotSupported);
}

TEST(FakeDcmiTest, RulesHoldForBothGenerationsAndForBeginningsOfNames) {
  const MachineFile machine("2x950");
  ASSERT_EQ(dcmiv2_init(), kOk);
  machine.Add("rule dcmiv2_get_device_* 1 code -8005");
  machine.Add("rule dcmiv2_get_device_voltage * value 12");
  int temperature = 0;
  unsigned int voltage = 0;
  EXPECT_EQ(dcmiv2_get_device_temperature(1, &temperature), kInnerError);
  EXPECT_EQ(dcmiv2_get_device_temperature(0, &temperature), kOk);
  EXPECT_EQ(temperature, 41);
  EXPECT_EQ(dcmiv2_get_device_voltage(0, &voltage), kOk);
  EXPECT_EQ(voltage, 12U);
}

TEST(FakeDcmiTest, DeviceInfoFillsTheBufferOfItsCommand) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  fake_dcmi::HccsStatisticInfoU64 counters = {};
  unsigned int size = sizeof(counters) - 1;
  EXPECT_EQ(dcmi_get_device_info(3, 0, 16, 5, &counters, &size), kInvalidParameter);
  size = sizeof(counters);
  EXPECT_EQ(dcmi_get_device_info(3, 0, 16, 5, &counters, &size), kOk);
  EXPECT_EQ(size, 1024U);
  EXPECT_EQ(counters.tx_cnt[0], 0U);
  EXPECT_NE(counters.tx_cnt[7], 0U);
  EXPECT_EQ(dcmi_get_device_info(3, 0, 16, 4, &counters, &size), kNotSupported);
  machine.Add("rule dcmi_get_device_info:16/5 3 code -8255");
  EXPECT_EQ(dcmi_get_device_info(3, 0, 16, 5, &counters, &size), kNotSupported);
  fake_dcmi::HccsStatisticInfo narrow = {};
  EXPECT_EQ(dcmi_get_device_info(3, 0, 16, 3, &narrow, &size), kOk);
  EXPECT_EQ(narrow.tx_cnt[7], static_cast<unsigned int>(counters.tx_cnt[7]));
  std::array<unsigned char, 25> cores = {};
  size = cores.size();
  EXPECT_EQ(dcmi_get_device_info(3, 0, 11, 0, cores.data(), &size), kOk);
  EXPECT_EQ(cores[2], 0xEE);
  EXPECT_EQ(cores[24], 0xEF);
}

TEST(FakeDcmiTest, HccsLanesArePackedByTheBitmap) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  fake_dcmi::HccsLaneInfo lanes = {};
  unsigned int size = sizeof(lanes);
  ASSERT_EQ(dcmi_get_device_info(5, 0, 16, 1, &lanes, &size), kOk);
  EXPECT_EQ(lanes.hccs_port_pcs_bitmap, 0xFEU);
  EXPECT_EQ(lanes.pcs_lane_bitmap[0], 0x41FU);  // link 1: four of four
  EXPECT_EQ(lanes.pcs_lane_bitmap[2], 0x407U);  // link 3: two of four
  EXPECT_EQ(lanes.pcs_lane_bitmap[7], 0U);
}

TEST(FakeDcmiTest, BandwidthsWantATimeAndHccsAddsToTheTotals) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  fake_dcmi::HccsBandwidthInfo hccs = {};
  EXPECT_EQ(dcmi_get_hccs_link_bandwidth_info(3, 0, &hccs), kInvalidParameter);
  hccs.profiling_time = 1001;
  EXPECT_EQ(dcmi_get_hccs_link_bandwidth_info(3, 0, &hccs), kInvalidParameter);
  hccs.profiling_time = 1000;
  EXPECT_EQ(dcmi_get_hccs_link_bandwidth_info(3, 0, &hccs), kOk);
  const double total = hccs.total_txbw;
  EXPECT_GT(total, 0);
  EXPECT_EQ(dcmi_get_hccs_link_bandwidth_info(3, 0, &hccs), kOk);
  EXPECT_EQ(hccs.total_txbw, 2 * total);
  fake_dcmi::PcieBandwidthInfo pcie = {};
  pcie.profiling_time = 2001;
  EXPECT_EQ(dcmi_get_pcie_link_bandwidth_info(3, 0, &pcie), kInvalidParameter);
  pcie.profiling_time = 100;
  EXPECT_EQ(dcmi_get_pcie_link_bandwidth_info(3, 0, &pcie), kOk);
  EXPECT_LT(pcie.tx_p_bw[0], pcie.tx_p_bw[2]);
  EXPECT_LT(pcie.tx_p_bw[2], pcie.tx_p_bw[1]);
  fake_dcmi::RdmaBandwidthInfo rdma = {};
  EXPECT_EQ(dcmi_get_rdma_bandwidth_info(3, 0, 0, 99, &rdma), kInvalidParameter);
  EXPECT_EQ(dcmi_get_rdma_bandwidth_info(3, 0, 1, 100, &rdma), kInvalidParameter);
  EXPECT_EQ(dcmi_get_rdma_bandwidth_info(3, 0, 0, 100, &rdma), kOk);
}

TEST(FakeDcmiTest, VnpusAreListedThenAskedOneByOne) {
  const MachineFile machine("2x310p-vnpu");
  ASSERT_EQ(dcmi_init(), kOk);
  fake_dcmi::SocTotalResource all = {};
  unsigned int size = sizeof(all);
  ASSERT_EQ(dcmi_get_device_info(8, 0, 52, 1, &all, &size), kOk);
  ASSERT_EQ(all.vdev_num, 3U);
  EXPECT_EQ(all.vdev_id[2], 116U);
  fake_dcmi::VdevQuery query = {};
  query.vdev_id = 101;
  size = sizeof(query);
  ASSERT_EQ(dcmi_get_device_info(8, 0, 52, 0, &query, &size), kOk);
  EXPECT_STREQ(query.query_info.name, "vir04");
  EXPECT_EQ(query.query_info.computing.aic, 4);
  ASSERT_EQ(dcmi_get_device_info(8, 0, 52, 5, &query, &size), kOk);
  EXPECT_EQ(query.query_info.computing.vdev_aicore_utilization, 73U);
  EXPECT_EQ(query.query_info.computing.vdev_memory_total, 24576U * 1024);
  query.vdev_id = 102;
  EXPECT_EQ(dcmi_get_device_info(8, 0, 52, 5, &query, &size), kInvalidParameter);
}

TEST(FakeDcmiTest, UbPortsAreKnownByDieAndPort) {
  const MachineFile machine("2x950");
  ASSERT_EQ(dcmiv2_init(), kOk);
  fake_dcmi::PortList list = {};
  ASSERT_EQ(dcmiv2_get_device_port_list_info(1, &list), kOk);
  EXPECT_EQ(list.die_list_data[0].port_nums, 3);
  EXPECT_EQ(list.die_list_data[1].port_list_data[0].port_index, 8);
  EXPECT_EQ(list.die_list_data[1].port_list_data[0].mode, 1);
  fake_dcmi::UbPortLinkStatus status = {};
  ASSERT_EQ(dcmiv2_get_ub_port_link_status(0, &status), kOk);
  EXPECT_EQ(status.ub_link_status, 2);
  EXPECT_EQ(status.ub_port_status[5], 1);
  EXPECT_EQ(status.ub_port_status[6], 3);
  fake_dcmi::UbPortInfo port = {1, 8};
  fake_dcmi::PortPacketStats stats = {};
  ASSERT_EQ(dcmiv2_get_port_pkt_stats_info(1, &port, &stats), kOk);
  EXPECT_EQ(stats.is_uboe_port, 1U);
  port = {1, 4};
  EXPECT_EQ(dcmiv2_get_port_pkt_stats_info(1, &port, &stats), kInvalidParameter);
}

TEST(FakeDcmiTest, A310KnowsNoFaultEvents) {
  const MachineFile machine("4x310");
  ASSERT_EQ(dcmi_init(), kOk);
  EXPECT_EQ(dcmi_subscribe_fault_event(-1, -1, {}, &Inbox::Put), kNotSupported);
  std::array<unsigned char, 64> text = {};
  EXPECT_EQ(dcmi_get_device_errorcode_string(3, 2, 0x81AB8001, text.data(), 47), kInvalidParameter);
  EXPECT_EQ(dcmi_get_device_errorcode_string(3, 2, 0x81AB8001, text.data(), 64), kOk);
  EXPECT_STREQ(reinterpret_cast<char*>(text.data()), "Chip temperature is above the threshold");
}

// In one test, because a process subscribes once.
TEST(FakeDcmiTest, SubscriberIsToldOfChangesOfTheFaults) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  ASSERT_EQ(dcmi_subscribe_fault_event(-1, -1, {}, &Inbox::Put), kOk);
  EXPECT_EQ(dcmi_subscribe_fault_event(-1, -1, {}, &Inbox::Put), kInnerError);
  machine.Add("set 5 faults 0x80E01801 0x81AB8001");
  auto event = Inbox::Next();
  EXPECT_EQ(event.event_id, 0x81AB8001U);
  EXPECT_EQ(event.deviceid, 5);
  EXPECT_EQ(event.assertion, 1);
  machine.Add("set 5 faults 0x81AB8001");
  event = Inbox::Next();
  EXPECT_EQ(event.event_id, 0x80E01801U);
  EXPECT_EQ(event.assertion, 0);
  EXPECT_EQ(event.severity, 2);
  EXPECT_STREQ(event.event_name, "HBM multi bit ecc error");
  machine.Add("event 2 0x80CB8002 2");
  event = Inbox::Next();
  EXPECT_EQ(event.event_id, 0x80CB8002U);
  EXPECT_EQ(event.deviceid, 2);
  EXPECT_EQ(event.assertion, 2);

  const MachineFile other("16x910c");
  ASSERT_EQ(dcmi_init(), kOk);
  other.Add("event 9 0x80CB8009 1");
  event = Inbox::Next();
  EXPECT_EQ(event.event_id, 0x80CB8009U) << "what the machine before had is not sent";
  EXPECT_EQ(event.deviceid, 9);
}

}  // namespace

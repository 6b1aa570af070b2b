// A rule fills what a call writes to with bytes that mean nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "machine_file.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::kOk;
using fake_dcmi::MachineFile;

constexpr unsigned char kUntouched = 0x5A;

// More than any call writes, to which any of its out-parameters may point.
class Buffer {
 public:
  Buffer() { bytes_.fill(kUntouched); }
  template <class T>
  operator T*() {  // NOLINT(google-explicit-constructor): stands for every out-parameter
    return reinterpret_cast<T*>(bytes_.data());
  }
  // Of how many bytes from the first one on it was.
  [[nodiscard]] std::size_t Filled(unsigned char with) const {
    const auto* end = std::ranges::find_if(bytes_, [&](auto byte) { return byte != with; });
    return static_cast<std::size_t>(end - bytes_.begin());
  }
  [[nodiscard]] bool UntouchedFrom(std::size_t index) const {
    return std::ranges::all_of(std::span(bytes_).subspan(index),
                               [](auto byte) { return byte == kUntouched; });
  }
  bool operator<(const Buffer& other) const { return bytes_ < other.bytes_; }
  bool operator==(const Buffer& other) const = default;
  unsigned char operator[](std::size_t index) const { return bytes_[index]; }

 private:
  alignas(std::max_align_t) std::array<unsigned char, 48 * 1024> bytes_;
};

// A function with the room of its first out-parameter; `b` is that of another one.
struct Case {
  const char* name;
  std::size_t room;
  std::function<int(Buffer& a, Buffer& b)> call;
  std::size_t second_room = 0;
};

std::vector<Case> CasesOfCards() {
  return {
      {"card_list", 32, [](auto& a, auto& b) { return dcmi_get_card_list(b, a, 8); }, 4},
      {"num_in_card", 4, [](auto& a, auto&) { return dcmi_get_device_num_in_card(3, a); }},
      {"type", 4, [](auto& a, auto&) { return dcmi_get_device_type(3, 0, a); }},
      {"logic_id", 4, [](auto& a, auto&) { return dcmi_get_device_logic_id(a, 3, 0); }},
      {"phyid", 4, [](auto& a, auto&) { return dcmi_get_device_phyid_from_logicid(3, a); }},
      {"dcmi_version", 64, [](auto& a, auto&) { return dcmi_get_dcmi_version(a, 64); }},
      {"driver_version", 64, [](auto& a, auto&) { return dcmi_get_driver_version(a, 64); }},
      {"chip_info", 100, [](auto& a, auto&) { return dcmi_get_device_chip_info(3, 0, a); }},
      {"chip_info_v2", 132, [](auto& a, auto&) { return dcmi_get_device_chip_info_v2(3, 0, a); }},
      {"elabel", 1280, [](auto& a, auto&) { return dcmi_get_card_elabel_v2(3, a); }},
      {"driver_health", 4, [](auto& a, auto&) { return dcmi_get_driver_health(a); }},
      {"card_power", 4, [](auto& a, auto&) { return dcmi_mcu_get_power_info(3, a); }},
  };
}

std::vector<Case> CasesOfChips() {
  return {
      {"health", 4, [](auto& a, auto&) { return dcmi_get_device_health(3, 0, a); }},
      {"faults", 512,
       [](auto& a, auto& b) { return dcmi_get_device_errorcode_v2(3, 0, b, a, 128); }, 4},
      {"fault_text", 96,
       [](auto& a, auto&) { return dcmi_get_device_errorcode_string(3, 0, 1, a, 96); }},
      {"fault_events", 8 * 360,
       [](auto& a, auto& b) { return dcmi_get_device_current_fault_event(3, 0, a, 8, b); }, 4},
      {"temperature", 4, [](auto& a, auto&) { return dcmi_get_device_temperature(3, 0, a); }},
      {"sensor", 64, [](auto& a, auto&) { return dcmi_get_device_sensor_info(3, 0, 2, a); }},
      {"hbm", 32, [](auto& a, auto&) { return dcmi_get_device_hbm_info(3, 0, a); }},
      {"ddr", 112, [](auto& a, auto&) { return dcmi_get_device_memory_info_v3(3, 0, a); }},
      {"ecc", 36, [](auto& a, auto&) { return dcmi_get_device_ecc_info(3, 0, 2, a); }},
      {"processes", 512, [](auto& a, auto& b) { return dcmi_get_device_resource_info(3, 0, a, b); },
       4},
      {"affinity", 128,
       [](auto& a, auto& b) { return dcmi_get_affinity_cpu_info_by_device_id(3, 0, a, b); }, 4},
      {"hccs_bandwidth", 280,
       [](auto& a, auto&) { return dcmi_get_hccs_link_bandwidth_info(3, 0, a); }},
      {"topology", 4,
       [](auto& a, auto&) { return dcmi_get_topo_info_by_device_id(3, 0, 4, 0, a); }},
      {"packets", sizeof(fake_dcmi::NetworkPacketStats),
       [](auto& a, auto&) { return dcmi_get_netdev_pkt_stats_info(3, 0, 0, a); }},
  };
}

void ExpectAllFilled(const std::vector<Case>& cases, unsigned char with) {
  for (const Case& it : cases) {
    SCOPED_TRACE(it.name);
    Buffer a;
    Buffer b;
    EXPECT_EQ(it.call(a, b), kOk);
    EXPECT_EQ(a.Filled(with), it.room);
    EXPECT_TRUE(a.UntouchedFrom(it.room));
    EXPECT_EQ(b.Filled(with), it.second_room);
    EXPECT_TRUE(b.UntouchedFrom(it.second_room));
  }
}

TEST(FakeGarbageTest, EveryByteOfEveryOutParameterIsFilledAndNoOther) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  machine.Add("rule * * garbage ones");
  ExpectAllFilled(CasesOfCards(), 0xFF);
  ExpectAllFilled(CasesOfChips(), 0xFF);
  machine.Add("rule * * garbage zeros");
  ExpectAllFilled(CasesOfCards(), 0);
  ExpectAllFilled(CasesOfChips(), 0);
}

TEST(FakeGarbageTest, TheBufferOfDeviceInfoIsFilledToTheSizeThatTheCallerTells) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  machine.Add("rule dcmi_get_device_info:16/5 3 garbage ones");
  Buffer buffer;
  unsigned int size = 1024;
  EXPECT_EQ(dcmi_get_device_info(3, 0, 16, 5, buffer, &size), kOk);
  EXPECT_EQ(buffer.Filled(0xFF), 1024U);
  EXPECT_EQ(size, 0xFFFFFFFFU);
  size = 8;
  Buffer throttle;
  EXPECT_EQ(dcmi_get_device_info(3, 0, 8, 9, throttle, &size), kOk);
  EXPECT_EQ(throttle.Filled(0xFF), 0U) << "the rule is for another type";
}

TEST(FakeGarbageTest, TheSecondGenerationGivesTheSame) {
  const MachineFile machine("2x950");
  ASSERT_EQ(dcmiv2_init(), kOk);
  machine.Add("rule * * garbage ones");
  ExpectAllFilled(
      {{"list", 16, [](auto& a, auto& b) { return dcmiv2_get_device_list(a, b, 4); }, 4},
       {"slot_id", 4,
        [](auto& a, auto& b) { return dcmiv2_get_slot_id_and_chip_id_by_dev_id(1, a, b); }, 4},
       {"ports", sizeof(fake_dcmi::PortList),
        [](auto& a, auto&) { return dcmiv2_get_device_port_list_info(1, a); }},
       {"link", sizeof(fake_dcmi::UbPortLinkStatus),
        [](auto& a, auto&) { return dcmiv2_get_ub_port_link_status(1, a); }}},
      0xFF);
  EXPECT_EQ(dcmiv2_init(), kOk) << "what has nothing to fill does its work";
}

TEST(FakeGarbageTest, TextHasNoEnd) {
  const MachineFile machine("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  machine.Add("rule dcmi_get_card_elabel_v2 3/* garbage text");
  Buffer label;
  ASSERT_EQ(dcmi_get_card_elabel_v2(3, label), kOk);
  for (std::size_t i = 0; i < sizeof(fake_dcmi::ElabelInfo); ++i) {
    ASSERT_TRUE(label[i] >= 'A' && label[i] <= 'Z') << i;
  }
  Buffer other;
  ASSERT_EQ(dcmi_get_card_elabel_v2(2, other), kOk);
  EXPECT_EQ(other[255], 0) << "the rule is for another card";
}

std::vector<Buffer> RandomAnswers(int card) {
  std::vector<Buffer> answers(8);
  for (Buffer& answer : answers) EXPECT_EQ(dcmi_get_device_hbm_info(card, 0, answer), kOk);
  return answers;
}

TEST(FakeGarbageTest, RandomBytesDifferFromCallToCallAndComeAgainInTheNextRun) {
  std::vector<Buffer> first;
  {
    const MachineFile machine("8x910b");
    ASSERT_EQ(dcmi_init(), kOk);
    machine.Add("rule dcmi_get_device_hbm_info * garbage");
    first = RandomAnswers(3);
    const auto others = RandomAnswers(4);
    std::set<Buffer> different(first.begin(), first.end());
    different.insert(others.begin(), others.end());
    EXPECT_EQ(different.size(), 16U);
    for (const Buffer& answer : first) EXPECT_TRUE(answer.UntouchedFrom(32));
  }
  const MachineFile again("8x910b");
  ASSERT_EQ(dcmi_init(), kOk);
  again.Add("rule dcmi_get_device_hbm_info * garbage random");
  EXPECT_TRUE(first == RandomAnswers(3));
}

}  // namespace

// What hccn_tool is asked, and what becomes of its answers.
#include "hal/hccn_tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hal/npu_smi/fake_tool.h"

namespace ascend::npu_smi {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
T Value(const absl::StatusOr<T>& value) {
  EXPECT_TRUE(value.ok()) << value.status().message();
  return value.ok() ? *value : T{};
}

class HccnToolTest : public ::testing::Test {
 protected:
  HccnToolTest() : script("") { script.BeHccnTool(); }

  void Answer(const std::string& arguments, const std::string& fixture) {
    script.Answer(arguments, Fixture("queries/" + fixture));
  }

  FakeTool script;
  const HccnChip chip{5, false};
  const HccnChip chip_950{3, true};
};

TEST_F(HccnToolTest, TheLinkHasStateSpeedAddressAndChanges) {
  Answer("-i 5 -link -g", "hccn-link-up.txt");
  Answer("-i 5 -speed -g", "hccn-speed-910b.txt");
  Answer("-i 5 -ip -g", "hccn-ip.txt");
  Answer("-i 5 -link_stat -g", "hccn-link_stat-910b.txt");
  HccnTool tool(script.Setup().hccn, script.clock);
  const NetworkLinkReading reading = Value(tool.ReadLink(chip));
  ASSERT_EQ(reading.ports.size(), 1U);
  EXPECT_EQ(reading.ports[0],
            (NetworkPort{0, Count{1}, Count{1}, BytesPerSecond{25e9}, Count{5}, Count{4}}));
}

TEST_F(HccnToolTest, APortWithoutAnAddressIsNoError) {
  Answer("-i 5 -link -g", "hccn-link-up.txt");
  script.Answer("-i 5 -ip -g", Fixture("queries/hccn-ip-none.txt"), "exit 13");
  script.Answer("-i 5 -net_health -g", Fixture("queries/hccn-ip-none.txt"), "exit 13");
  HccnTool tool(script.Setup().hccn, script.clock);
  const NetworkLinkReading reading = Value(tool.ReadLink(chip));
  EXPECT_EQ(reading.ports[0].address_configured, Count{0});
  EXPECT_EQ(reading.ports[0].speed, std::nullopt);
  EXPECT_EQ(Value(tool.ReadHealth(chip)).state, std::nullopt);
}

TEST_F(HccnToolTest, OnlySuccessIsHealthyAndTheBeginningIsUnknown) {
  const std::pair<const char*, std::optional<NetworkHealth>> kStates[] = {
      {"Success", NetworkHealth::kOk},           {"Fault", NetworkHealth::kFaulty},
      {"Socket failed", NetworkHealth::kFaulty}, {"Receive timeout", NetworkHealth::kFaulty},
      {"Init", NetworkHealth::kUnknown},         {"detect ip set", NetworkHealth::kUnknown},
      {"no ip was preset", std::nullopt}};
  for (const auto& [words, state] : kStates) {
    SCOPED_TRACE(words);
    script.Answer("-i 5 -net_health -g", fmt::format("net health status: {}", words));
    HccnTool tool(script.Setup().hccn, script.clock);
    EXPECT_EQ(Value(tool.ReadHealth(chip)).state, state);
  }
}

TEST_F(HccnToolTest, CountersAreKnownByTheNamesOfTheTool) {
  Answer("-i 5 -stat -g", "hccn-stat-910b.txt");
  HccnTool tool(script.Setup().hccn, script.clock);
  const NetworkCountersReading reading = Value(tool.ReadCounters(chip));
  ASSERT_EQ(reading.ports.size(), 1U);
  const PortCounters& port = reading.ports[0];
  EXPECT_EQ(port[NetworkCounter::kMacTxPause], Count{1});
  EXPECT_EQ(port[NetworkCounter::kMacTxPfc], Count{3});
  EXPECT_EQ(port[NetworkCounter::kRoceUnexpectedAcks], Count{4});
  EXPECT_EQ(port[NetworkCounter::kRoceOutOfOrder], Count{5});
  EXPECT_EQ(port[NetworkCounter::kRoceQpStatusErrors], Count{6});
  EXPECT_EQ(port[NetworkCounter::kNicTxPackets], Count{7});
  EXPECT_EQ(port[NetworkCounter::kRoceEcnMarked], std::nullopt);
  EXPECT_EQ(tool.unknown_lines(), 1U);
}

TEST_F(HccnToolTest, OpticalPowersAreInWatts) {
  Answer("-i 5 -optical -g", "hccn-optical.txt");
  HccnTool tool(script.Setup().hccn, script.clock);
  const OpticalReading reading = Value(tool.ReadOptical(chip));
  ASSERT_EQ(reading.modules.size(), 1U);
  EXPECT_EQ(reading.modules[0], (OpticalModule{0, Count{1}, Celsius{41}, Volts{3.2451}, Count{0},
                                               Count{1}, Watts{0.0002818}, std::nullopt}));
  ASSERT_EQ(reading.lanes.size(), 2U);
  EXPECT_EQ(reading.lanes[0], (OpticalLane{0, Watts{0.0009095}, Watts{0.0010189}}));
  EXPECT_DOUBLE_EQ(reading.lanes[1].receive_power->value, 1e-6);
}

TEST_F(HccnToolTest, BandwidthIsInBytes) {
  Answer("-i 5 -bandwidth -g", "hccn-bandwidth.txt");
  HccnTool tool(script.Setup().hccn, script.clock);
  const NetworkBandwidthReading reading = Value(tool.ReadBandwidth(chip));
  EXPECT_EQ(reading.ports[0].transmit, BytesPerSecond{1.5e6});
  EXPECT_EQ(reading.ports[0].receive, BytesPerSecond{266.84e6});
}

TEST_F(HccnToolTest, A950HasPortsWithDieAndNumber) {
  Answer("-g -dev_info -i 3", "hccn-dev_info-950.txt");
  Answer("-g -stat -i 3 -u 0 -p 4", "hccn-stat-950.txt");
  Answer("-g -stat -i 3 -u 1 -p 8", "hccn-stat-950.txt");
  script.Answer("-g -link_stat -i 3 -u 0 -p 4", "link up count :    3\nlink down count :  2");
  HccnTool tool(script.Setup().hccn, script.clock);
  const NetworkLinkReading link = Value(tool.ReadLink(chip_950));
  ASSERT_EQ(link.ports.size(), 1U);  // the other is a UB port
  EXPECT_EQ(link.ports[0], (NetworkPort{PortIndex(0, 4), Count{0}, std::nullopt,
                                        BytesPerSecond{25e9}, Count{3}, Count{2}}));
  const UbReading ub = Value(tool.ReadUb(chip_950));
  ASSERT_EQ(ub.ports.size(), 2U);
  EXPECT_EQ(ub.ports[1].up, Count{1});
  EXPECT_EQ(ub.ports[1].values[static_cast<std::size_t>(UbCounter::kRxUbIpv4)], Count{11});
  EXPECT_EQ(ub.ports[1].values[static_cast<std::size_t>(UbCounter::kTxUbCompact)], Count{12});
  EXPECT_EQ(ub.ports[1].values[static_cast<std::size_t>(UbCounter::kMibRxBadPackets)], Count{14});
  EXPECT_EQ(tool.ReadCounters(chip_950).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(tool.ReadUb(chip).status().code(), absl::StatusCode::kUnimplemented);
}

TEST_F(HccnToolTest, AllOnesAreNoCount) {
  Answer("-g -dev_info -i 3", "hccn-dev_info-950.txt");
  Answer("-g -stat -i 3 -u 0 -p 4", "hccn-stat-950.txt");
  script.Answer("-g -stat -i 3 -u 1 -p 8", "ub_ipv4_pkt_cnt_rx: 18446744073709551615");
  HccnTool tool(script.Setup().hccn, script.clock);
  const UbReading ub = Value(tool.ReadUb(chip_950));
  EXPECT_FALSE(ub.ports[1].values[static_cast<std::size_t>(UbCounter::kRxUbIpv4)]);
  EXPECT_EQ(ub.refused.sentinel, 1);
}

TEST_F(HccnToolTest, PortsOfWhichOneDoesNotAnswerAreNotHalfAList) {
  Answer("-g -dev_info -i 3", "hccn-dev_info-950.txt");
  Answer("-g -stat -i 3 -u 0 -p 4", "hccn-stat-950.txt");
  script.Answer("-g -stat -i 3 -u 1 -p 8", "Command execute failed!", "exit 1");
  HccnTool tool(script.Setup().hccn, script.clock);
  EXPECT_EQ(tool.ReadUb(chip_950).status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(HccnToolTest, WithoutTheToolThereIsNoNetwork) {
  HccnOptions options;
  options.path = script / "none";
  HccnTool tool(options, script.clock);
  const absl::Status status = tool.ReadLink(chip).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("there is no hccn_tool at"));
}

TEST_F(HccnToolTest, RootRunsNoToolThatOthersMayHaveWrittenUnlessItWasNamed) {
  if (::geteuid() != 0) return;  // whoever is not root runs what it may
  ::chmod(script.hccn_tool().c_str(), 0777);
  Answer("-i 5 -link -g", "hccn-link-up.txt");
  HccnOptions options = script.Setup().hccn;
  EXPECT_TRUE(HccnTool(options, script.clock).ReadLink(chip).ok());
  options.named_by_operator = false;
  EXPECT_EQ(HccnTool(options, script.clock).ReadLink(chip).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST_F(HccnToolTest, AQueryThatAChipLacksIsAskedOnce) {
  HccnTool tool(script.Setup().hccn, script.clock);
  for (int tick = 0; tick < 3; ++tick) {
    EXPECT_EQ(tool.ReadOptical(chip).status().code(), absl::StatusCode::kUnimplemented);
    script.clock.Advance(seconds(60));
  }
  EXPECT_THAT(script.Runs(), ElementsAre("-i 5 -optical -g"));
}

TEST_F(HccnToolTest, TheDriverAsksForThePhysicalIdOfTheChip) {
  FakeTool a3(Fixture("a3-24.1.txt"));
  a3.BeHccnTool();
  a3.Answer("-i 15 -link -g", Fixture("queries/hccn-link-up.txt"));
  EXPECT_EQ(Value(a3.Open()->ReadNetworkLink({7, 1})).ports[0].up, Count{1});

  FakeTool container(Fixture("910a-container-1.9.txt"));
  container.BeHccnTool();
  container.Answer("info -m",
                   "NPU ID Chip ID Chip Logic ID Chip Name\n4 0 0 Ascend 910A\n"
                   "6 0 1 Ascend 910A");
  container.Answer("-i 6 -link -g", Fixture("queries/hccn-link-up.txt"));
  EXPECT_EQ(Value(container.Open()->ReadNetworkLink({6, 0})).ports[0].up, Count{1});

  FakeTool duo(Fixture("310p-duo-24.1.txt"));
  EXPECT_EQ(duo.Open()->ReadNetworkLink({2944, 0}).status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace ascend::npu_smi

// What the driver answers from queries about one card, and when it asks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hal/npu_smi/fake_tool.h"

namespace ascend::npu_smi {
namespace {

using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

template <typename T>
T Value(const absl::StatusOr<T>& value) {
  EXPECT_TRUE(value.ok()) << value.status().message();
  return value.ok() ? *value : T{};
}

template <class T, std::size_t N>
std::vector<T> Items(const FixedList<T, N>& list) {
  return {list.begin(), list.end()};
}

std::string Query(const std::string& name) { return Fixture("queries/" + name); }

// A machine with a 910B3 as NPU 5.
constexpr std::string_view k910B =
    "| npu-smi 25.5.1    Version: 25.5.1 |\n"
    "| NPU   Name   | Health  | Power(W)    Temp(C)    Hugepages-Usage(page)|\n"
    "| Chip         | Bus-Id  | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB) |\n"
    "| 5 910B3 | OK | 212.4 52 0 / 0 |\n| 0 | 0000:41:00.0 | 63 0 / 0 26870 / 65536 |\n";
constexpr std::string_view k950 =
    "| npu-smi 25.7 Version: 25.7 |\n"
    "| NPU ID | Name | Health | Power(W) Temp(C) Hugepages-Usage(page) |\n"
    "| | | Bus-Id | NPU Util(%) Memory-Usage(MB) HBM-Usage(MB) |\n"
    "| 3 | Ascend950PR | OK | 290.1 51 0 / 0 |\n| | | 0000:F1:00.0 | 18 0 / 0 1 / 131072 |\n";
constexpr DeviceAddress kChip{5, 0};

class NpuSmiQueriesTest : public ::testing::Test {
 protected:
  NpuSmiQueriesTest() : tool(k910B) {}

  // The answer of the tool to a query, from a fixture.
  void Answer(const std::string& arguments, const std::string& fixture) {
    tool.Answer("info -t " + arguments, Query(fixture));
  }

  FakeTool tool;
};

TEST_F(NpuSmiQueriesTest, TheBoardTellsWhoTheChipIs) {
  Answer("board -i 5", "board-910b-25.5.txt");
  Answer("board -i 5 -c 0", "board-chip-910b-25.5.txt");
  const DeviceIdentity identity = Value(tool.Open()->ReadIdentity(kChip));
  EXPECT_EQ(identity.product.view(), "IT21HMDA");
  EXPECT_EQ(identity.model.view(), "Atlas 800T A2");
  EXPECT_EQ(identity.serial.view(), "2102312NSF00000000");
  EXPECT_EQ(identity.firmware_version.view(), "7.8.0.6.201");
  EXPECT_EQ(identity.board_id.view(), "0x30");
  EXPECT_EQ(identity.die_id.view(), "1A2B3C4D-00000001-5E6F7081-92A3B4C5-D6E7F809");
  EXPECT_EQ(identity.chip_name.view(), "910B3");
  EXPECT_EQ(Value(tool.Open()->ReadCompatibility(kChip)).fits, Count{0});
}

TEST_F(NpuSmiQueriesTest, AChipWithoutAnswersIsStillKnownByItsTable) {
  const auto driver = tool.Open();
  EXPECT_EQ(Value(driver->ReadIdentity(kChip)).pci_address.view(), "0000:41:00.0");
  EXPECT_EQ(Value(driver->ReadUtilization(kChip)).aicore, Ratio{0.63});
  EXPECT_EQ(Value(driver->ReadHealth(kChip)).state, Health::kOk);
  EXPECT_EQ(driver->ReadEcc(kChip).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver->ReadFaults(kChip).status().code(), absl::StatusCode::kUnimplemented);
}

TEST_F(NpuSmiQueriesTest, AnIdentityThatFailsThisTimeIsNotAnotherOne) {
  tool.Answer("info -t board -i 5", Query("read-error.txt"));
  EXPECT_EQ(tool.Open()->ReadIdentity(kChip).status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(NpuSmiQueriesTest, HealthIsTheWorseOfTableAndQueryAndBringsTheCodes) {
  Answer("health -i 5 -c 0", "health-alarm-24.1.txt");
  const auto driver = tool.Open();
  EXPECT_EQ(Value(driver->ReadHealth(kChip)).state, Health::kAlarm);
  const FaultsReading faults = Value(driver->ReadFaults(kChip));
  EXPECT_THAT(Items(faults.active), ElementsAre(0x80E01801, 0x8C084E00));
  EXPECT_THAT(Items(faults.events), IsEmpty());
  EXPECT_THAT(driver->DetailOf(kChip, 0x8C084E00).description.str(), HasSubstr("Heartbeat Lost"));
  EXPECT_TRUE(driver->DetailOf(kChip, 1).description.empty());
  EXPECT_EQ(tool.RunsOf("info -t health -i 5 -c 0"), 1U);
  tool.Answer("info -t health -i 5 -c 0", "Health Status : OK\nError Code : NA");
  tool.clock.Advance(seconds(5));
  EXPECT_EQ(Value(driver->ReadHealth(kChip)).state, Health::kOk);
  EXPECT_THAT(Items(Value(driver->ReadFaults(kChip)).active), IsEmpty());
}

TEST_F(NpuSmiQueriesTest, LoadsClocksAndMemoryComeFromTheirQueries) {
  Answer("usages -i 5", "usages-910b-25.5.txt");
  Answer("memory -i 5", "memory-910b-25.5.txt");
  tool.Answer("info -t common -i 5",
              "NPU ID : 5\nChip Count : 1\n\nChip ID : 0\nAicore Freq(MHZ) : 1800\n"
              "Aicore curFreq(MHZ) : 1650\n\nChip Name : mcu\nTemperature(C) : 35");
  const auto driver = tool.Open();
  const UtilizationReading load = Value(driver->ReadUtilization(kChip));
  EXPECT_EQ(load.aicore, Ratio{0.63});
  EXPECT_EQ(load.vector, Ratio{0.17});
  EXPECT_EQ(load.cube, Ratio{0.61});
  EXPECT_EQ(load.aicpu, Ratio{0.02});
  EXPECT_EQ(load.ctrlcpu, Ratio{0.09});
  EXPECT_EQ(load.overall, Ratio{0.66});
  const HbmReading hbm = Value(driver->ReadHbm(kChip));
  EXPECT_EQ(hbm.utilization, Ratio{0.41});
  EXPECT_EQ(hbm.bandwidth_utilization, Ratio{0.38});
  EXPECT_EQ(hbm.temperature, Celsius{49});
  EXPECT_EQ(hbm.total, Bytes{65536.0 * (1 << 20)});
  const ClockReading clocks = Value(driver->ReadClocks(kChip));
  EXPECT_EQ(clocks.aicore, Hertz{1650e6});
  EXPECT_EQ(clocks.aicore_max, Hertz{1800e6});
  EXPECT_EQ(clocks.hbm, Hertz{1600e6});
  EXPECT_EQ(clocks.ddr, std::nullopt);
  EXPECT_EQ(tool.RunsOf("info -t usages -i 5"), 1U);
}

TEST_F(NpuSmiQueriesTest, LinksComeFromTheirQueries) {
  Answer("ecc -i 5", "ecc-950-25.7.txt");
  Answer("hccs -i 5 -c 0", "hccs-910b.txt");
  Answer("pcie-err -i 5 -c 0", "pcie-err-910b.txt");
  Answer("sensors -i 5 -c 0", "sensors-910b.txt");
  const auto driver = tool.Open();
  const EccReading ecc = Value(driver->ReadEcc(kChip));
  EXPECT_EQ(ecc.hbm.single_bit, Count{4294967296});
  EXPECT_EQ(ecc.hbm.pending_isolated_pages, Count{3});
  EXPECT_EQ(ecc.ddr.single_bit, std::nullopt);
  const HccsReading hccs = Value(driver->ReadHccs(kChip));
  EXPECT_EQ(hccs.up, Count{1});
  ASSERT_EQ(hccs.links.size(), 7U);
  EXPECT_EQ(hccs.links[0].index, 1U);
  EXPECT_EQ(hccs.links[0].received, std::nullopt);
  EXPECT_EQ(hccs.refused.sentinel, 1);
  EXPECT_EQ(hccs.links[6],
            (HccsLink{7, Count{2}, Count{2}, Bytes{320}, Bytes{520}, Count{0}, Count{0}}));
  const PcieErrors errors = Value(driver->ReadPcie(kChip, "0000:41:00.0")).errors;
  EXPECT_EQ(errors.receive, Count{991});
  EXPECT_EQ(errors.data_link_lcrc, Count{2});
  EXPECT_EQ(errors.retry, Count{415});
  EXPECT_EQ(Value(driver->ReadSensors(kChip)).soc, Celsius{57});
  EXPECT_EQ(Value(driver->ReadSensors(kChip)).fp_max, std::nullopt);
  EXPECT_EQ(driver->ReadSio(kChip).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(tool.Runs(), Not(Contains(HasSubstr("sio"))));
}

TEST_F(NpuSmiQueriesTest, PairsOfDiesHaveSioAndASuperPod) {
  FakeTool a3(Fixture("a3-24.1.txt"));
  a3.Answer("info -t sio -i 7 -c 1", Query("sio-a3.txt"));
  a3.Answer("info -t spod-info -i 7 -c 1", Query("spod-a3.txt"));
  const auto driver = a3.Open();
  EXPECT_EQ(Value(driver->ReadSio({7, 1})).receive_errors, Count{65535});
  const SuperPodReading pod = Value(driver->ReadSuperPod({7, 1}));
  EXPECT_EQ(pod.super_pod_id, 3U);
  EXPECT_EQ(pod.server_id, 4U);
  EXPECT_EQ(pod.sdid, 16777216U);
  EXPECT_EQ(pod.scale, 384U);
}

TEST_F(NpuSmiQueriesTest, BothChipsOfACardAreReadFromOneRun) {
  FakeTool duo(Fixture("310p-duo-24.1.txt"));
  duo.Answer("info -t usages -i 2944", Query("usages-310p-duo-24.1.txt"));
  duo.Answer("info -t power -i 2944", Query("power-310p-25.5.txt"));
  const auto driver = duo.Open();
  EXPECT_EQ(Value(driver->ReadMedia({2944, 0})).vdec, Ratio{0.3});
  EXPECT_EQ(Value(driver->ReadMedia({2944, 1})).vdec, std::nullopt);
  EXPECT_EQ(Value(driver->ReadUtilization({2944, 1})).ctrlcpu, Ratio{0.05});
  EXPECT_EQ(Value(driver->ReadDdr({2944, 0})).bandwidth_utilization, Ratio{0.22});
  EXPECT_EQ(Value(driver->ReadCardPower({2944, 0})).card, Watts{51.7});
  EXPECT_EQ(duo.RunsOf("info -t usages -i 2944"), 1U);
}

TEST_F(NpuSmiQueriesTest, NoCommandFor950HasAChip) {
  FakeTool card(k950);
  card.Answer("info -t health -i 3", Query("health-950-25.7.txt"));
  card.Answer("info -t board -i 3", Query("board-950-25.7.txt"));
  const auto driver = card.Open();
  constexpr DeviceAddress kCard{3, 0};
  EXPECT_EQ(Value(driver->ReadHealth(kCard)).state, Health::kWarning);
  EXPECT_EQ(Value(driver->ReadIdentity(kCard)).die_id.view(),
            "870408E3-2120D518-77936EE6-80B40A0A-D4100003");
  (void)driver->ReadSensors(kCard);
  (void)driver->ReadSio(kCard);
  (void)driver->ReadSuperPod(kCard);
  (void)driver->ReadPcie(kCard, "");
  (void)driver->ReadHccs(kCard);
  (void)driver->ReadEcc(kCard);
  (void)driver->ReadClocks(kCard);
  EXPECT_THAT(card.Runs(), Not(Contains(HasSubstr("-c"))));
  EXPECT_THAT(card.Runs(), Contains("info -t spod-info -i 3"));
}

TEST_F(NpuSmiQueriesTest, OneRunOfTheTopologyServesAllChips) {
  FakeTool pair(
      std::string(k910B) +
      "| 0 910B3 | OK | 212.4 52 0 / 0 |\n| 0 | 0000:42:00.0 | 63 0 / 0 26870 / 65536 |\n");
  pair.Answer("info -t topo", Query("topo-910b.txt"));
  const auto driver = pair.Open();
  EXPECT_THAT(Items(Value(driver->ReadTopology({5, 0})).links),
              ElementsAre(TopologyLink{0, LinkPath::kHccs}));
  EXPECT_THAT(Items(Value(driver->ReadTopology({0, 0})).links),
              ElementsAre(TopologyLink{5, LinkPath::kHccs}));
  EXPECT_EQ(Value(driver->ReadCpuAffinity({0, 0})).cpus.view(), "0-23,48-71");
  EXPECT_EQ(pair.RunsOf("info -t topo"), 1U);
}

TEST_F(NpuSmiQueriesTest, PeersOfTheTopologyArePhysicalIds) {
  FakeTool pair(
      std::string(k910B) +
      "| 0 910B3 | OK | 212.4 52 0 / 0 |\n| 0 | 0000:42:00.0 | 63 0 / 0 26870 / 65536 |\n");
  pair.Answer("info -t topo", Query("topo-910b.txt"));
  pair.Answer("info -m",
              "NPU ID Chip ID Chip Logic ID Chip Phy-ID Chip Name\n"
              "0 0 0 8 Ascend 910B3\n5 0 1 13 Ascend 910B3");
  EXPECT_THAT(Items(Value(pair.Open()->ReadTopology({0, 0})).links),
              ElementsAre(TopologyLink{13, LinkPath::kHccs}));
}

TEST_F(NpuSmiQueriesTest, DevicesArePhysicalIdsWhereTheMappingHasThem) {
  tool.Answer("info -m", Query("m-910b-phy-24.1.txt"));
  const auto driver = tool.Open();
  Discovery found = Value(driver->Discover());
  EXPECT_EQ(found.info.device_id_source, "phy_id");
  EXPECT_THAT(found.devices, ElementsAre(FoundDevice{kChip, 5, 1}));
  // A mapping that fails once does not rename the devices.
  tool.Answer("info -m", Query("read-error.txt"));
  tool.clock.Advance(seconds(60));
  EXPECT_EQ(Value(driver->Discover()).devices, found.devices);
}

TEST_F(NpuSmiQueriesTest, DevicesAreLogicIdsWhereNothingElseIsPrinted) {
  tool.Answer("info -m", "NPU ID Chip ID Chip Logic ID Chip Name\n5 0 1 Ascend 910B3\n5 1 - Mcu");
  const Discovery found = Value(tool.Open()->Discover());
  EXPECT_EQ(found.info.device_id_source, "logic_id");
  EXPECT_THAT(found.devices, ElementsAre(FoundDevice{kChip, 1, 1}));
}

TEST_F(NpuSmiQueriesTest, AQueryThatTheToolDoesNotKnowIsAskedOnce) {
  const auto driver = tool.Open();
  for (int tick = 0; tick < 5; ++tick) {
    EXPECT_TRUE(driver->ReadUtilization(kChip).ok());
    tool.clock.Advance(seconds(5));
  }
  EXPECT_EQ(tool.RunsOf("info -t usages -i 5"), 1U);
  EXPECT_EQ(tool.RunsOf("info"), 5U);
}

TEST_F(NpuSmiQueriesTest, LinesThatNobodyUnderstandsAreCountedOnceForEachRun) {
  tool.Print(std::string(k910B) + "odd\n");
  tool.Answer("info -t usages -i 5", "NPU ID : 5\nWarp Factor(%) : 9\nnothing\nChip ID : 0");
  const auto driver = tool.Open();
  const auto count = [&] { return driver->UnknownLines().at(0); };
  EXPECT_EQ(count(), (std::pair<std::string, std::uint64_t>("npu-smi", 0)));
  EXPECT_TRUE(driver->ReadUtilization(kChip).ok());
  EXPECT_TRUE(driver->ReadHbm(kChip).ok());
  EXPECT_EQ(count().second, 3U);
  tool.clock.Advance(seconds(5));
  EXPECT_TRUE(driver->ReadUtilization(kChip).ok());
  EXPECT_EQ(count().second, 6U);
  EXPECT_EQ(driver->UnknownLines().at(1).first, "hccn_tool");
}

struct Said {
  std::string_view text;
  std::string_view end;
  absl::StatusCode code;
};

TEST_F(NpuSmiQueriesTest, WhatTheToolSaysInsteadIsToldApart) {
  constexpr Said kSaid[] = {
      {"This device does not support querying ecc.", "exit 0", absl::StatusCode::kUnimplemented},
      {"This command cannot be executed on a VM or container.", "exit 1",
       absl::StatusCode::kUnimplemented},
      {"Invalid card id.\nError parameter of -i\nUsage: npu-smi info", "exit 1",
       absl::StatusCode::kNotFound},
      {"Error parameter of -t\nUsage: npu-smi info", "exit 1", absl::StatusCode::kUnimplemented},
      {"\tFailed to query \"ecc\" info.", "exit 0", absl::StatusCode::kUnavailable},
      {"dcmi module initialize failed. ret is -8005", "exit 187", absl::StatusCode::kUnavailable},
      {"ret is -8002", "exit 190", absl::StatusCode::kPermissionDenied},
      {"", "exit 0", absl::StatusCode::kInternal},
      {"", "exit 3", absl::StatusCode::kInternal},
      {"", "kill -SEGV $$", absl::StatusCode::kInternal},
      {"HBM Single Bit Error Count : 5", "exit 0", absl::StatusCode::kOk},
      {"HBM Single Bit Error Count : 5", "echo Usage: >&2; exit 0", absl::StatusCode::kOk},
      {"HBM Single Bit Error Count : 5", "exit 1", absl::StatusCode::kInternal},
  };
  for (const Said& said : kSaid) {
    SCOPED_TRACE(said.text);
    FakeTool saying(k910B);
    saying.Answer("info -t ecc -i 5", said.text, said.end);
    EXPECT_EQ(saying.Open()->ReadEcc(kChip).status().code(), said.code);
  }
}

TEST_F(NpuSmiQueriesTest, ValuesThatCannotBeAreAbsentAndCounted) {
  tool.Answer("info -t usages -i 5",
              "NPU ID : 5\nAivector Usage Rate(%) : 255\nAicpu Usage Rate(%) : -1\n"
              "Ctrlcpu Usage Rate(%) : 0\nChip ID : 0");
  tool.Answer("info -t ecc -i 5",
              "NPU ID : 5\nHBM Single Bit Error Count : 4294967295\n"
              "HBM Double Bit Error Count : 4294967294\nChip ID : 0");
  const auto driver = tool.Open();
  const UtilizationReading load = Value(driver->ReadUtilization(kChip));
  EXPECT_EQ(load.vector, std::nullopt);
  EXPECT_EQ(load.aicpu, std::nullopt);
  EXPECT_EQ(load.ctrlcpu, Ratio{0});
  EXPECT_EQ(load.refused.sentinel, 2);
  const EccReading ecc = Value(driver->ReadEcc(kChip));
  EXPECT_EQ(ecc.hbm.single_bit, std::nullopt);
  EXPECT_EQ(ecc.hbm.double_bit, Count{4294967294});
  EXPECT_EQ(ecc.refused.sentinel, 1);
}

}  // namespace
}  // namespace ascend::npu_smi

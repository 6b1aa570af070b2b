#include "tests/engine/simulated_node.h"

namespace ascend {
namespace {

std::size_t SeriesOf(const Page& page, const std::string& device) {
  return static_cast<std::size_t>(std::ranges::count_if(page, [&](const auto& entry) {
    return entry.first.find("device=\"" + device + "\"") != std::string::npos;
  }));
}

TEST(EngineTest, ShowsEveryDeviceAtOnce) {
  SimulatedNode node(SteadyScenario(""));
  node.clock.Advance(100ms);
  const Page page = node.Scrape();
  EXPECT_EQ(page.at("ascend_npu_devices{state=\"healthy\"}"), 4);
  EXPECT_EQ(page.at("ascend_npu_devices_expected"), 4);
  EXPECT_EQ(page.at("ascend_exporter_driver_up"), 1);
  EXPECT_EQ(page.at("ascend_exporter_driver_state{state=\"ok\"}"), 1);
  for (const char* device : {"0", "1", "2", "3"}) EXPECT_GE(SeriesOf(page, device), 40U);
  EXPECT_EQ(SeriesOf(page, "0"), SeriesOf(page, "3"));
}

TEST(EngineTest, HungDeviceLosesItsSeriesAndOthersKeepTheirs) {
  SimulatedNode node(
      SteadyScenario("  - {at: 10s, for: 4m, device: 2, kind: hang, call: temperature}\n"));
  node.clock.Advance(9500ms);
  const Page before = node.Scrape();
  const double last = before.at("ascend_npu_last_sample_timestamp_seconds{device=\"2\"}");

  // Down at most three periods and the call's deadline after the last good sample.
  node.clock.Advance(4s);
  const Page hung = node.Scrape();
  EXPECT_EQ(hung.at("ascend_npu_up{device=\"2\"}"), 0);
  EXPECT_EQ(hung.at("ascend_npu_devices{state=\"hung\"}"), 1);
  EXPECT_EQ(hung.at("ascend_npu_devices{state=\"healthy\"}"), 3);
  EXPECT_EQ(node.OwnValue("ascend_exporter_call_timeouts_total{device=\"2\"}"), 1);
  EXPECT_EQ(node.OwnValue("ascend_exporter_stuck_calls"), 1);

  node.clock.Advance(16s);  // memory's values are stale after 15 s
  EXPECT_FALSE(node.Scrape().contains("ascend_npu_temperature_celsius{device=\"2\"}"));
  EXPECT_FALSE(node.Scrape().contains("ascend_npu_voltage_volts{device=\"2\"}"));
  node.clock.Advance(3min);  // the slowest group's after 3 minutes
  const Page stale = node.Scrape();
  EXPECT_EQ(SeriesOf(stale, "2"), 3U) << "only info, up and the last sample's time may stay";
  EXPECT_LE(stale.at("ascend_npu_last_sample_timestamp_seconds{device=\"2\"}"), last + 1);
  EXPECT_EQ(SeriesOf(stale, "1"), SeriesOf(before, "1"));
  EXPECT_GT(stale.at("ascend_npu_last_sample_timestamp_seconds{device=\"1\"}"), last + 195);

  node.clock.Advance(90s);
  const Page after = node.Scrape();
  EXPECT_EQ(after.at("ascend_npu_up{device=\"2\"}"), 1);
  EXPECT_EQ(SeriesOf(after, "2"), SeriesOf(before, "2"));
  EXPECT_EQ(node.OwnValue("ascend_exporter_call_timeouts_total{device=\"2\"}"), 1);
  EXPECT_EQ(node.OwnValue("ascend_exporter_stuck_calls"), 0);
}

TEST(EngineTest, HangThatNeverEndsDoesNotKeepTheEngineFromStopping) {
  SimulatedNode node(SteadyScenario("  - {at: 1s, device: 0, kind: hang, call: all}\n"));
  node.clock.Advance(10s);
  EXPECT_EQ(node.Value("ascend_npu_up{device=\"0\"}"), 0);
  EXPECT_TRUE(node.engine->Stop());
}

TEST(EngineTest, DeviceThatHangsFromTheStartIsHungAndTheOthersComplete) {
  SimulatedNode node(SteadyScenario("  - {at: 0s, device: 1, kind: hang, call: all}\n"));
  node.clock.Advance(15s);
  const Page page = node.Scrape();
  EXPECT_EQ(page.at("ascend_npu_up{device=\"1\"}"), 0);
  EXPECT_EQ(page.at("ascend_npu_devices{state=\"hung\"}"), 1);
  EXPECT_EQ(page.at("ascend_npu_devices{state=\"healthy\"}"), 3);
}

TEST(EngineTest, SearchForDevicesThatHangsIsShownAndHarmsNoDevice) {
  SimulatedNode node(
      SteadyScenario("  - {at: 90s, for: 5m, device: 0, kind: hang, call: discovery}\n"));
  node.clock.Advance(100s);
  EXPECT_EQ(node.Value("ascend_exporter_driver_up"), 1);
  node.clock.Advance(60s);
  const Page page = node.Scrape();
  EXPECT_EQ(page.at("ascend_exporter_driver_up"), 0);
  EXPECT_EQ(page.at("ascend_exporter_driver_state{state=\"hung\"}"), 1);
  EXPECT_EQ(page.at("ascend_npu_devices{state=\"healthy\"}"), 4);
  node.clock.Advance(5min);
  EXPECT_EQ(node.Value("ascend_exporter_driver_state{state=\"ok\"}"), 1);
}

TEST(EngineTest, SearchThatHangsFromTheStartIsShown) {
  SimulatedNode node(SteadyScenario("  - {at: 0s, device: 0, kind: hang, call: discovery}\n"));
  node.clock.Advance(5s);
  EXPECT_EQ(node.Value("ascend_exporter_driver_up"), std::nullopt) << "nobody knows yet";
  EXPECT_FALSE(node.store.Load()->discovered);
  node.clock.Advance(15s);
  EXPECT_EQ(node.Value("ascend_exporter_driver_up"), 0);
  EXPECT_EQ(node.Value("ascend_exporter_driver_state{state=\"hung\"}"), 1);
}

TEST(EngineTest, FaultListedTwiceIsActiveOnceAndCountsTwice) {
  SimulatedNode node(SteadyScenario(
      "  - {at: 10s, for: 50s, device: 1, kind: fault, code: \"80E01801\", repeat: 2}\n"));
  node.clock.Advance(12s);
  EXPECT_EQ(
      node.Value("ascend_npu_fault{device=\"1\",code=\"80E01801\",action=\"restart_workload\"}"),
      1);
  EXPECT_EQ(node.Value("ascend_npu_faults_total{device=\"1\",action=\"restart_workload\"}"), 2);
}

TEST(EngineTest, OneErrorKeepsTheValueAndErrorsThatStayWithholdIt) {
  SimulatedNode node(SteadyScenario(
      "  - {at: 10s, for: 1500ms, device: 0, kind: error, call: temperature, code: -8005}\n"
      "  - {at: 20s, for: 20s, device: 0, kind: error, call: temperature, code: -8005}\n"));
  node.clock.Advance(11200ms);
  EXPECT_TRUE(node.Value("ascend_npu_temperature_celsius{device=\"0\"}"));
  EXPECT_EQ(node.OwnValue("ascend_exporter_collector_success{collector=\"temperature\"}"), 0);
  node.clock.Advance(3s);
  EXPECT_EQ(node.OwnValue("ascend_exporter_collector_success{collector=\"temperature\"}"), 1);
  node.clock.Advance(10s);
  const Page page = node.Scrape();
  EXPECT_FALSE(page.contains("ascend_npu_temperature_celsius{device=\"0\"}"));
  EXPECT_TRUE(page.contains("ascend_npu_power_watts{device=\"0\"}"));
  EXPECT_TRUE(page.contains("ascend_npu_temperature_celsius{device=\"1\"}"));
  EXPECT_EQ(page.at("ascend_npu_up{device=\"0\"}"), 1);
  node.clock.Advance(20s);
  EXPECT_TRUE(node.Value("ascend_npu_temperature_celsius{device=\"0\"}"));
}

TEST(EngineTest, LostDeviceStaysVisibleWithoutMeasurementsAndComesBack) {
  DiscoveryOptions options;
  options.lost_retention = 1h;
  SimulatedNode node(SteadyScenario("  - {at: 10s, for: 10m, device: 3, kind: lost}\n"
                                    "  - {at: 20m, device: 3, kind: lost}\n"),
                     options);
  node.clock.Advance(9s);
  const std::size_t complete = SeriesOf(node.Scrape(), "3");
  node.clock.Advance(20s);
  const Page lost = node.Scrape();
  EXPECT_EQ(lost.at("ascend_npu_up{device=\"3\"}"), 0);
  EXPECT_EQ(lost.at("ascend_npu_devices{state=\"lost\"}"), 1);
  EXPECT_EQ(lost.at("ascend_npu_devices_expected"), 4);
  EXPECT_EQ(SeriesOf(lost, "3"), 3U);
  node.clock.Advance(12min);
  EXPECT_EQ(SeriesOf(node.Scrape(), "3"), complete) << "back without a restart";
  node.clock.Advance(2h);
  const Page forgotten = node.Scrape();
  EXPECT_EQ(SeriesOf(forgotten, "3"), 0U);
  EXPECT_EQ(forgotten.at("ascend_npu_devices_expected"), 4) << "the node should have four";
}

TEST(EngineTest, EnergyIsTheIntegralOfPowerAndSkipsWhatNobodySaw) {
  SimulatedNode node(SteadyScenario(
      "  - {at: 100s, for: 100s, device: 0, kind: error, call: power, code: -8005}\n"));
  node.clock.Advance(10500ms);
  const Page early = node.Scrape();
  const double power = early.at("ascend_npu_power_watts{device=\"0\"}");
  const double first = early.at("ascend_npu_energy_joules_total{device=\"0\"}");
  node.clock.Advance(60s);
  const Page later = node.Scrape();
  EXPECT_NEAR(later.at("ascend_npu_energy_joules_total{device=\"0\"}") - first, 60 * power, 1e-6);

  node.clock.Advance(60s);  // within the gap
  EXPECT_FALSE(node.Value("ascend_npu_energy_joules_total{device=\"0\"}"));
  node.clock.Advance(100s);
  const double all = *node.Value("ascend_npu_energy_joules_total{device=\"0\"}");
  const double seen = 230.5 - 100;
  EXPECT_NEAR(all, seen * power, 3 * power);
}

TEST(EngineTest, FaultThatComesTwiceCountsTwice) {
  SimulatedNode node(
      SteadyScenario("  - {at: 10s, for: 5s, device: 1, kind: fault, code: \"80E01801\"}\n"
                     "  - {at: 30s, for: 5s, device: 1, kind: fault, code: \"80E01801\"}\n"
                     "  - {at: 30s, for: 5s, device: 1, kind: fault, code: \"12345678\"}\n"));
  const std::string count = "ascend_npu_faults_total{device=\"1\",action=\"restart_workload\"}";
  const std::string fault =
      "ascend_npu_fault{device=\"1\",code=\"80E01801\",action=\"restart_workload\"}";
  node.clock.Advance(5s);
  EXPECT_EQ(node.Value(count), 0) << "there from the start, so that the first fault shows";
  node.clock.Advance(7s);
  EXPECT_EQ(node.Value(count), 1);
  EXPECT_EQ(node.Value(fault), 1);
  const double first =
      *node.Value("ascend_npu_fault_last_timestamp_seconds{device=\"1\",code=\"80E01801\"}");
  node.clock.Advance(8s);
  EXPECT_EQ(node.Value(fault), std::nullopt);
  node.clock.Advance(12s);
  EXPECT_EQ(node.Value(count), 2);
  EXPECT_EQ(node.Value("ascend_npu_faults_total{device=\"1\",action=\"unknown\"}"), 1);
  EXPECT_EQ(node.Value("ascend_npu_fault{device=\"1\",code=\"12345678\",action=\"unknown\"}"), 1);
  EXPECT_NEAR(
      *node.Value("ascend_npu_fault_last_timestamp_seconds{device=\"1\",code=\"80E01801\"}"),
      first + 20, 1.5);
}

TEST(EngineTest, CardValuesAppearOnceACard) {
  SimulatedNode node("machine: 4x310p\nload: steady\n");
  node.clock.Advance(5s);
  const Page page = node.Scrape();
  std::size_t cards = 0;
  for (const auto& [series, value] : page) {
    cards += series.starts_with("ascend_npu_card_power_watts{card=") ? 1 : 0;
    EXPECT_FALSE(series.starts_with("ascend_npu_power_watts")) << "310P measures the card only";
    EXPECT_EQ(series.find("hbm"), std::string::npos) << series;
  }
  EXPECT_EQ(cards, 2U);
}

TEST(EngineTest, CardValuesStayWhenTheFirstChipOfTheCardIsSilent) {
  SimulatedNode node(
      "machine: 4x310p\nload: steady\nevents:\n"
      "  - {at: 10s, device: 0, kind: hang, call: card_power}\n");
  node.clock.Advance(9s);
  const std::string power = "ascend_npu_card_power_watts{card=\"1536\"}";
  const std::optional<double> before = node.Value(power);
  ASSERT_TRUE(before);
  node.clock.Advance(60s);
  EXPECT_EQ(node.Value(power), before) << "the second chip measures it, too";
}

TEST(EngineTest, SlowDeviceSkipsTicksAndTheOthersDoNot) {
  SimulatedNode node(SteadyScenario(
      "  - {at: 10s, for: 60s, device: 0, kind: slow, call: temperature, delay: 900ms}\n"
      "  - {at: 10s, for: 60s, device: 0, kind: slow, call: power, delay: 900ms}\n"));
  node.clock.Advance(60s);
  EXPECT_GT(*node.OwnValue("ascend_exporter_skipped_ticks_total{group=\"fast\"}"), 10);
  const Page page = node.Scrape();
  EXPECT_EQ(page.at("ascend_npu_up{device=\"0\"}"), 1) << "slow is not hung";
  const double now = absl::ToDoubleSeconds(node.clock.Wall() - absl::UnixEpoch());
  EXPECT_GE(page.at("ascend_npu_last_sample_timestamp_seconds{device=\"1\"}"), now - 1.1);
}

TEST(EngineTest, FactsAreAskedRarelyAndStayOnThePage) {
  SimulatedNode node(SteadyScenario(""));
  node.clock.Advance(1s);
  const Page first = node.Scrape();
  const std::string topology =
      "ascend_npu_topology_link_info{device=\"0\",peer=\"1\",path=\"hccs\"}";
  EXPECT_TRUE(first.contains(topology));
  EXPECT_TRUE(std::ranges::any_of(first, [](const auto& series) {
    return series.first.starts_with("ascend_npu_cpu_affinity_info{device=\"0\",cpus=\"");
  }));
  node.clock.Advance(9min);
  EXPECT_TRUE(node.Scrape().contains(topology));
  const std::string calls =
      "ascend_exporter_driver_calls_total{collector=\"topology\",result=\"ok\"}";
  EXPECT_EQ(node.OwnValue(calls), 4);
  node.clock.Advance(2min);
  EXPECT_EQ(node.OwnValue(calls), 8) << "every ten minutes: an answer may have been wrong";
}

TEST(EngineTest, FactsAreAskedAnewWhenADeviceGoesOrComes) {
  SimulatedNode node(SteadyScenario("  - {at: 5m, for: 2m, device: 1, kind: lost}\n"));
  node.clock.Advance(12min);
  const std::string calls =
      "ascend_exporter_driver_calls_total{collector=\"topology\",result=\"ok\"}";
  EXPECT_EQ(node.OwnValue(calls), 4 + 3 + 4) << "some are about the other devices";
  EXPECT_TRUE(node.Scrape().contains(
      "ascend_npu_topology_link_info{device=\"1\",peer=\"0\",path=\"hccs\"}"));
}

TEST(EngineTest, SameScenarioGivesTheSameBytes) {
  const std::string scenario =
      "machine: 16x910c\nload: waves\nseed: 7\nevents:\n"
      "  - {at: 20s, for: 30s, device: 6, kind: hang, call: hbm}\n"
      "  - {at: 25s, for: 30s, device: 1, kind: lost}\n";
  std::vector<std::string> pages;
  for (int run = 0; run < 2; ++run) {
    SimulatedNode node(scenario);
    for (int minute = 0; minute < 3; ++minute) {
      node.clock.Advance(30s);
      pages.push_back(node.Text());
    }
  }
  ASSERT_EQ(pages.size(), 6U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(pages[i], pages[i + 3]);
  EXPECT_NE(pages[0], pages[1]);
}

}  // namespace
}  // namespace ascend

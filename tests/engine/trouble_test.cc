// What a driver may do to one device, and what must not come of it.
#include "tests/engine/scripted_driver.h"

namespace ascend {
namespace {

TEST(TroubleTest, StuckDeviceThatLeavesAndReturnsIsNotCalledASecondTime) {
  // Hangs, is then missing from the list, and is listed again while the call is still inside.
  ScriptedNode node(
      SteadyScenario("  - {at: 10s, for: 10m, device: 2, kind: hang, call: temperature}\n"
                     "  - {at: 20s, for: 2m, device: 2, kind: lost}\n"));
  std::map<DeviceAddress, int> inside;
  int most = 0;
  node.driver->before_temperature = [&](DeviceAddress a) { most = std::max(most, ++inside[a]); };
  node.driver->temperature = [&](DeviceAddress a, auto&) { --inside[a]; };
  node->clock.Advance(5min);
  EXPECT_EQ(node->Value("ascend_npu_up{device=\"2\"}"), 0);
  EXPECT_EQ(node->Value("ascend_npu_devices{state=\"healthy\"}"), 3);
  node->clock.Advance(6min);
  EXPECT_EQ(node->Value("ascend_npu_up{device=\"2\"}"), 1) << "once the call returned";
  EXPECT_EQ(most, 1);
}

TEST(TroubleTest, IdentityThatIsReadInPartIsNotAnotherChip) {
  DiscoveryOptions options;
  options.sampling.periods[static_cast<std::size_t>(Group::kIdentity)] = 5s;
  ScriptedNode node(SteadyScenario(""), options);
  node->clock.Advance(30s);
  const std::string energy = "ascend_npu_energy_joules_total{device=\"0\"}";
  const double before = *node->Value(energy);
  const Page page = node->Scrape();
  node.driver->identity = [](DeviceAddress a, absl::StatusOr<DeviceIdentity>& identity) {
    if (a.card != 0) return;
    identity->die_id = identity->serial = "";
    identity->board_id = "";
    identity->family = ChipFamily::k910;  // what the name alone would give
    identity->traits = kHasDdr;
  };
  node->clock.Advance(10s);
  EXPECT_GT(*node->Value(energy), before);
  for (const auto& [series, value] : page) {
    if (series.starts_with("ascend_npu_info{device=\"0\"")) {
      EXPECT_TRUE(node->Scrape().contains(series)) << "what was known is still true";
    }
  }
  node.driver->identity = nullptr;
  node->clock.Advance(10s);
  EXPECT_GT(*node->Value(energy), before * 1.5);
}

TEST(TroubleTest, AnotherChipInTheSamePlaceStartsItsOwnCounters) {
  DiscoveryOptions options;
  options.sampling.periods[static_cast<std::size_t>(Group::kIdentity)] = 5s;
  ScriptedNode node(SteadyScenario(""), options);
  node->clock.Advance(60s);
  const std::string energy = "ascend_npu_energy_joules_total{device=\"0\"}";
  const double before = *node->Value(energy);
  node.driver->identity = [](DeviceAddress a, absl::StatusOr<DeviceIdentity>& identity) {
    if (a.card == 0) identity->die_id = "00000000-00000000-00000000-00000000-0000BEEF";
  };
  node->clock.Advance(10s);
  EXPECT_LT(*node->Value(energy), before / 2);
}

TEST(TroubleTest, IdentityIsReadAgainAfterAHang) {
  ScriptedNode node(
      SteadyScenario("  - {at: 10s, for: 10s, device: 0, kind: hang, call: temperature}\n"));
  int reads = 0;
  node.driver->identity = [&](DeviceAddress a, auto&) { reads += a.card == 0 ? 1 : 0; };
  node->clock.Advance(9s);
  const int before = reads;
  node->clock.Advance(15s);
  EXPECT_EQ(reads, before + 1) << "whoever answers now may be another chip";
}

TEST(TroubleTest, CallsThatAreSlowButInTimeReachThePage) {
  std::string events;
  for (const char* call : {"temperature", "power", "utilization", "hbm"}) {
    events += std::string("  - {at: 10s, for: 10m, device: 0, kind: slow, delay: 850ms, call: ") +
              call + "}\n";
  }
  SimulatedNode node(SteadyScenario(events));
  node.clock.Advance(30s);
  int temperatures = 0, ups = 0;
  for (int i = 0; i < 100; ++i) {
    node.clock.Advance(130ms);
    const Page page = node.Scrape();
    temperatures += page.contains("ascend_npu_temperature_celsius{device=\"0\"}") ? 1 : 0;
    ups += page.at("ascend_npu_up{device=\"0\"}") == 1 ? 1 : 0;
  }
  EXPECT_GE(temperatures, 40) << "two of the four seconds of a round";
  EXPECT_EQ(ups, 100);
}

TEST(TroubleTest, IdentityThatFailsSlowlyLeavesTheThreadToTheOtherCalls) {
  SimulatedNode node(SteadyScenario(
      "  - {at: 0s, for: 1h, device: 0, kind: slow, call: identity, delay: 4s}\n"
      "  - {at: 0s, for: 1h, device: 0, kind: error, call: identity, code: -8005}\n"));
  node.clock.Advance(60s);
  int ups = 0;
  for (int i = 0; i < 300; ++i) {
    node.clock.Advance(1s);
    ups += node.Value("ascend_npu_up{device=\"0\"}") == 1 ? 1 : 0;
  }
  EXPECT_GT(ups, 285);
}

TEST(TroubleTest, CallThatHasWorkedIsAskedAgainAfterNotSupported) {
  SimulatedNode node(SteadyScenario(
      "  - {at: 10s, for: 3s, device: 0, kind: error, call: health, code: -8255}\n"));
  node.clock.Advance(5s);
  ASSERT_EQ(node.Value("ascend_npu_health_state{device=\"0\",state=\"ok\"}"), 1);
  node.clock.Advance(6s);
  EXPECT_EQ(node.OwnValue("ascend_exporter_collector_success{collector=\"health\"}"), 0);
  node.clock.Advance(10s);
  EXPECT_EQ(node.Value("ascend_npu_health_state{device=\"0\",state=\"ok\"}"), 1);
}

TEST(TroubleTest, EachLateCallCountsOnce) {
  SimulatedNode node(SteadyScenario(
      "  - {at: 10s, for: 20s, device: 0, kind: slow, delay: 1500ms, call: temperature}\n"
      "  - {at: 10s, for: 20s, device: 0, kind: slow, delay: 1500ms, call: power}\n"));
  node.clock.Advance(60s);
  const double late =
      node.OwnValue(
              "ascend_exporter_driver_calls_total{collector=\"temperature\",result="
              "\"timeout\"}")
          .value_or(0) +
      node.OwnValue("ascend_exporter_driver_calls_total{collector=\"power\",result=\"timeout\"}")
          .value_or(0);
  EXPECT_GT(late, 5);
  EXPECT_EQ(node.OwnValue("ascend_exporter_call_timeouts_total{device=\"0\"}"), late);
}

TEST(TroubleTest, OneLookThatHadProblemsDoesNotLoseADevice) {
  ScriptedNode node(SteadyScenario(""));
  const std::string energy = "ascend_npu_energy_joules_total{device=\"0\"}";
  int looks = 0;
  node.driver->discovery = [&](absl::StatusOr<Discovery>& found) {
    if (++looks > 1) return;
    found->devices.erase(found->devices.begin());
    found->problems.emplace_back("card 0: no id");
  };
  node->clock.Advance(59s);
  const double before = *node->Value(energy);
  for (int i = 0; i < 20; ++i) {
    node->clock.Advance(500ms);
    EXPECT_EQ(node->Value("ascend_npu_up{device=\"0\"}"), 1);
  }
  EXPECT_GE(looks, 2) << "looked again soon";
  EXPECT_GT(*node->Value(energy), before);
}

TEST(TroubleTest, DeviceThatTwoLooksMissIsLost) {
  ScriptedNode node(SteadyScenario(""));
  node.driver->discovery = [&](absl::StatusOr<Discovery>& found) {
    found->devices.erase(found->devices.begin());
    found->problems.emplace_back("card 0: no id");
  };
  node->clock.Advance(70s);
  EXPECT_EQ(node->Value("ascend_npu_devices{state=\"lost\"}"), 1);
  EXPECT_EQ(node->Value("ascend_npu_up{device=\"0\"}"), 0);
}

TEST(TroubleTest, LastDeviceIsAsLostAsAnyOther) {
  DiscoveryOptions options;
  options.lost_retention = 10min;
  ScriptedNode node("machine: fleet:1\nload: steady\n", options);
  node.driver->discovery = [&](absl::StatusOr<Discovery>& found) {
    found = DriverError(DriverState::kNoDevices, "no cards");
  };
  node->clock.Advance(70s);
  EXPECT_EQ(node->Value("ascend_npu_devices{state=\"lost\"}"), 1);
  EXPECT_EQ(node->Value("ascend_exporter_driver_state{state=\"no_devices\"}"), 1);
  node->clock.Advance(20min);
  EXPECT_EQ(node->Value("ascend_npu_devices{state=\"lost\"}"), 0) << "after its retention";
}

TEST(TroubleTest, NewWorkerDoesNotShowTheOldChipsIdentity) {
  ScriptedNode node(SteadyScenario("  - {at: 10s, for: 1m, device: 0, kind: lost}\n"));
  node->clock.Advance(9s);
  node.driver->identity = [](DeviceAddress a, absl::StatusOr<DeviceIdentity>& identity) {
    if (a.card == 0) identity = absl::InternalError("cannot tell");
  };
  node->clock.Advance(3min);
  EXPECT_EQ(node->Value("ascend_npu_up{device=\"0\"}"), 1);
  for (const auto& [series, value] : node->Scrape()) {
    EXPECT_FALSE(series.starts_with("ascend_npu_info{device=\"0\"")) << series;
  }
}

TEST(TroubleTest, DeviceThatMovedIsFollowedEvenByALookWithProblems) {
  DiscoveryOptions options;
  options.period = 5s;
  ScriptedNode node(SteadyScenario(""), options);
  node->clock.Advance(6s);
  const double first = *node->Value("ascend_npu_temperature_celsius{device=\"0\"}");
  const double second = *node->Value("ascend_npu_temperature_celsius{device=\"1\"}");
  ASSERT_NE(first, second);
  node.driver->discovery = [](absl::StatusOr<Discovery>& found) {
    std::swap(found->devices[0].device, found->devices[1].device);
    found->problems = {"a card did not answer"};
  };
  node->clock.Advance(20s);
  EXPECT_EQ(node->Value("ascend_npu_temperature_celsius{device=\"0\"}"), second);
  EXPECT_EQ(node->Value("ascend_npu_temperature_celsius{device=\"1\"}"), first);
}

TEST(TroubleTest, EventsOfALateAnswerCount) {
  ScriptedNode node(
      SteadyScenario("  - {at: 10s, for: 3s, device: 0, kind: slow, call: faults, "
                     "delay: 1500ms}\n"));
  node->clock.Advance(9s);
  bool told = false;
  node.driver->faults = [&](DeviceAddress a, absl::StatusOr<FaultsReading>& faults) {
    if (a.card != 0 || told || node->clock.Now() < Mono(11s)) return;
    faults->events.Add(0x80E01801);
    told = true;
  };
  node->clock.Advance(30s);
  EXPECT_TRUE(told);
  EXPECT_EQ(node->Value("ascend_npu_faults_total{device=\"0\",action=\"restart_workload\"}"), 1);
}

TEST(TroubleTest, SlowCallDoesNotHoldBackWhatWasFoundBeforeIt) {
  SimulatedNode node(
      SteadyScenario("  - {at: 5s, device: 0, kind: slow, call: faults, "
                     "delay: 1900ms}\n"));
  node.clock.Advance(10s);
  for (int i = 0; i < 40; ++i) {
    node.clock.Advance(200ms);
    EXPECT_EQ(node.Value("ascend_npu_health_state{device=\"0\",state=\"ok\"}"), 1) << i;
  }
}

}  // namespace
}  // namespace ascend

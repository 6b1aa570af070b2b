// The page of whole simulated machines, and how often it is rendered.
#include "exporter/compat/compat_page.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "exporter/compat/differences.h"
#include "tests/engine/simulated_node.h"

namespace ascend {
namespace {

class CompatMachineTest : public testing::TestWithParam<const char*> {
 protected:
  CompatMachineTest() : node_(std::string("machine: ") + GetParam() + "\nload: steady\n") {
    node_.clock.Advance(40s);
  }
  MetricsPage Read() {
    const auto text = CompatPage(node_.store, {.version = "v"}).Text();
    absl::StatusOr<MetricsPage> page = ReadMetricsPage(*text);
    EXPECT_TRUE(page.ok()) << page.status();
    return page.ok() ? *std::move(page) : MetricsPage();
  }
  SimulatedNode node_;
};

TEST_P(CompatMachineTest, EveryLineIsASampleOfAKnownNameAndNoneStandsTwice) {
  const MetricsPage page = Read();
  EXPECT_EQ(page.bad_lines, 0U) << page.first_bad;
  EXPECT_GT(page.samples.size(), 40U);
  std::set<std::string> seen;
  std::string last;
  for (const PageSample& sample : page.samples) {
    EXPECT_FALSE(sample.has_timestamp);
    EXPECT_NE(FindVendorName(sample.series.name, !sample.series.Label("port").empty()), nullptr)
        << sample.series.name;
    EXPECT_LE(last, sample.series.name) << "families are not sorted";
    last = sample.series.name;
    std::string key = sample.series.name;
    std::string before;
    for (const auto& [label, value] : sample.series.labels) {
      EXPECT_LT(before, label) << "labels of " << last << " are not sorted";
      before = label;
      key += '\0' + value;
    }
    EXPECT_TRUE(seen.insert(key).second) << last;
  }
}

TEST_P(CompatMachineTest, IsWhatThisProgramsOwnPageSaysInOtherWords) {
  const auto own = ReadMetricsPage(node_.Text());
  ASSERT_TRUE(own.ok());
  const Comparison same = ComparePages(Read(), InVendorNames(*own));
  EXPECT_EQ(same.unexplained, std::vector<std::string>());
  EXPECT_GT(same.equal, 40U);
}

TEST_P(CompatMachineTest, ShowsNoValueThatMeansNone) {
  for (const PageSample& sample : Read().samples) {
    if (sample.series.name.find("optical") != std::string::npos) continue;  // dBm may be below 0
    EXPECT_GE(sample.value, 0) << sample.series.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, CompatMachineTest,
                         testing::Values("8x910b", "16x910c", "4x310p", "8x950"),
                         [](const auto& machine) { return std::string(machine.param); });

TEST(CompatPageTest, IsRenderedOnceForEachSnapshot) {
  SimulatedNode node(SteadyScenario(""));
  node.clock.Advance(5s);
  CompatPage page(node.store, {.version = "v"});
  const auto text = page.Text();
  EXPECT_EQ(page.Text(), text);
  node.clock.Advance(2s);
  EXPECT_NE(page.Text(), text);
}

TEST(CompatPageTest, AnyThreadMayAskWhileSnapshotsCome) {
  SimulatedNode node(SteadyScenario(""));
  node.clock.Advance(5s);
  CompatPage page(node.store, {.version = "v"});
  std::vector<std::jthread> scrapers;
  for (int i = 0; i < 3; ++i) {
    scrapers.emplace_back([&page] {
      for (int scrape = 0; scrape < 50; ++scrape) {
        EXPECT_NE(page.Text()->find("machine_npu_nums 4\n"), std::string::npos);
      }
    });
  }
  for (int second = 0; second < 5; ++second) node.clock.Advance(1s);
}

TEST(CompatPageTest, BeforeTheFirstSnapshotItSaysWhoItIs) {
  SnapshotStore store;
  CompatPage page(store, {.version = "ours"});
  EXPECT_NE(page.Text()->find("npu_exporter_version_info{exporterVersion=\"ours\"} 1\n"),
            std::string::npos);
  EXPECT_EQ(page.Text()->find("machine_npu_nums"), std::string::npos);
}

TEST(CompatPageTest, ALostChipIsNoLongerCountedAndItsValuesEnd) {
  SimulatedNode node(SteadyScenario("  - {at: 20s, device: 1, kind: lost}\n"));
  node.clock.Advance(10s);
  CompatPage page(node.store, {.version = "v"});
  EXPECT_NE(page.Text()->find("machine_npu_nums 4\n"), std::string::npos);
  node.clock.Advance(100s);
  EXPECT_NE(page.Text()->find("machine_npu_nums 3\n"), std::string::npos);
  EXPECT_EQ(page.Text()->find("npu_chip_info_power{container_name=\"\",id=\"1\""),
            std::string::npos);
  EXPECT_NE(page.Text()->find("npu_chip_info_power{container_name=\"\",id=\"2\""),
            std::string::npos);
}

}  // namespace
}  // namespace ascend

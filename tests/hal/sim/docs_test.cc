// docs/scenarios.md promises that its examples work.
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

std::vector<std::string> Lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The contents of the page's yaml code blocks.
std::vector<std::string> Examples(const std::vector<std::string>& lines) {
  std::vector<std::string> examples;
  bool inside = false;
  for (const std::string& line : lines) {
    if (line == "```yaml") {
      inside = true;
      examples.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      examples.back() += line + "\n";
    }
  }
  return examples;
}

TEST(ScenarioPageTest, EveryExampleIsAFileThatOpens) {
  VirtualClock clock;
  const TemporaryFile place("");
  const std::string folder = place.path().substr(0, place.path().rfind('/') + 1);
  int scenarios = 0;
  int machines = 0;
  for (const std::string& example : Examples(Lines(SourcePath("docs/scenarios.md")))) {
    if (example.starts_with("machine:")) {
      ++scenarios;
      EXPECT_TRUE(OpenedText(example, clock)) << example;
    } else {
      ++machines;
      const TemporaryFile machine(example);
      EXPECT_TRUE(OpenedText("machine: " + machine.path() + "\n", clock)) << example;
    }
  }
  EXPECT_GE(scenarios, 4);
  EXPECT_GE(machines, 1);
}

// The keys of both formats and every word that they allow stand on the page.
TEST(ScenarioPageTest, NamesEveryKeyAndChoice) {
  std::string page;
  for (const std::string& line : Lines(SourcePath("docs/scenarios.md"))) page += line + "\n";
  const char* const words[] = {"machine",
                               "seed",
                               "load",
                               "events",
                               "steady",
                               "idle",
                               "waves",
                               "8x910b",
                               "16x910c",
                               "4x310p",
                               "8x950",
                               "fleet:N",
                               "at",
                               "for",
                               "device",
                               "kind",
                               "temperature",
                               "celsius",
                               "ecc",
                               "memory",
                               "severity",
                               "single_bit",
                               "double_bit",
                               "count",
                               "fault",
                               "code",
                               "repeat",
                               "lost",
                               "slow",
                               "delay",
                               "call",
                               "hang",
                               "error",
                               "used_ratio",
                               "health",
                               "state",
                               "all",
                               "discovery",
                               "identity",
                               "faults",
                               "power",
                               "card_power",
                               "utilization",
                               "hbm",
                               "ddr",
                               "processes",
                               "driver_version",
                               "library_version",
                               "tool_version",
                               "defaults",
                               "chips",
                               "logic_id",
                               "npu_id",
                               "chip_id",
                               "board_id",
                               "chip_name",
                               "pci_address",
                               "die_id",
                               "serial",
                               "model",
                               "product",
                               "firmware_version",
                               "temperature_celsius",
                               "power_watts",
                               "card_power_watts",
                               "aicore",
                               "vector",
                               "cube",
                               "aicpu",
                               "ctrlcpu",
                               "overall",
                               "total_mib",
                               "used_mib",
                               "bandwidth_utilization",
                               "hugepages_total",
                               "hugepages_free",
                               "hugepage_kib",
                               "sram",
                               "npu",
                               "enabled",
                               "lifetime_single_bit",
                               "lifetime_double_bit",
                               "isolated_pages",
                               "pid",
                               "name",
                               "memory_mib",
                               "ok",
                               "warning",
                               "alarm",
                               "critical",
                               "unknown"};
  for (const std::string word : words) {
    EXPECT_THAT(page, testing::HasSubstr("`" + word + "`")) << word;
  }
}

}  // namespace
}  // namespace ascend

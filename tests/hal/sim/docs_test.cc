// docs/scenarios.md promises that its examples work.
#include <fstream>
#include <sstream>
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
  EXPECT_GE(scenarios, 5);
  EXPECT_GE(machines, 2);
}

// The keys of both formats and every word that they allow stand on the page.
TEST(ScenarioPageTest, NamesEveryKeyAndChoice) {
  std::string page;
  for (const std::string& line : Lines(SourcePath("docs/scenarios.md"))) page += line + "\n";
  std::istringstream words(
      "machine seed load events steady idle waves 8x910b 16x910c 4x310p 8x950 fleet:N at "
      "for device kind temperature celsius ecc memory severity single_bit double_bit count "
      "fault code repeat lost slow delay call hang error used_ratio health state all "
      "discovery identity faults power card_power utilization hbm ddr processes "
      "driver_version library_version tool_version defaults chips logic_id npu_id chip_id "
      "board_id chip_name pci_address die_id serial model product firmware_version "
      "temperature_celsius power_watts card_power_watts aicore vector cube aicpu ctrlcpu "
      "overall total_mib used_mib bandwidth_utilization hugepages_total hugepages_free "
      "hugepage_kib sram npu enabled lifetime_single_bit lifetime_double_bit isolated_pages "
      "pid name memory_mib ok warning alarm critical unknown throttle reason thermal "
      "edp_software edp_hardware power_brake power_cap svfd load_aware fault_blip link_down "
      "link number udie port network ub counter_reset pcie_degraded lanes speed_gts "
      "optical_loss direction transmit receive voltage clocks sensors power_limit cores "
      "media fans compatibility vnpus topology cpu_affinity hccs hccs_bandwidth sio pcie "
      "pcie_bandwidth super_pod network_health network_link network_counters "
      "network_bandwidth optical driver_health rules fault_details minor major description "
      "pending_isolated_pages power_limit_watts voltage_volts aicore_mhz aicore_max_mhz "
      "vectorcore_mhz ctrlcpu_mhz hbm_mhz ddr_mhz cluster peripheral ntc1 ntc2 ntc3 ntc4 "
      "soc fp_max n_die damaged invalid vdec vpc venc jpege jpegd compatible id template "
      "memory_total_mib memory_used_mib aicores hccs_switch pix pxb phb sys up counter_bits "
      "links lanes_expected transmit_flits receive_flits crc_errors retries "
      "transmit_gigabytes_per_second receive_gigabytes_per_second transmit_errors "
      "receive_errors max_speed_gts max_lanes errors bandwidth symbol_unlock pcs_receive "
      "phy_lane data_link_lcrc data_link_dcrc ecrc retry correctable nonfatal fatal "
      "transmit_posted transmit_nonposted transmit_completion receive_posted "
      "receive_nonposted receive_completion super_pod_id server_id sdid scale ports faulty "
      "address_configured speed_mbps up_changes down_changes transmit_mbytes_per_second "
      "receive_mbytes_per_second counters present transmit_loss_of_signal "
      "receive_loss_of_signal transmit_power_low_milliwatts receive_power_low_milliwatts "
      "transmit_milliwatts receive_milliwatts ");
  for (std::string word; words >> word;) {
    EXPECT_THAT(page, testing::HasSubstr("`" + word + "`")) << word;
  }
}

}  // namespace
}  // namespace ascend

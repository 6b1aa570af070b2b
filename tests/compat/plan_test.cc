// The npu-exporter's page made of series that each test writes by hand.
#include "exporter/compat/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "exporter/compat/value.h"

namespace ascend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Series with their values, as a page has them; the value "-" is absent.
struct Source {
  explicit Source(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::string_view rest = line;
      std::optional<SeriesName> name = TakeSeries(rest);
      EXPECT_TRUE(name) << line;
      const std::string value(rest.substr(rest.rfind(' ') + 1));
      series.push_back({*name, values.size()});
      values.push_back(value == "-" ? std::nullopt : std::optional(std::stod(value)));
    }
  }
  std::vector<SourceSeries> series;
  std::vector<std::optional<double>> values;
};

std::string Render(const std::string& text, const CompatOptions& options = {.version = "v"}) {
  const Source source(text);
  std::string page;
  CompatPlan(source.series, source.values, options).Encode(source.values, page);
  return page;
}

// The lines of one name, without their labels, each "name value".
std::vector<std::string> ValuesOf(const std::string& name, const std::string& text) {
  std::vector<std::string> values;
  std::istringstream lines(Render(text));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + "{") || line.starts_with(name + " ")) {
      values.push_back(line.substr(line.rfind(' ') + 1));
    }
  }
  return values;
}

std::string OneValue(const std::string& name, const std::string& text) {
  const std::vector<std::string> values = ValuesOf(name, text);
  EXPECT_EQ(values.size(), 1U) << name;
  return values.empty() ? "" : values.front();
}

constexpr char kChip[] =
    "ascend_npu_info{device=\"3\",card=\"1\",pci_address=\"0000:c1:00.0\",die_id=\"A-B\","
    "serial=\"S1\",chip_name=\"910B3\",product=\"P\"} 1\n";

TEST(CompatPlanTest, LabelsAreThoseOfTheNpuExporterInItsOrder) {
  EXPECT_THAT(
      Render(std::string(kChip) + "ascend_npu_temperature_celsius{device=\"3\"} 40"),
      HasSubstr("npu_chip_info_temperature{container_name=\"\",id=\"3\",model_name=\"910B3-Ascend-"
                "V1\",namespace=\"\",pcie_bus_info=\"0000:C1:00.0\",pod_name=\"\",vdie_id=\"A-B\"} "
                "40\n"));
}

TEST(CompatPlanTest, EveryFamilyHasItsHelpAndIsAGauge) {
  const std::string page = Render("ascend_npu_hccs_crc_errors_total{device=\"3\",link=\"1\"} 2");
  EXPECT_THAT(page, HasSubstr("# HELP npu_chip_info_hccs_statistic_info_crc_err_cnt_1 As "));
  EXPECT_THAT(page, HasSubstr("# TYPE npu_chip_info_hccs_statistic_info_crc_err_cnt_1 gauge\n"));
}

TEST(CompatPlanTest, FamiliesAreSortedByNameAndSeriesByTheTextOfTheirLabels) {
  std::string text;
  for (const char* id : {"2", "10", "1"}) {
    text += std::string("ascend_npu_voltage_volts{device=\"") + id + "\"} 0.8\n";
    text += std::string("ascend_npu_power_watts{device=\"") + id + "\"} 1" + id + "\n";
  }
  EXPECT_THAT(ValuesOf("npu_chip_info_power", text), ElementsAre("11", "110", "12"));
  const std::string page = Render(text);
  EXPECT_LT(page.find("npu_chip_info_power"), page.find("npu_chip_info_voltage"));
  EXPECT_LT(page.find("npu_chip_info_voltage"), page.find("npu_exporter_version_info"));
}

TEST(CompatPlanTest, AbsentIsAbsentWithItsHelp) {
  EXPECT_THAT(Render("ascend_npu_power_watts{device=\"3\"} -"),
              Not(HasSubstr("npu_chip_info_power")));
}

TEST(CompatPlanTest, UnitsAreThoseOfTheNpuExporterAndDecimalsExact) {
  struct Case {
    const char *name, *series, *value, *want;
  };
  for (const Case& c : {
           Case{"npu_chip_info_power", "ascend_npu_power_watts{device=\"3\"}", "103.4", "103.4"},
           {"npu_chip_info_temperature", "ascend_npu_temperature_celsius{device=\"3\"}", "-1",
            "-1"},
           {"npu_chip_info_voltage", "ascend_npu_voltage_volts{device=\"3\"}", "0.8", "0.8"},
           {"npu_chip_info_aicore_current_freq",
            "ascend_npu_frequency_hertz{device=\"3\",clock=\"aicore\"}", "1850000000", "1850"},
           {"npu_chip_info_utilization",
            "ascend_npu_utilization_ratio{device=\"3\",engine=\"aicore\"}", "0.57", "57"},
           {"npu_chip_info_hbm_used_memory", "ascend_npu_hbm_used_bytes{device=\"3\"}",
            "1048576000", "1000"},
           {"npu_chip_info_hccs_statistic_info_tx_cnt_1",
            "ascend_npu_hccs_transmit_bytes_total{device=\"3\",link=\"1\"}", "100020000020",
            "5001000001"},
           {"npu_chip_info_hccs_bandwidth_info_rx_7",
            "ascend_npu_hccs_receive_bandwidth_bytes_per_second{device=\"3\",link=\"7\"}",
            "1825897971712", "1700.5"},
           {"npu_chip_info_pcie_tx_np_bw",
            "ascend_npu_pcie_transmit_bandwidth_bytes_per_second{device=\"3\",kind=\"nonposted\"}",
            "2306867200000", "2200"},
           {"npu_chip_link_speed", "ascend_npu_network_speed_bytes_per_second{device=\"3\"}",
            "25000000000", "200000"},
           {"npu_chip_info_bandwidth_tx",
            "ascend_npu_network_transmit_bandwidth_bytes_per_second{device=\"3\"}", "11000250000",
            "11000.25"},
           {"npu_chip_optical_vcc", "ascend_npu_optical_voltage_volts{device=\"3\"}", "3.3005",
            "3300.5"},
           {"npu_chip_optical_tx_power_0",
            "ascend_npu_optical_transmit_power_watts{device=\"3\",lane=\"0\"}", "0.0009095",
            "0.9095"},
           {"npu_chip_info_sio_crc_tx_err_cnt",
            "ascend_npu_sio_transmit_errors_total{device=\"3\"}", "7", "7"},
           {"npu_chip_info_hbm_ecc_total_double_bit_error_cnt",
            "ascend_npu_ecc_lifetime_errors_total{device=\"3\",memory=\"hbm\",severity=\"double_"
            "bit\"}",
            "50", "50"},
       }) {
    EXPECT_EQ(OneValue(c.name, std::string(c.series) + " " + c.value), c.want) << c.name;
  }
}

TEST(CompatPlanTest, EveryPercentIsAWholeNumberOfPercent) {
  for (int percent = 0; percent <= 100; ++percent) {
    EXPECT_EQ(MeantDecimal(percent / 100.0 * 100), percent);
  }
  EXPECT_EQ(MeantDecimal(0.1 + 0.2), 0.3);
  EXPECT_EQ(MeantDecimal(9007199254740993.0), 9007199254740993.0);
}

TEST(CompatPlanTest, HealthIsOneForOkZeroForAFaultAndAbsentWhereUnknown) {
  const auto health = [](const std::string& current) {
    std::string text;
    for (const std::string state : {"ok", "warning", "alarm", "critical", "unknown"}) {
      text += "ascend_npu_health_state{device=\"3\",state=\"" + state + "\"} ";
      text += state == current ? "1\n" : "0\n";
    }
    return ValuesOf("npu_chip_info_health_status", text);
  };
  EXPECT_THAT(health("ok"), ElementsAre("1"));
  EXPECT_THAT(health("warning"), ElementsAre("0"));
  EXPECT_THAT(health("critical"), ElementsAre("0"));
  EXPECT_THAT(health("unknown"), IsEmpty());
}

TEST(CompatPlanTest, FaultCodesAreNumberedAndOverOnesMakeRoom) {
  const auto codes = [](const std::string& first) {
    return "ascend_npu_fault{device=\"3\",code=\"80C98000\",action=\"none\"} " + first +
           "\nascend_npu_fault{device=\"3\",code=\"80E01801\",action=\"none\"} 1\n";
  };
  EXPECT_EQ(OneValue("npu_chip_info_error_code", codes("1")), "2160689152");
  EXPECT_EQ(OneValue("npu_chip_info_error_code_1", codes("1")), "2162169857");
  EXPECT_EQ(OneValue("npu_chip_info_error_code", codes("-")), "2162169857");
  EXPECT_THAT(ValuesOf("npu_chip_info_error_code_1", codes("-")), IsEmpty());
}

TEST(CompatPlanTest, OnlyTenFaultsHaveAName) {
  std::string text;
  for (int i = 0; i < 12; ++i) {
    text += "ascend_npu_fault{device=\"3\",code=\"8000000" + std::string(1, "0123456789AB"[i]) +
            "\"} 1\n";
  }
  EXPECT_EQ(OneValue("npu_chip_info_error_code_9", text), "2147483657");
  EXPECT_THAT(Render(text), Not(HasSubstr("error_code_10")));
}

TEST(CompatPlanTest, TheMachineIsCountedByState) {
  const std::string text =
      "ascend_npu_devices{state=\"healthy\"} 4\nascend_npu_devices{state=\"unhealthy\"} 1\n"
      "ascend_npu_devices{state=\"hung\"} 1\nascend_npu_devices{state=\"lost\"} 2\n"
      "ascend_npu_devices{state=\"unknown\"} 1\n"
      "ascend_npu_info{device=\"0\",card=\"0\"} 1\nascend_npu_info{device=\"1\",card=\"0\"} 1\n"
      "ascend_npu_info{device=\"2\",card=\"1\"} 1\n";
  EXPECT_EQ(OneValue("machine_npu_nums", text), "7");
  EXPECT_EQ(OneValue("machine_healthy_npu_nums", text), "4");
  EXPECT_EQ(OneValue("machine_unhealthy_npu_nums", text), "1");
  EXPECT_EQ(OneValue("machine_unknown_npu_nums", text), "2");
  EXPECT_EQ(OneValue("machine_card_nums", text), "2");
}

TEST(CompatPlanTest, AChipThatSharesItsCardShowsTheCardsPower) {
  const std::string text =
      "ascend_npu_info{device=\"0\",card=\"7\"} 1\nascend_npu_info{device=\"1\",card=\"7\"} 1\n"
      "ascend_npu_info{device=\"2\",card=\"8\"} 1\n"
      "ascend_npu_card_power_watts{card=\"7\"} 70.5\nascend_npu_card_power_watts{card=\"7\"} -\n"
      "ascend_npu_card_power_watts{card=\"8\"} 80.5\n";
  EXPECT_THAT(ValuesOf("npu_chip_info_power", text), ElementsAre("70.5", "70.5", "80.5"));
}

TEST(CompatPlanTest, WhoAChipIsStandsInLabelsAndIsAbsentWhereUnknown) {
  const std::string page = Render(kChip);
  EXPECT_THAT(page, HasSubstr("npu_chip_info_name{container_name=\"\",id=\"3\",name=\"910B3-Ascend-"
                              "V1\",namespace="));
  EXPECT_THAT(page, HasSubstr("serial_number=\"S1\""));
  EXPECT_THAT(page, Not(HasSubstr("product_type")));  // of 310P only
  EXPECT_THAT(Render("ascend_npu_info{device=\"0\",chip_name=\"310P3\",product=\"P\"} 1"),
              HasSubstr("product_type=\"P\""));
  const std::string unknown = Render("ascend_npu_info{device=\"0\"} 1");
  EXPECT_THAT(unknown, Not(HasSubstr("npu_chip_info_serial_number")));
  EXPECT_THAT(unknown, Not(HasSubstr("npu_chip_info_name")));
}

TEST(CompatPlanTest, VersionsAreLabelsOfTheNode) {
  const std::string page =
      Render("ascend_npu_driver_info{library_version=\"9.8\",driver_version=\"7\"} 1",
             {.version = "ours-1"});
  EXPECT_THAT(page, HasSubstr("npu_exporter_version_info{exporterVersion=\"ours-1\"} 1\n"));
  EXPECT_THAT(page,
              HasSubstr("node_base_info{driverVersion=\"9.8\",exporterVersion=\"ours-1\"} 1\n"));
}

TEST(CompatPlanTest, PortsOfA950HaveNamesAndUnitsOfTheirOwn) {
  const std::string ports = "{device=\"3\",udie=\"1\",port=\"4\"} ";
  const std::string lane = "{device=\"3\",udie=\"1\",port=\"4\",lane=\"0\"} ";
  const std::string page =
      Render("ascend_npu_network_speed_bytes_per_second" + ports +
             "50000000000\nascend_npu_optical_transmit_power_watts" + lane +
             "0.0005\nascend_npu_optical_receive_power_watts" + lane +
             "0.001\nascend_npu_network_receive_pfc_frames_total" + ports + "9\n");
  EXPECT_THAT(page, HasSubstr("npu_chip_info_link_speed{container_name=\"\",id=\"3\",model_name="
                              "\"\",namespace=\"\",pcie_bus_info=\"\",pod_name=\"\",port=\"4\","
                              "udie=\"1\",vdie_id=\"\"} 400\n"));
  EXPECT_THAT(page, HasSubstr("npu_chip_info_optical_tx_power_0{"));
  EXPECT_THAT(page, HasSubstr("} -3.0103\n"));  // 10 lg 0.5
  EXPECT_THAT(page, HasSubstr("npu_chip_info_core_mib_rxpfcpkts{"));
  EXPECT_THAT(page, Not(HasSubstr("npu_chip_link_speed")));
  EXPECT_THAT(page, Not(HasSubstr("npu_chip_mac_")));
  EXPECT_THAT(page, Not(HasSubstr("npu_chip_optical_")));
  EXPECT_EQ(OneValue("npu_chip_info_optical_index_num",
                     "ascend_npu_optical_transmit_power_watts" + lane +
                         "0.0005\nascend_npu_optical_receive_power_watts" + lane + "0.001"),
            "2");
}

TEST(CompatPlanTest, TotalsOfLinksAreSumsAndTheTimeOfMeasuringIsShownWithThem) {
  const std::string text =
      "ascend_npu_hccs_transmit_bandwidth_bytes_per_second{device=\"3\",link=\"1\"} 107642617856\n"
      "ascend_npu_hccs_transmit_bandwidth_bytes_per_second{device=\"3\",link=\"2\"} 215016800256\n";
  EXPECT_EQ(OneValue("npu_chip_info_hccs_bandwidth_info_total_tx", text), "300.5");
  EXPECT_EQ(OneValue("npu_chip_info_hccs_bandwidth_info_profiling_time", text), "100");
  EXPECT_THAT(ValuesOf("npu_chip_info_hccs_bandwidth_info_total_rx", text), IsEmpty());
}

constexpr char kSlice[] =
    "ascend_npu_info{device=\"0\",chip_name=\"310P3\"} 1\n"
    "ascend_npu_vnpu_memory_total_bytes{device=\"0\",vnpu=\"100\"} 3072000\n"
    "ascend_npu_vnpu_aicores{device=\"0\",vnpu=\"100\"} 2\n";

TEST(CompatPlanTest, ASliceCarriesItsCoresAsALabel) {
  EXPECT_THAT(Render(kSlice),
              HasSubstr("vnpu_pod_total_memory{aicore_count=\"2\",container_name=\"\",id=\"0\",is_"
                        "virtual=\"true\",model_name=\"310P3-Ascend-V1\",namespace=\"\",pod_name="
                        "\"\",v_dev_id=\"100\"} 3000\n"));
}

TEST(CompatPlanTest, APlanDoesNotFitValuesThatWouldChangeItsLabels) {
  Source source(kSlice);
  const CompatPlan plan(source.series, source.values, {});
  EXPECT_TRUE(plan.Fits(source.values));
  source.values[1] = 1;
  EXPECT_TRUE(plan.Fits(source.values));
  source.values[2] = 4;
  EXPECT_FALSE(plan.Fits(source.values));
}

TEST(CompatPlanTest, PodsComeFromWhoKnowsThemAndOnlyHeldChipsHaveTheirSeries) {
  CompatOptions options;
  options.pod_of = [](std::string_view device, std::string_view) -> std::optional<Pod> {
    if (device != "1") return std::nullopt;
    return Pod{"train", "job-0", "main"};
  };
  const std::string page = Render(
      "ascend_npu_memory_used_bytes{device=\"0\"} 1048576\n"
      "ascend_npu_memory_used_bytes{device=\"1\"} 2097152\n"
      "ascend_npu_power_watts{device=\"1\"} 5\n",
      options);
  const std::string pod = "{container_name=\"main\",id=\"1\",model_name=\"\",namespace=\"train\"";
  EXPECT_THAT(page, HasSubstr("container_npu_used_memory" + pod));
  EXPECT_THAT(page, HasSubstr("npu_chip_info_power" + pod));
  EXPECT_THAT(page, Not(HasSubstr("container_npu_used_memory{container_name=\"\"")));
}

TEST(CompatPlanTest, LabelsThatNeedItAreEscaped) {
  EXPECT_THAT(Render("ascend_npu_info{device=\"0\",serial=\"a\\\"b\\\\c\\nd\"} 1"),
              HasSubstr("serial_number=\"a\\\"b\\\\c\\nd\""));
}

}  // namespace
}  // namespace ascend

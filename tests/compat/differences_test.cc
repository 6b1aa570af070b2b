#include "exporter/compat/differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace ascend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MetricsPage Page(const std::string& text) {
  absl::StatusOr<MetricsPage> page = ReadMetricsPage(text);
  EXPECT_TRUE(page.ok()) << page.status() << text;
  return page.ok() ? *std::move(page) : MetricsPage();
}

// So that both pages know device 3.
const std::string kChip = "npu_chip_info_name{id=\"3\"} 1\n";

Comparison Compare(const std::string& there, const std::string& here) {
  return ComparePages(Page(kChip + there), Page(kChip + here));
}

std::string Of(const std::string& name, const std::string& value) {
  return name + "{id=\"3\"} " + value + "\n";
}
Comparison Values(const std::string& name, const std::string& there, const std::string& here) {
  return Compare(Of(name, there), Of(name, here));
}

TEST(ComparePagesTest, EqualPagesHaveNoDifference) {
  const Comparison same = Values("npu_chip_info_power", "100", "100");
  EXPECT_THAT(same.explained, IsEmpty());
  EXPECT_THAT(same.unexplained, IsEmpty());
  EXPECT_EQ(same.equal, 2U);
}

TEST(ComparePagesTest, KnowsTheir32BitFloats) {
  EXPECT_THAT(Values("npu_chip_info_power", "103.4000015258789", "103.4").explained,
              ElementsAre("device 3: npu_chip_info_power 103.4000015258789 there, 103.4 here: "
                          "their 32-bit float"));
  EXPECT_THAT(Values("npu_chip_info_voltage", "0.7999999523162842", "0.8").explained,
              ElementsAre(HasSubstr("their 32-bit float")));
}

TEST(ComparePagesTest, KnowsTheirWordsForNoValue) {
  for (const char* value : {"-1", "NaN", "32765", "4294967295"}) {
    const Comparison result = Compare(Of("npu_chip_info_link_status", value), "");
    EXPECT_THAT(result.unexplained, IsEmpty()) << value;
    EXPECT_THAT(result.explained, ElementsAre(HasSubstr("there, absent here: "))) << value;
  }
  EXPECT_THAT(Values("npu_chip_info_health_status", "-1", "1").explained,
              ElementsAre(HasSubstr("a reading that failed")));
  EXPECT_THAT(Compare(Of("npu_chip_info_process_info_num", "0"), "").unexplained, IsEmpty());
  EXPECT_THAT(Compare(Of("npu_chip_info_voltage", "327.6700134277344"), "").unexplained, IsEmpty());
  // A temperature can be -1 °C.
  EXPECT_THAT(Compare(Of("npu_chip_info_temperature", "-1"), "").unexplained,
              ElementsAre(HasSubstr("npu_chip_info_temperature")));
}

TEST(ComparePagesTest, WhatStandsStillMustBeTheSame) {
  EXPECT_THAT(Values("npu_chip_info_hbm_total_memory", "65536", "65535").unexplained,
              ElementsAre("device 3: npu_chip_info_hbm_total_memory 65536 there, 65535 here: they "
                          "should be the same"));
}

TEST(ComparePagesTest, WhatMovesMayDifferAsFarAsItIsSaid) {
  EXPECT_THAT(Values("npu_chip_info_temperature", "50", "60").explained,
              ElementsAre(HasSubstr("it moves; 10 are tolerated")));
  EXPECT_THAT(Values("npu_chip_info_temperature", "50", "61").unexplained,
              ElementsAre(HasSubstr("more apart than the 10")));
  EXPECT_THAT(Values("npu_chip_info_power", "100", "130").explained, testing::SizeIs(1));
  EXPECT_THAT(Values("npu_chip_info_power", "100", "140").unexplained, testing::SizeIs(1));
  EXPECT_THAT(Values("npu_chip_info_utilization", "0", "100").unexplained, IsEmpty());
  EXPECT_THAT(Values("npu_chip_roce_rx_all_pkt_num", "1e10", "1.05e10").unexplained, IsEmpty());
  EXPECT_THAT(Values("npu_chip_roce_rx_all_pkt_num", "1e10", "2e10").unexplained,
              testing::SizeIs(1));
  EXPECT_THAT(Values("npu_chip_info_hbm_ecc_single_bit_error_cnt", "0", "11").unexplained,
              testing::SizeIs(1));
  EXPECT_THAT(TolerancesText(), HasSubstr("temperatures: 10 are tolerated"));
}

TEST(ComparePagesTest, DuplicatesTimestampsAndPodsAreExplainedOnce) {
  const std::string pod = "npu_chip_info_rx_ecn_num{id=\"3\",pod_name=\"p\"} 7 1723621883587\n";
  const Comparison result = Compare(pod + pod, Of("npu_chip_info_rx_ecn_num", "7"));
  EXPECT_THAT(result.unexplained, IsEmpty());
  EXPECT_THAT(result.explained,
              testing::UnorderedElementsAre(
                  HasSubstr("2 samples there carry a timestamp"), HasSubstr("a pod's labels"),
                  "npu_chip_info_rx_ecn_num (device 3): 2 times there, once here"));
}

TEST(ComparePagesTest, WhatIsNotServedHasItsReason) {
  const auto words = [](const std::string& there) {
    const Comparison result = Compare(there, "");
    EXPECT_THAT(result.unexplained, IsEmpty()) << there;
    return testing::PrintToString(result.explained);
  };
  EXPECT_THAT(words(Of("npu_chip_info_process_info", "100")), HasSubstr("each process id"));
  EXPECT_THAT(words(Of("npu_chip_info_bandwidth_tx", "5")),
              HasSubstr("--collectors.enable=network_bandwidth"));
  EXPECT_THAT(words("npu_chip_info_pcie_rx_p_bw{id=\"3\",pcie_bw_type=\"maxPcieBw\"} 5\n"),
              HasSubstr("the mean is"));
  EXPECT_THAT(words("npu_container_info{npuID=\"3\",containerID=\"x\"} 1\n"),
              HasSubstr("Container"));
  EXPECT_THAT(words(Of("container_npu_utilization", "5")), HasSubstr("pod"));
  EXPECT_THAT(words(Of("npu_chip_info_total_memory", "5")), HasSubstr("last value for ever"));
  EXPECT_THAT(words(Of("npu_chip_info_link_status_0_4", "1")), HasSubstr("enableLegacyMetrics"));
  EXPECT_THAT(words("go_goroutines 5\n"), HasSubstr("own process"));
}

TEST(ComparePagesTest, WhatShouldBeHereAndIsNotIsUnexplained) {
  EXPECT_THAT(
      Compare(Of("npu_chip_info_power", "100"), "").unexplained,
      ElementsAre("npu_chip_info_power only there (device 3): this program should have it"));
  EXPECT_THAT(Compare(Of("npu_chip_info_tomorrow", "1"), "").unexplained,
              ElementsAre(HasSubstr("a name that the table of names does not have")));
  // The collector is on, one link is missing.
  EXPECT_THAT(Compare("npu_chip_info_link_status{id=\"3\",udie=\"0\",port=\"4\"} 1\n",
                      "npu_chip_info_link_status{id=\"3\",udie=\"0\",port=\"5\"} 1\n")
                  .unexplained,
              ElementsAre(HasSubstr("device 3, udie 0, port 4")));
}

TEST(ComparePagesTest, WhatOnlyThisProgramHasIsTheirGap) {
  EXPECT_THAT(Compare("", Of("npu_chip_info_power", "100")).explained,
              ElementsAre(HasSubstr("only here (device 3): the npu-exporter shows nothing")));
  EXPECT_THAT(Compare("", Of("npu_chip_info_temperature", "-1")).explained,
              ElementsAre(HasSubstr("drops -1 °C")));
}

TEST(ComparePagesTest, ADeviceThatOnlyOneKnowsIsOneUnexplainedDifference) {
  const std::string more = "npu_chip_info_power{id=\"12\"} 1\nnpu_chip_info_voltage{id=\"12\"} 1\n";
  EXPECT_THAT(Compare(more, "").unexplained,
              ElementsAre("device 12 is only there: this program does not know it"));
  EXPECT_THAT(Compare("", more).unexplained,
              ElementsAre("device 12 is only here: the npu-exporter does not know it"));
}

TEST(ComparePagesTest, WhoAChipIsIsComparedOnceForEachDevice) {
  const auto series = [](const std::string& labels) {
    return "npu_chip_info_power{id=\"3\"," + labels + "} 1\nnpu_chip_info_voltage{id=\"3\"," +
           labels + "} 1\n";
  };
  EXPECT_THAT(Compare(series("vdie_id=\"A\""), series("vdie_id=\"B\"")).unexplained,
              ElementsAre("device 3: label vdie_id \"A\" there, \"B\" here: they should be the "
                          "same"));
  EXPECT_THAT(
      Compare(series("model_name=\"910B3-Davinci-V2\""), series("model_name=\"910B3-Ascend-V1\""))
          .explained,
      ElementsAre(HasSubstr("assumed here")));
  EXPECT_THAT(
      Compare(series("model_name=\"910B4-Ascend-V1\""), series("model_name=\"910B3-Ascend-V1\""))
          .unexplained,
      testing::SizeIs(1));
}

TEST(ComparePagesTest, FaultCodesAreASetWhateverTheirPlaces) {
  const std::string first = "npu_chip_info_error_code{id=\"3\"} ";
  const std::string second = "npu_chip_info_error_code_1{id=\"3\"} ";
  EXPECT_THAT(Compare(first + "2162169857\n" + second + "2160689152\n",
                      first + "2160689152\n" + second + "2162169857\n")
                  .unexplained,
              IsEmpty());
  EXPECT_THAT(Compare(first + "2162169857\n", "").unexplained,
              ElementsAre(HasSubstr("device 3: fault code 80E01801 is only there")));
}

TEST(ComparePagesTest, BrokenLinesAreADifference) {
  EXPECT_THAT(Compare("what is this\n", "").unexplained,
              ElementsAre(HasSubstr("1 lines there are no samples; the first is line 2")));
}

TEST(ComparePagesTest, SurvivesNamesAndLabelsOfAnyKind) {
  const std::string strange =
      "npu_chip_info_power{id=\"\\n\x01\xff\",vdie_id=\"\\\"\"} 1\n" + std::string(5000, 'a') +
      "{id=\"99999999999999999999\"} 1\n" +
      "npu_chip_info_error_code{id=\"3\"} -1\nnpu_chip_info_error_code_1{id=\"3\"} NaN\n" +
      "npu_chip_info_error_code_2{id=\"3\"} +Inf\n";
  for (const std::string& line : Compare(strange, "").unexplained) {
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_LT(line.size(), 400U);
  }
}

TEST(InVendorNamesTest, RenamesThisProgramsPageAndLeavesTheirsAlone) {
  const MetricsPage own = Page("ascend_npu_power_watts{device=\"3\"} 103.4\nother 1\n");
  const MetricsPage renamed = InVendorNames(own);
  ASSERT_FALSE(renamed.samples.empty());
  EXPECT_EQ(renamed.samples.front().series.name, "npu_chip_info_power");
  EXPECT_EQ(renamed.samples.front().value, 103.4);
  EXPECT_EQ(InVendorNames(Page(kChip)).samples.front().series.name, "npu_chip_info_name");
}

TEST(InVendorNamesTest, APageThatMultipliesItselfStaysBounded) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "ascend_npu_info{device=\"" + std::to_string(i) + "\",card=\"0\"} 1\n";
    text += "ascend_npu_card_power_watts{card=\"0\",n=\"" + std::to_string(i) + "\"} 1\n";
  }
  EXPECT_LT(InVendorNames(Page(text)).samples.size(), 5000U);
}

}  // namespace
}  // namespace ascend

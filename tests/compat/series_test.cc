// The parser of pages that anybody may have written.
#include "exporter/compat/series.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace ascend {
namespace {

MetricsPage Read(const std::string& text) {
  absl::StatusOr<MetricsPage> page = ReadMetricsPage(text);
  EXPECT_TRUE(page.ok()) << page.status();
  return page.ok() ? *std::move(page) : MetricsPage();
}

std::string Error(const std::string& text) {
  const absl::StatusOr<MetricsPage> page = ReadMetricsPage(text);
  EXPECT_FALSE(page.ok());
  return std::string(page.status().message());
}

TEST(ReadMetricsPageTest, TakesSamplesApart) {
  const MetricsPage page = Read(
      "# HELP a b\n# TYPE a gauge\n\na 1\n  b{} 2 1723621883587\r\nc{ x = \"1\" , "
      "y=\"a\\\"\\n\\\\b\", } "
      "1.0000043007e+10\n");
  ASSERT_EQ(page.samples.size(), 3U);
  EXPECT_EQ(page.bad_lines, 0U);
  EXPECT_FALSE(page.samples[0].has_timestamp);
  EXPECT_TRUE(page.samples[1].has_timestamp);
  EXPECT_EQ(page.samples[2].series.name, "c");
  EXPECT_EQ(page.samples[2].series.Label("x"), "1");
  EXPECT_EQ(page.samples[2].series.Label("y"), "a\"\n\\b");
  EXPECT_EQ(page.samples[2].series.Label("z"), "");
  EXPECT_EQ(page.samples[2].value, 10000043007.0);
}

TEST(ReadMetricsPageTest, ReadsNumbersAsGoWritesThem) {
  const MetricsPage page = Read("a +Inf\na -Inf\na NaN\na -1\na 5e-324\na 1e+06\na +7");
  EXPECT_EQ(page.samples[0].value, INFINITY);
  EXPECT_EQ(page.samples[1].value, -INFINITY);
  EXPECT_TRUE(std::isnan(page.samples[2].value));
  EXPECT_EQ(page.samples[3].value, -1);
  EXPECT_EQ(page.samples[4].value, 5e-324);
  EXPECT_EQ(page.samples[5].value, 1e6);
  EXPECT_EQ(page.samples[6].value, 7);
}

TEST(ReadMetricsPageTest, CountsBrokenLinesAndNamesTheFirst) {
  const MetricsPage page =
      Read("good 1\nbad\nx{a=\"1\",a=\"2\"} 1\ny{a=\"1} 1\n{} 1\nz 1 2 3\nw 1x\n");
  EXPECT_EQ(page.samples.size(), 1U);
  EXPECT_EQ(page.bad_lines, 6U);
  EXPECT_EQ(page.first_bad, "line 2: bad");
}

TEST(ReadMetricsPageTest, WhatIsNoMetricsPageIsNamed) {
  EXPECT_EQ(Error(""), "not a metrics page: it has no series");
  EXPECT_EQ(Error("# only\n"), "not a metrics page: it has no series");
  EXPECT_EQ(Error("\n<html>\x01\xff"), "not a metrics page: line 2: <html>?\xEF\xBF\xBD");
  EXPECT_LT(Error(std::string(1 << 20, '<')).size(), 200U);
}

TEST(ReadMetricsPageTest, APageWithMoreSeriesThanAHostHasIsRefused) {
  std::string text;
  for (int i = 0; i <= 500'000; ++i) text += "a 1\n";
  EXPECT_NE(Error(text).find("more than 500000 series"), std::string::npos);
}

TEST(ReadMetricsPageTest, ASeriesWithTooManyLabelsIsABrokenLine) {
  std::string line = "a{";
  for (int i = 0; i < 65; ++i) line += fmt::format("l{}=\"\",", i);
  EXPECT_EQ(Read("b 1\n" + line + "} 1\n").bad_lines, 1U);
}

TEST(ReadMetricsPageTest, SurvivesRandomBytesAndHalvesOfLines) {
  std::mt19937 random(7);
  const std::string line = "name{a=\"x\\\\\",b=\"\\n\"} 1.5e3 17\n";
  for (int round = 0; round < 20'000; ++round) {
    std::string text = line + line;
    for (int change = 0; change < 4; ++change) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    text.resize(random() % text.size());
    const auto page = ReadMetricsPage(text);
    EXPECT_TRUE(!page.ok() || page->samples.size() <= 8);
  }
}

}  // namespace
}  // namespace ascend

#include "exporter/compat/vendor_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "collectors/catalog.h"
#include "collectors/collector.h"
#include "exporter/compat/migration.h"

namespace ascend {
namespace {

using testing::HasSubstr;

// "NAME" or "NAME port", one a line: what the npu-exporter publishes, "{}" being a number.
std::vector<std::string> PublishedNames() {
  std::ifstream file(ASCEND_SOURCE_DIR "/tests/compat/vendor_names.txt");
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) names.push_back(line);
  return names;
}

// The pattern with `number` in place of its "{}".
std::string With(std::string_view number, const std::string& pattern) {
  return fmt::format(fmt::runtime(pattern), number);
}

const VendorName& RowOf(std::string_view name) {
  const VendorName* row = FindVendorName(name, false);
  if (row == nullptr) row = FindVendorName(name, true);
  EXPECT_NE(row, nullptr) << name;
  return *row;
}

TEST(VendorTableTest, HasAll159PublishedMetricsAndNoOther) {
  const std::vector<std::string> names = PublishedNames();
  EXPECT_EQ(names.size(), 159U);
  std::set<std::string_view> met;
  for (const std::string& line : names) {
    const bool with_port = line.ends_with(" port");
    const std::string name = line.substr(0, line.find(' '));
    const VendorName* row = FindVendorName(With("3", name), with_port);
    ASSERT_NE(row, nullptr) << line;
    EXPECT_EQ(row->name, name);
    met.insert(row->name);
  }
  EXPECT_EQ(met.size(), VendorNames().size());
}

TEST(VendorTableTest, NoNameStandsTwice) {
  std::set<std::string_view> names;
  for (const VendorName& row : VendorNames()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
}

TEST(VendorTableTest, WhatHasNoEquivalentSaysWhyAndEveryRemarkIsInBothLanguages) {
  for (const VendorName& row : VendorNames()) {
    EXPECT_EQ(row.note.english.empty(), row.note.chinese.empty()) << row.name;
    EXPECT_EQ(row.rule == Rule::kNone, row.family.empty()) << row.name;
    EXPECT_FALSE(row.rule == Rule::kNone && row.note.english.empty()) << row.name;
  }
  for (const Words& deviation : Deviations()) {
    EXPECT_FALSE(deviation.english.empty() || deviation.chinese.empty());
  }
}

// Every row of every collector, whatever is on by default.
std::vector<const Row*> AllRows() {
  std::vector<const Row*> rows;
  for (const Collector* collector : AllCollectors()) {
    for (const Row& row : collector->rows) rows.push_back(&row);
  }
  for (const Row& row : DeviceRows()) rows.push_back(&row);
  for (const Row& row : NodeRows()) rows.push_back(&row);
  return rows;
}

// Whether the row has series that the match accepts.
bool CanMatch(const LabelMatch& match, const Row& row) {
  if (match.name.empty()) return true;
  for (const Label& label : row.spec.labels) {
    if (label.name == match.name && Accepts(match, label.value)) return true;
  }
  if (row.state_label == match.name) return true;
  return row.key_labels != nullptr &&
         row.key_labels(0x1001).find(std::string(match.name) + "=") != std::string::npos;
}

TEST(VendorTableTest, EveryFamilyAndLabelThatItNamesExists) {
  for (const VendorName& vendor : VendorNames()) {
    if (vendor.rule == Rule::kNone || vendor.rule == Rule::kOne) continue;
    std::istringstream families{std::string(vendor.family)};
    for (std::string family; std::getline(families, family, '|');) {
      const auto rows = AllRows();
      EXPECT_TRUE(std::ranges::any_of(rows,
                                      [&](const Row* row) {
                                        return row->spec.name == family &&
                                               CanMatch(vendor.match, *row) &&
                                               CanMatch(vendor.also, *row);
                                      }))
          << vendor.name << " is made of " << family;
    }
  }
}

TEST(VendorTableTest, NamesTheCollectorExactlyWhereItIsOffByDefault) {
  for (const VendorName& vendor : VendorNames()) {
    std::string_view off;
    for (const Collector* collector : AllCollectors()) {
      const bool its = std::ranges::any_of(
          collector->rows, [&](const Row& row) { return row.spec.name == vendor.family; });
      if (its && collector->by_default == Default::kOff) off = collector->name;
    }
    EXPECT_EQ(vendor.collector, off) << vendor.name;
  }
}

TEST(VendorTableTest, ExpressionsGiveTheValueThere) {
  EXPECT_EQ(ExpressionOf(RowOf("npu_chip_info_power")), "ascend_npu_power_watts");
  EXPECT_EQ(ExpressionOf(RowOf("npu_chip_info_hbm_used_memory")),
            "ascend_npu_hbm_used_bytes / 1048576");
  EXPECT_EQ(ExpressionOf(RowOf("npu_chip_info_utilization")),
            "ascend_npu_utilization_ratio{engine=\"aicore\"} * 100");
  EXPECT_EQ(ExpressionOf(RowOf("npu_chip_link_speed")),
            "ascend_npu_network_speed_bytes_per_second * 8 / 1000000");
  EXPECT_EQ(ExpressionOf(RowOf("machine_npu_nums")),
            "sum by (instance) (ascend_npu_devices{state!=\"lost\"})");
  EXPECT_EQ(ExpressionOf(RowOf("machine_unknown_npu_nums")),
            "sum by (instance) (ascend_npu_devices{state=~\"hung|unknown\"})");
  EXPECT_EQ(ExpressionOf(RowOf("npu_chip_info_health_status")),
            "ascend_npu_health_state{state=\"ok\"}");
  EXPECT_EQ(ExpressionOf(RowOf("npu_chip_info_hccs_statistic_info_tx_cnt_4")),
            "ascend_npu_hccs_transmit_bytes_total{link=\"N\"} / 20");
  EXPECT_EQ(ExpressionOf(RowOf("npu_chip_info_optical_tx_power_2")),
            "10 * log10(ascend_npu_optical_transmit_power_watts{lane=\"2\"} * 1000)");
  EXPECT_EQ(ExpressionOf(RowOf("npu_chip_info_process_info")), "");
}

TEST(VendorTableTest, FindsNamesWithANumberAndOnlyThose) {
  EXPECT_EQ(RowOf("npu_chip_info_error_code_9").name, "npu_chip_info_error_code_{}");
  EXPECT_EQ(RowOf("npu_chip_info_error_code").name, "npu_chip_info_error_code");
  EXPECT_EQ(FindVendorName("npu_chip_info_error_code_", false), nullptr);
  EXPECT_EQ(FindVendorName("npu_chip_info_error_code_x", false), nullptr);
  EXPECT_EQ(FindVendorName("npu_chip_info_power", true), nullptr);
  EXPECT_EQ(FindVendorName("npu_chip_info_link_speed", false), nullptr);
  EXPECT_NE(FindVendorName("npu_chip_info_link_status", true), nullptr);
}

TEST(MigrationDocumentTest, HasARowForEveryNameInBothLanguages) {
  for (Language language : {Language::kEnglish, Language::kChinese}) {
    const std::string document = MigrationDocument(language);
    for (const std::string& line : PublishedNames()) {
      const std::string name = With("N", line.substr(0, line.find(' ')));
      EXPECT_THAT(document, HasSubstr(fmt::format("\n| `{}`", name)));
    }
  }
}

}  // namespace
}  // namespace ascend

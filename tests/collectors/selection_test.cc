#include "collectors/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/collector.h"

namespace ascend {
namespace {

using Names = std::vector<std::string>;

bool Has(const Catalog& catalog, std::string_view name) {
  for (std::size_t i = 0; i < catalog.collectors().size(); ++i) {
    if (catalog.collectors()[i]->name == name) return catalog.runs(i);
  }
  return false;
}

bool Shows(const Catalog& catalog, std::string_view family) {
  return std::ranges::any_of(catalog.rows(), [&](const CatalogRow& row) {
    return row.shown && row.row->spec.name == family;
  });
}

constexpr std::string_view kPriorities = "ascend_npu_network_receive_pfc_priority_frames_total";

TEST(SelectionTest, WhatSleepsOrIsLargeIsOffByDefault) {
  const Catalog catalog;
  for (const char* name :
       {"core_utilization", "hccs_bandwidth", "pcie_bandwidth", "network_bandwidth"}) {
    EXPECT_FALSE(Has(catalog, name)) << name;
  }
  EXPECT_FALSE(Shows(catalog, kPriorities));
  EXPECT_TRUE(Shows(catalog, "ascend_npu_network_receive_pfc_frames_total"));
  for (const Collector* collector : catalog.collectors()) {
    EXPECT_EQ(collector->sleeps.count(), 0) << collector->name;
  }
}

TEST(SelectionTest, NamesSwitchCollectorsAndOptionsOnAndOff) {
  const Names enable = {"core_utilization", "network_pfc_priority"};
  const Names disable = {"optical"};
  const auto catalog = SelectedCatalog(enable, disable);
  ASSERT_TRUE(catalog.ok()) << catalog.status();
  EXPECT_TRUE(Has(**catalog, "core_utilization"));
  EXPECT_FALSE(Has(**catalog, "optical"));
  EXPECT_TRUE(Shows(**catalog, kPriorities));
}

TEST(SelectionTest, UnknownNamesAreRefusedWithTheKnownOnes) {
  const auto unknown = SelectedCatalog(Names{"fan"}, Names{});
  ASSERT_FALSE(unknown.ok());
  const std::string message(unknown.status().message());
  EXPECT_NE(message.find("--collectors.enable: there is no collector \"fan\""), std::string::npos)
      << message;
  EXPECT_NE(message.find("fans"), std::string::npos) << message;
}

TEST(SelectionTest, WhatTellsWhetherADeviceIsUpCannotBeSwitchedOff) {
  EXPECT_FALSE(SelectedCatalog(Names{}, Names{"identity"}).ok());
  EXPECT_FALSE(SelectedCatalog(Names{}, Names{"health"}).ok());
}

TEST(SelectionTest, OneNameCannotBeOnAndOff) {
  const auto both = SelectedCatalog(Names{"fans"}, Names{"fans"});
  ASSERT_FALSE(both.ok());
  EXPECT_NE(std::string(both.status().message()).find("\"fans\""), std::string::npos);
}

TEST(SelectionTest, EverythingHasEveryCollectorAndRow) {
  const auto catalog = EverythingCatalog();
  EXPECT_EQ(catalog->collectors().size(), AllCollectors().size());
  for (const CatalogRow& row : catalog->rows()) EXPECT_TRUE(row.shown) << row.row->spec.name;
}

}  // namespace
}  // namespace ascend

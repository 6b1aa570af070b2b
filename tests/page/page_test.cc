#include <gtest/gtest.h>
#include <prometheus/registry.h>

#include <charconv>
#include <cmath>
#include <random>

#include "exporter/page/encoder.h"
#include "exporter/page/landing_page.h"
#include "exporter/page/number.h"
#include "exporter/page/page_cache.h"
#include "exporter/page/text.h"
#include "hal/network_readings.h"

namespace ascend {
namespace {

std::string Number(double value) {
  char text[kMaxNumberSize];
  return {text, WriteNumber(text, value)};
}

TEST(NumberTest, PrintsDecimalsAsTheVendorMeansThem) {
  EXPECT_EQ(Number(0), "0");
  EXPECT_EQ(Number(-1), "-1");
  EXPECT_EQ(Number(103.4), "103.4");
  EXPECT_EQ(Number(0.05), "0.05");
  EXPECT_EQ(Number(-0.07), "-0.07");
  EXPECT_EQ(Number(0.001), "0.001");
  EXPECT_EQ(Number(0.0001), "0.0001");
  EXPECT_EQ(Number(0.0009095), "0.0009095");
  EXPECT_EQ(Number(0.0000054), "0.0000054");
  EXPECT_EQ(Number(68719476736.0), "68719476736");
  EXPECT_EQ(Number(4294967297.0), "4294967297");
  EXPECT_EQ(Number(INFINITY), "+Inf");
  EXPECT_EQ(Number(-INFINITY), "-Inf");
  EXPECT_EQ(Number(NAN), "NaN");
}

TEST(NumberTest, EveryDoubleReadsBackAsItself) {
  std::mt19937_64 random(1);
  const auto check = [](double value) {
    const std::string text = Number(value);
    double back = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(result.ptr, text.data() + text.size()) << text;
    ASSERT_EQ(back, value) << text;
    ASSERT_LE(text.size(), kMaxNumberSize);
  };
  for (int i = 0; i < 200'000; ++i) {
    double bits;
    const std::uint64_t word = random();
    std::memcpy(&bits, &word, sizeof bits);
    if (std::isfinite(bits)) check(bits);
    check(static_cast<double>(static_cast<std::int64_t>(word) >> (word % 60)) / 1000);
    check(std::ldexp(static_cast<double>(word >> 11), -53));
  }
}

TEST(TextTest, LabelValuesAreAlwaysValid) {
  const auto escaped = [](std::string_view text) {
    std::string out;
    AppendLabelValue(out, text);
    return out;
  };
  EXPECT_EQ(escaped("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
  EXPECT_EQ(escaped("\xE6\x98\x87"), "\xE6\x98\x87");
  EXPECT_EQ(escaped("x\xFFy"), "x\xEF\xBF\xBDy");
  EXPECT_EQ(escaped("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "overlong";
  EXPECT_EQ(escaped("\xED\xA0\x80").size(), 9U) << "a surrogate";
  EXPECT_EQ(escaped("\xE6\x98"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "cut";
}

TEST(TextTest, CharactersAreTakenWholeAndRepaired) {
  std::string_view text = "a\xE6\x98\x87\xFF";
  EXPECT_EQ(TakeCharacter(text), "a");
  EXPECT_EQ(TakeCharacter(text), "\xE6\x98\x87");
  EXPECT_EQ(TakeCharacter(text), "\xEF\xBF\xBD");
  EXPECT_EQ(text, "");
}

// A page of one device with every value set.
std::shared_ptr<Snapshot> MakeSnapshot(const Catalog& catalog, DeviceIdentity identity,
                                       std::vector<OpenSeries> open = {}) {
  identity.traits = ~ChipTraits{0};
  const std::vector<PageDevice> devices = {{{{3, 0}, 7, 5}, identity, std::move(open)}};
  const DriverInfo driver = {"sim", "1", "2", "phy_id"};
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->layout = MakeLayout(catalog, driver, devices);
  snapshot->values.assign(snapshot->layout->value_count, 0.5);
  return snapshot;
}

TEST(EncoderTest, AbsentValuesAndTheirFamiliesLeaveNoTrace) {
  const Catalog catalog;
  const auto snapshot = MakeSnapshot(catalog, {});
  std::string full;
  EncodeText(*snapshot, full);
  EXPECT_NE(full.find("# TYPE ascend_npu_temperature_celsius gauge\n"
                      "ascend_npu_temperature_celsius{device=\"7\"} 0.5\n"),
            std::string::npos);
  snapshot->values.assign(snapshot->values.size(), std::nullopt);
  std::string empty;
  EncodeText(*snapshot, empty);
  EXPECT_EQ(empty, "");
}

TEST(EncoderTest, FamiliesAreSortedAndEachAppearsOnce) {
  const Catalog catalog;
  std::string text;
  EncodeText(*MakeSnapshot(catalog, {}), text);
  std::vector<std::string> names;
  for (std::size_t at = text.find("# TYPE "); at != std::string::npos;
       at = text.find("# TYPE ", at + 1)) {
    names.push_back(text.substr(at + 7, text.find(' ', at + 7) - at - 7));
  }
  EXPECT_GT(names.size(), 30U);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

std::uint32_t RowOf(const Catalog& catalog, std::string_view name) {
  std::uint32_t row = 0;
  while (catalog.rows()[row].row->spec.name != name) ++row;
  return row;
}

TEST(EncoderTest, OpenSetsPrintTheirKeysAndTexts) {
  const Catalog catalog;
  const std::string text_labels("major\0HBM \"multi\" bit\0", 22);
  const auto snapshot =
      MakeSnapshot(catalog, {},
                   {{RowOf(catalog, "ascend_npu_fault"), 0x80E01801, ""},
                    {RowOf(catalog, "ascend_npu_fault_info"), 0x80E01801, text_labels},
                    {RowOf(catalog, "ascend_npu_cpu_affinity_info"), 0, std::string("0-23\0", 5)}});
  std::string text;
  EncodeText(*snapshot, text);
  EXPECT_NE(text.find("ascend_npu_fault{device=\"7\",code=\"80E01801\","
                      "action=\"restart_workload\"} 0.5\n"),
            std::string::npos);
  EXPECT_NE(text.find("ascend_npu_fault_info{device=\"7\",code=\"80E01801\",severity=\"major\","
                      "description=\"HBM \\\"multi\\\" bit\"} 0.5\n"),
            std::string::npos);
  EXPECT_NE(text.find("ascend_npu_cpu_affinity_info{device=\"7\",cpus=\"0-23\"} 0.5\n"),
            std::string::npos);
}

TEST(EncoderTest, PortLabelsAppearOnlyOnChipsWithSeveralPorts) {
  const Catalog catalog;
  const std::uint32_t up = RowOf(catalog, "ascend_npu_network_up");
  std::string text;
  EncodeText(*MakeSnapshot(catalog, {}, {{up, 0, ""}}), text);
  EXPECT_NE(text.find("ascend_npu_network_up{device=\"7\"} 0.5\n"), std::string::npos);
  text.clear();
  EncodeText(*MakeSnapshot(catalog, {}, {{up, PortIndex(1, 4), ""}}), text);
  EXPECT_NE(text.find("ascend_npu_network_up{device=\"7\",udie=\"1\",port=\"4\"} 0.5\n"),
            std::string::npos);
}

TEST(EncoderTest, SeriesThatTwoCollectorsTellAppearsOnce) {
  const Catalog catalog;
  std::vector<OpenSeries> open;
  for (std::uint32_t row = 0; row < catalog.rows().size(); ++row) {
    if (catalog.rows()[row].row->spec.name == "ascend_npu_network_receive_pfc_frames_total") {
      open.push_back({row, PortIndex(0, 4), ""});
    }
  }
  ASSERT_EQ(open.size(), 2U) << "the network's and the UB port's";
  std::string text;
  const auto snapshot = MakeSnapshot(catalog, {}, open);
  EncodeText(*snapshot, text);
  EXPECT_EQ(snapshot->layout->twins.size(), MakeSnapshot(catalog, {})->layout->twins.size() + 1)
      << "the other one may stand in";
  const std::string series =
      "\nascend_npu_network_receive_pfc_frames_total{device=\"7\",udie=\"0\",port=\"4\"} 0.5\n";
  const std::size_t first = text.find(series);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find(series, first + 1), std::string::npos);
}

TEST(EncoderTest, HostileIdentityCannotBreakALine) {
  const Catalog catalog;
  DeviceIdentity identity;
  identity.serial = "\"} 1\nfake_metric 2\n\xFF";
  std::string text;
  EncodeText(*MakeSnapshot(catalog, identity), text);
  EXPECT_EQ(text.find("\nfake_metric"), std::string::npos);
  EXPECT_NE(text.find("serial=\"\\\"} 1\\nfake_metric 2\\n\xEF\xBF\xBD\""), std::string::npos);
}

TEST(PageCacheTest, UnchangedPageIsTheSameObject) {
  const Catalog catalog;
  SnapshotStore store;
  OwnMetrics own;
  PageCache cache(store, own);
  EXPECT_NE(cache.Text()->find("process_open_fds"), std::string::npos);
  store.Store(MakeSnapshot(catalog, {}));
  const auto first = cache.Text();
  own.stuck_calls.Set(5);
  EXPECT_EQ(cache.Text(), first);
  store.Store(MakeSnapshot(catalog, {}));
  const auto second = cache.Text();
  EXPECT_NE(second, first);
  EXPECT_NE(second->find("ascend_exporter_stuck_calls 5\n"), std::string::npos);
}

TEST(LandingPageTest, ShowsDevicesAndEscapesWhatTheyCallThemselves) {
  const Catalog catalog;
  DeviceIdentity identity;
  identity.chip_name = "<script>";
  const auto snapshot = MakeSnapshot(catalog, identity);
  const std::string page = LandingPage(catalog, snapshot.get(), "/metrics", "1.2.3");
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_NE(page.find("<td>7</td><td>&lt;script&gt;</td>"), std::string::npos);
  EXPECT_NE(LandingPage(catalog, nullptr, "/metrics", "1").find("No devices are known"),
            std::string::npos);
}

TEST(LandingPageTest, IsUtf8WhateverDevicesCallThemselves) {
  const Catalog catalog;
  DeviceIdentity identity;
  identity.chip_name = "\xE6\x98\x87\xFF<";
  const auto snapshot = MakeSnapshot(catalog, identity);
  const std::string page = LandingPage(catalog, snapshot.get(), "/metrics", "1.2.3");
  EXPECT_NE(page.find("<td>\xE6\x98\x87\xEF\xBF\xBD&lt;</td>"), std::string::npos);
}

}  // namespace
}  // namespace ascend

#include "collectors/catalog.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <tuple>

#include "collectors/all.h"
#include "collectors/faults.h"
#include "collectors/selection.h"

namespace ascend {
namespace {

TEST(CatalogTest, RowsOfAFamilyAgree) {
  const Catalog catalog;
  std::map<std::string_view, const Row*> families;
  for (const CatalogRow& entry : catalog.rows()) {
    const Row& row = *entry.row;
    const Row& first = *families.try_emplace(row.spec.name, &row).first->second;
    EXPECT_EQ(row.spec.help, first.spec.help) << row.spec.name;
    EXPECT_EQ(row.kind, first.kind) << row.spec.name;
    EXPECT_EQ(row.scope, first.scope) << row.spec.name;
    EXPECT_EQ(row.unit, first.unit) << row.spec.name;
  }
}

TEST(CatalogTest, NoSeriesIsDefinedTwiceForOneChip) {
  const auto catalog = EverythingCatalog();
  std::set<
      std::tuple<std::string_view, std::string_view, std::string_view, ChipTraits, std::size_t>>
      series;
  for (std::size_t i = 0; i < catalog->collectors().size(); ++i) {
    for (const CatalogRow& entry : catalog->RowsOfCollector(i)) {
      const Row& row = *entry.row;
      const auto& labels = row.spec.labels;
      // Two collectors may fill an open family: no driver gives the same member to both.
      const std::size_t filler = row.is_open() ? i : 0;
      const auto [at, fresh] =
          series.emplace(row.spec.name, labels[0].value, labels[1].value, row.spec.needs, filler);
      EXPECT_TRUE(fresh) << row.spec.name;
    }
  }
}

TEST(CatalogTest, EverySlotBelongsToOneRow) {
  const Catalog catalog;
  std::size_t next = 0;
  for (const CatalogRow& entry : catalog.rows()) {
    EXPECT_EQ(entry.first_slot, next);
    next += entry.row->slots();
  }
  EXPECT_EQ(next, catalog.device_slots());
}

// The guide's rules use these names; they may never change.
TEST(CatalogTest, HasTheNamesOfTheGuidesRules) {
  std::set<std::string_view> names;
  const Catalog catalog;
  for (const CatalogRow& entry : catalog.rows()) names.insert(entry.row->spec.name);
  EXPECT_TRUE(names.contains("ascend_npu_temperature_celsius"));
  EXPECT_TRUE(names.contains("ascend_npu_memory_used_bytes"));
  EXPECT_TRUE(names.contains("ascend_npu_memory_total_bytes"));
}

TEST(FaultCodesTest, KnownCodesHaveTheirActionAndOthersAreUnknown) {
  EXPECT_EQ(ActionOf(0x40F84E00), FaultAction::kReset);
  EXPECT_EQ(ActionOf(0x80E01801), FaultAction::kRestartWorkload);
  EXPECT_EQ(ActionOf(0x4C1F8608), FaultAction::kNone);
  EXPECT_EQ(ActionOf(0), FaultAction::kUnknown);
  EXPECT_EQ(ActionOf(0xFFFFFFFF), FaultAction::kUnknown);
}

class EmitTest : public ::testing::Test {
 protected:
  static constexpr auto kRows = RowsFor(
      Metric<&HbmReading::temperature>({.name = "ascend_npu_t_celsius",
                                        .help = "T.",
                                        .zh = "测试。",
                                        .source = {.host = "test"}}),
      Metric<&HbmReading::utilization>(
          {.name = "ascend_npu_u_ratio", .help = "U.", .zh = "测试。", .source = {.host = "test"}}),
      Integral<&HbmReading::utilization>({.name = "ascend_npu_b_seconds_total",
                                          .help = "B.",
                                          .zh = "测试。",
                                          .source = {.host = "test"}}),
      Metric<&HbmReading::used>({.name = "ascend_npu_m_bytes",
                                 .help = "M.",
                                 .zh = "测试。",
                                 .needs = kHasHbm,
                                 .source = {.host = "test"}}));

  static DeviceIdentity With(ChipTraits traits) {
    DeviceIdentity identity;
    identity.traits = traits;
    return identity;
  }

  std::array<Sample, 8> buffer_{};
  Sink sink_{{buffer_, {}, 0}, 10, With(kHasHbm)};
};

TEST_F(EmitTest, PutsWhatThereIs) {
  HbmReading reading;
  reading.temperature = Celsius{-1};
  Emit(&reading, reading.refused, kRows, sink_);
  ASSERT_EQ(sink_.samples().size(), 1U);
  EXPECT_EQ(sink_.samples()[0].row, 10);
  EXPECT_EQ(sink_.samples()[0].value, -1) << "a real -1 is a value";
}

TEST_F(EmitTest, DropsAndCountsWhatCannotBe) {
  HbmReading reading;
  reading.temperature = Celsius{201};
  reading.utilization = Ratio{1.5};
  reading.used = Bytes{std::numeric_limits<double>::quiet_NaN()};
  reading.refused.sentinel = 2;
  Emit(&reading, reading.refused, kRows, sink_);
  EXPECT_TRUE(sink_.samples().empty());
  EXPECT_EQ(sink_.rejected()[static_cast<std::size_t>(RejectReason::kOutOfRange)], 3)
      << "the gauge and its integral count once";
  EXPECT_EQ(sink_.rejected()[static_cast<std::size_t>(RejectReason::kSentinel)], 2);
}

TEST_F(EmitTest, LeavesOutWhatTheChipHasNot) {
  Sink without({buffer_, {}, 0}, 0, With(kNoHbm));
  HbmReading reading;
  reading.used = Bytes{1};
  Emit(&reading, reading.refused, kRows, without);
  EXPECT_TRUE(without.samples().empty());
}

TEST(SinkTest, DropsWhatDoesNotFit) {
  std::array<Sample, 2> buffer{};
  Sink sink({buffer, {}, 0}, 0, {});
  for (int i = 0; i < 5; ++i) sink.Put(0, i);
  EXPECT_EQ(sink.samples().size(), 2U);
}

// A driver that answers as the test says.
class ScriptedDriver final : public NpuDriver {
 public:
  absl::StatusOr<Discovery> Discover() override { return Discovery{}; }
  absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress) override { return Lacks("identity"); }
  absl::StatusOr<HealthReading> ReadHealth(DeviceAddress) override { return health; }
  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress) override { return Lacks("t"); }
  absl::StatusOr<PowerReading> ReadPower(DeviceAddress) override { return Lacks("power"); }
  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress) override { return Lacks("u"); }
  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress) override { return hbm; }
  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress) override { return Lacks("ddr"); }

  HbmReading hbm;
  HealthReading health;
};

TEST(MemoryCollectorTest, MoreInUseThanThereIsIsDroppedAndCounted) {
  ScriptedDriver driver;
  driver.hbm.used = Bytes{10};
  driver.hbm.total = Bytes{9};
  std::array<Sample, 32> buffer{};
  DeviceIdentity identity;
  identity.traits = kHasHbm;
  Sink sink({buffer, {}, 0}, 0, identity);
  ASSERT_TRUE(kHbmCollector.collect(driver, {}, sink).ok());
  EXPECT_EQ(sink.rejected()[static_cast<std::size_t>(RejectReason::kInconsistent)], 1);
  for (const Sample& sample : sink.samples()) {
    EXPECT_EQ(kHbmCollector.rows[sample.row].spec.name.find("used"), std::string_view::npos);
  }
}

TEST(HealthCollectorTest, TellsThatTheDeviceIsLost) {
  ScriptedDriver driver;
  driver.health.lost = true;
  std::array<Sample, 8> buffer{};
  Sink sink({buffer, {}, 0}, 0, {});
  ASSERT_TRUE(kHealthCollector.collect(driver, {}, sink).ok());
  EXPECT_TRUE(sink.lost());
  EXPECT_TRUE(sink.samples().empty());
}

}  // namespace
}  // namespace ascend

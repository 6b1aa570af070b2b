// Each number of heat, power, clocks and load lands in its field.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "chip.h"

namespace ascend {
namespace {

using testing::ElementsAre;

class DcmiHeatTest : public DcmiChipTest {};
INSTANTIATE_TEST_SUITE_P(Interfaces, DcmiHeatTest, testing::Values(1, 2), NameOfInterface);

// Only in the first interface.
class DcmiOldHeatTest : public DcmiChipTest {};
INSTANTIATE_TEST_SUITE_P(Interfaces, DcmiOldHeatTest, testing::Values(1), NameOfInterface);

TEST_P(DcmiHeatTest, ReadsTemperaturePowerVoltageAndLimit) {
  Set("temperature 41");
  Set("power 1034");
  Set("voltage 83");
  Set("rated_power 350500");
  EXPECT_EQ(driver_->ReadTemperature(at())->chip, Celsius{41});
  EXPECT_EQ(driver_->ReadPower(at())->chip, Watts{103.4});
  EXPECT_EQ(driver_->ReadVoltage(at())->chip, Volts{0.83});
  EXPECT_EQ(driver_->ReadPowerLimit(at())->limit, Watts{350.5});
}

TEST_P(DcmiHeatTest, EachClockHasItsType) {
  for (const char* key : {"1 3200", "2 2000", "6 1600", "7 1650", "9 1800", "12 1700"}) {
    Set(std::string("frequency.") + key);
  }
  const auto clocks = driver_->ReadClocks(at());
  ASSERT_TRUE(clocks.ok()) << clocks.status();
  EXPECT_EQ(clocks->ddr, Hertz{3200e6});
  EXPECT_EQ(clocks->ctrlcpu, Hertz{2000e6});
  EXPECT_EQ(clocks->hbm, Hertz{1600e6});
  EXPECT_EQ(clocks->aicore, Hertz{1650e6});
  EXPECT_EQ(clocks->aicore_max, Hertz{1800e6});
  EXPECT_EQ(clocks->vectorcore, Hertz{1700e6});
  EXPECT_EQ(machine_.Calls(Named("get_device_aicore_info")), 0);
}

TEST_P(DcmiHeatTest, WithoutARatedClockTheCoresInfoServesAndWhatIsLackingIsAskedOnce) {
  Set("frequency.7 1650");
  Set("aicore 1801 1651");
  for (int i = 0; i < 3; ++i) {
    const auto clocks = driver_->ReadClocks(at());
    EXPECT_EQ(clocks->aicore, Hertz{1650e6});
    EXPECT_EQ(clocks->aicore_max, Hertz{1801e6});
    EXPECT_FALSE(clocks->ddr || clocks->ctrlcpu || clocks->hbm || clocks->vectorcore);
  }
  EXPECT_EQ(machine_.Calls(Named("get_device_frequency")), 3 + 5);
  EXPECT_EQ(machine_.Calls(Named("get_device_aicore_info")), 3);
}

TEST_P(DcmiHeatTest, EachSensorHasItsNumber) {
  for (const char* key :
       {"0 41", "1 42", "2 43", "10 50 51 52 53", "11 44", "12 45", "13 46", "14 47"}) {
    Set(std::string("sensor.") + key);
  }
  const auto sensors = driver_->ReadSensors(at());
  ASSERT_TRUE(sensors.ok()) << sensors.status();
  EXPECT_EQ(sensors->cluster, Celsius{41});
  EXPECT_EQ(sensors->peripheral, Celsius{42});
  EXPECT_EQ(sensors->aicore, Celsius{43});
  EXPECT_EQ(sensors->ntc1, Celsius{50});
  EXPECT_EQ(sensors->ntc2, Celsius{51});
  EXPECT_EQ(sensors->ntc3, Celsius{52});
  EXPECT_EQ(sensors->ntc4, Celsius{53});
  EXPECT_EQ(sensors->soc, Celsius{44});
  EXPECT_EQ(sensors->fp_max, Celsius{45});
  EXPECT_EQ(sensors->n_die, Celsius{46});
  EXPECT_EQ(sensors->hbm, Celsius{47});
  EXPECT_EQ(sensors->refused.sentinel, 0);
}

TEST_P(DcmiHeatTest, ASensorMayBeBelowZeroAndOneOfFourMayHaveNoValue) {
  Set("sensor.11 -5");
  Set("sensor.10 50 0x7ffd 52 0x7fff");
  const auto sensors = driver_->ReadSensors(at());
  EXPECT_EQ(sensors->soc, Celsius{-5});
  EXPECT_EQ(sensors->ntc1, Celsius{50});
  EXPECT_EQ(sensors->ntc3, Celsius{52});
  EXPECT_FALSE(sensors->ntc2 || sensors->ntc4);
  EXPECT_EQ(sensors->refused.sentinel, 1) << "0x7ffd: the board has no such NTC";
}

TEST_P(DcmiHeatTest, WhatWasAnsweredOnceIsAskedAgainAfterNotSupported) {
  Set("sensor.11 44");
  EXPECT_EQ(driver_->ReadSensors(at())->soc, Celsius{44});
  const std::string rule = Named("get_device_sensor_info") + " * code -8255";
  Rule(rule);
  EXPECT_FALSE(driver_->ReadSensors(at()).ok());
  machine_.Remove("rule " + rule);
  EXPECT_EQ(driver_->ReadSensors(at())->soc, Celsius{44}) << "it was a bad moment";
}

TEST_P(DcmiHeatTest, IdentityThatIsReadInPartDoesNotMakeABadMomentLast) {
  Set("sensor.11 44");
  ASSERT_TRUE(driver_->ReadIdentity(at()).ok());
  EXPECT_EQ(driver_->ReadSensors(at())->soc, Celsius{44});
  Rule("* * code -8255");
  (void)driver_->ReadIdentity(at());
  EXPECT_FALSE(driver_->ReadSensors(at()).ok());
  machine_.Remove("rule *");
  ASSERT_TRUE(driver_->ReadIdentity(at()).ok());
  EXPECT_EQ(driver_->ReadSensors(at())->soc, Celsius{44});
}

TEST_P(DcmiHeatTest, WhatAChipLacksIsAskedOfTheNextChipInItsPlace) {
  ASSERT_TRUE(driver_->ReadIdentity(at()).ok());
  EXPECT_FALSE(driver_->ReadSensors(at()).ok());
  Set("sensor.11 44");
  EXPECT_FALSE(driver_->ReadSensors(at()).ok()) << "the same chip is not asked again";
  Set("die 6 7 8 9 10");
  ASSERT_TRUE(driver_->ReadIdentity(at()).ok());
  EXPECT_EQ(driver_->ReadSensors(at())->soc, Celsius{44});
}

TEST_P(DcmiHeatTest, SensorsThatTheChipLacksAreAskedOnce) {
  Set("sensor.11 44");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(driver_->ReadSensors(at()).ok());
  EXPECT_EQ(machine_.Calls(Named("get_device_sensor_info")), 3 + 7);
}

TEST_P(DcmiHeatTest, EachReasonForThrottlingHasItsBit) {
  struct Bit {
    int bit;
    std::optional<Count> ThrottleReading::*field;
  };
  const std::vector<Bit> bits = {
      {2, &ThrottleReading::thermal},      {3, &ThrottleReading::edp_software},
      {4, &ThrottleReading::edp_hardware}, {5, &ThrottleReading::power_brake},
      {8, &ThrottleReading::svfd},         {10, &ThrottleReading::power_cap},
      {11, &ThrottleReading::load_aware}};
  for (const Bit& active : bits) {
    Set(fmt::format("throttle {}", 1 << active.bit | 1));
    const auto reading = driver_->ReadThrottle(at());
    ASSERT_TRUE(reading.ok()) << reading.status();
    for (const Bit& bit : bits) {
      EXPECT_EQ((*reading).*bit.field, Count{bit.bit == active.bit ? 1.0 : 0.0}) << bit.bit;
    }
  }
}

TEST_P(DcmiHeatTest, ReadsTheLoadOfEachCore) {
  Set("cores.aicore 87 85 0xEE 0xEF 80");
  Set("cores.vector 20 21");
  const auto cores = driver_->ReadCoreUtilization(at());
  ASSERT_TRUE(cores.ok()) << cores.status();
  EXPECT_THAT(cores->aicores.items(),
              ElementsAre(CoreLoad{0, Ratio{0.87}}, CoreLoad{1, Ratio{0.85}}, CoreLoad{2, {}},
                          CoreLoad{3, {}}, CoreLoad{4, Ratio{0.8}}));
  EXPECT_THAT(cores->vector_cores.items(),
              ElementsAre(CoreLoad{0, Ratio{0.2}}, CoreLoad{1, Ratio{0.21}}));
  EXPECT_EQ(cores->refused.sentinel, 0);
}

TEST_P(DcmiHeatTest, MoreThanAllIsNoLoadOfACore) {
  Set("cores.aicore 87 101 80");
  const auto cores = driver_->ReadCoreUtilization(at());
  EXPECT_THAT(cores->aicores.items(),
              ElementsAre(CoreLoad{0, Ratio{0.87}}, CoreLoad{1, {}}, CoreLoad{2, Ratio{0.8}}));
  EXPECT_TRUE(cores->vector_cores.empty());
  EXPECT_EQ(cores->refused.sentinel, 1);
}

TEST_P(DcmiHeatTest, PagesThatWillBeIsolatedAreReadWhereTheLibraryTellsThem) {
  Set("ecc.2 1 10 11 12 13 14 15");
  const auto longer = driver_->ReadEcc(at())->hbm;
  EXPECT_EQ(longer.enabled, Count{1});
  EXPECT_EQ(longer.single_bit, Count{10});
  EXPECT_EQ(longer.double_bit, Count{11});
  EXPECT_EQ(longer.lifetime_single_bit, Count{12});
  EXPECT_EQ(longer.lifetime_double_bit, Count{13});
  EXPECT_EQ(longer.isolated_pages, Count{14});
  EXPECT_EQ(longer.pending_isolated_pages, Count{15});
  Set("ecc.2 1 10 11 12 13 14");
  const auto shorter = driver_->ReadEcc(at());
  EXPECT_EQ(shorter->hbm.isolated_pages, Count{14});
  EXPECT_FALSE(shorter->hbm.pending_isolated_pages);
  EXPECT_EQ(shorter->refused.sentinel, 0) << "what is not written is no answer";
}

TEST_P(DcmiHeatTest, TellsWhetherDriverAndFirmwareFit) {
  Set("compatibility 1");
  EXPECT_EQ(driver_->ReadCompatibility(at())->fits, Count{1});
  Set("compatibility 2");
  EXPECT_EQ(driver_->ReadCompatibility(at())->fits, Count{0});
  Set("compatibility 3");
  EXPECT_FALSE(driver_->ReadCompatibility(at())->fits);
  EXPECT_EQ(driver_->ReadCompatibility(at())->refused.sentinel, 0);
}

TEST_P(DcmiOldHeatTest, ReadsTheMediaEngines) {
  Set("dvpp 10 11 12 13 14");
  const auto media = driver_->ReadMedia(at());
  ASSERT_TRUE(media.ok()) << media.status();
  EXPECT_EQ(media->vdec, Ratio{0.10});
  EXPECT_EQ(media->vpc, Ratio{0.11});
  EXPECT_EQ(media->venc, Ratio{0.12});
  EXPECT_EQ(media->jpege, Ratio{0.13});
  EXPECT_EQ(media->jpegd, Ratio{0.14});
}

TEST_P(DcmiOldHeatTest, FansAreCountedFromOne) {
  Set("fans 4200 0 4100");
  EXPECT_THAT(driver_->ReadFans(at())->fans.items(),
              ElementsAre(Fan{1, Rpm{4200}}, Fan{2, Rpm{0}}, Fan{3, Rpm{4100}}));
  EXPECT_EQ(machine_.Calls("dcmi_get_device_fan_count"), 1);
}

TEST_P(DcmiOldHeatTest, ImpossibleFansAreRefused) {
  Set("fans 4200");
  Rule("dcmi_get_device_fan_speed * value speed -1");
  const auto fans = driver_->ReadFans(at());
  EXPECT_THAT(fans->fans.items(), ElementsAre(Fan{1, {}}));
  EXPECT_EQ(fans->refused.sentinel, 1);
  for (const char* count : {"-1", "17", "2147483647"}) {
    Rule(std::string("dcmi_get_device_fan_count * value count ") + count);
    EXPECT_EQ(driver_->ReadFans(at()).status().code(), absl::StatusCode::kInternal) << count;
  }
}

}  // namespace
}  // namespace ascend

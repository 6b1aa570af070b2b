// What the library answers and what must not become a value: sentinels, garbage, error codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "count_values.h"
#include "fake_machine.h"

namespace ascend {
namespace {

constexpr DeviceAddress kFirst{0, 0};
constexpr nanoseconds kWindow{1};

// What a reading holds, whatever it is of.
struct Summary {
  absl::Status status;
  int values = 0;
  int refused = 0;
};

template <class Reading>
Summary Of(const absl::StatusOr<Reading>& reading) {
  if (!reading.ok()) return {.status = reading.status()};
  return {.status = {}, .values = ValuesOf(*reading), .refused = reading->refused.sentinel};
}

using Sentinels = std::vector<const char*>;

struct Measurement {
  const char* name;
  const char* machine;
  DeviceAddress at;
  const char* function;
  Summary (*read)(NpuDriver&, DeviceAddress);
  Sentinels sentinels = {"0x7FFFFFFF", "0xFFFFFFFF", "0xFFFFFFFFFFFFFFFF"};
};

const std::vector<Measurement> kMeasurements = {
    {"Temperature",
     "8x910b",
     kFirst,
     "dcmi_get_device_temperature",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadTemperature(at)); },
     {"0x7FFFFFFF", "0x80000000", "0x7ffd", "0x7fff"}},  // -1 is a temperature
    {"Power",
     "8x910b",
     kFirst,
     "dcmi_get_device_power_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadPower(at)); },
     {"0x7FFFFFFF", "0xFFFFFFFF", "0x80000000", "0x7ffd", "0x7fff", "0"}},
    {"CardPower",
     "4x310p",
     {1536, 0},
     "dcmi_mcu_get_power_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadCardPower(at)); },
     {"0x7FFFFFFF", "0xFFFFFFFF", "0x80000000", "0x7ffd", "0x7fff", "0"}},
    {"MultiUtilization", "8x910b", kFirst, "dcmi_get_device_multi_utilization_rate",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadUtilization(at)); }},
    {"Utilization",
     "4x310p",
     {1536, 0},
     "dcmi_get_device_utilization_rate",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadUtilization(at)); }},
    {"Hbm", "8x910b", kFirst, "dcmi_get_device_hbm_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadHbm(at)); }},
    {"Ddr",
     "4x310p",
     {1536, 0},
     "dcmi_get_device_memory_info_v3",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadDdr(at)); }},
    {"Ecc", "8x910b", kFirst, "dcmi_get_device_ecc_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadEcc(at)); }},
    {"PowerLimit",
     "8x910b",
     kFirst,
     "dcmi_get_device_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadPowerLimit(at)); },
     {"0x7FFFFFFF", "0xFFFFFFFF", "0x80000000", "0"}},
    {"Voltage",
     "8x910b",
     kFirst,
     "dcmi_get_device_voltage",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadVoltage(at)); },
     {"0x7FFFFFFF", "0xFFFFFFFF", "0x7ffd", "0x7fff", "0"}},
    {"Clocks",
     "8x910b",
     kFirst,
     "dcmi_get_device_frequency",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadClocks(at)); },
     {"0x7FFFFFFF", "0xFFFFFFFF", "0x7ffd", "0x7fff"}},
    {"Sensors",
     "8x910b",
     kFirst,
     "dcmi_get_device_sensor_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadSensors(at)); },
     {"0x7FFFFFFF", "0x80000000", "0x7ffd", "0x7fff", "-274"}},  // -1 is a temperature
    {"Throttle", "8x910b", kFirst, "dcmi_get_device_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadThrottle(at)); }},
    {"Cores",
     "8x910b",
     kFirst,
     "dcmi_get_device_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadCoreUtilization(at)); },
     {"101", "0x7F"}},
    {"Media",
     "4x310p",
     {1536, 0},
     "dcmi_get_device_dvpp_ratio_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadMedia(at)); },
     {"0x7FFFFFFF", "0xFFFFFFFF", "-1", "101"}},
    {"Compatibility",
     "8x910b",
     kFirst,
     "dcmi_get_device_compatibility",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadCompatibility(at)); },
     {"0x7FFFFFFF", "0xFFFFFFFF", "0", "4"}},
    {"Hccs", "8x910b", kFirst, "dcmi_get_device_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadHccs(at)); }},
    {"HccsBandwidth", "8x910b", kFirst, "dcmi_get_hccs_link_bandwidth_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadHccsBandwidth(at, kWindow)); }},
    {"Sio", "16x910c", kFirst, "dcmi_get_device_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadSio(at)); }},
    {"Pcie", "8x910b", kFirst, "dcmi_get_device_pcie_error_cnt",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadPcie(at, "0000:c1:00.0")); }},
    {"PcieBandwidth", "8x910b", kFirst, "dcmi_get_pcie_link_bandwidth_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadPcieBandwidth(at, kWindow)); }},
    {"NetworkHealth", "8x910b", kFirst, "dcmi_get_device_network_health",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadNetworkHealth(at)); }},
    {"NetworkCounters",
     "8x910b",
     kFirst,
     "dcmi_get_netdev_pkt_stats_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadNetworkCounters(at)); },
     {"0x7FFFFFFF", "0xFFFFFFFF", "0xFFFFFFFFFFFFFFFF", "0x8000000000000000"}},
    {"NetworkBandwidth", "8x910b", kFirst, "dcmi_get_rdma_bandwidth_info",
     [](NpuDriver& d, DeviceAddress at) { return Of(d.ReadNetworkBandwidth(at, kWindow)); }},
};

// Functions that stand in for the one of a measurement.
const std::vector<const char*> kSubstitutes = {"dcmi_get_device_utilization_rate",
                                               "dcmi_get_device_aicore_info"};

class DcmiMeasurementTest : public testing::TestWithParam<Measurement> {
 protected:
  Summary Read() { return GetParam().read(*driver_, GetParam().at); }
  void Rule(const std::string& function, const std::string& action) {
    machine_.Add("rule " + function + " * " + action);
  }

  FakeMachine machine_{GetParam().machine};
  std::shared_ptr<NpuDriver> driver_ = machine_.Open();
};

TEST_P(DcmiMeasurementTest, SentinelsAreNoValuesAndAreCounted) {
  ASSERT_GT(Read().values, 0);
  ASSERT_EQ(Read().refused, 0);
  for (const char* sentinel : GetParam().sentinels) {
    SCOPED_TRACE(sentinel);
    Rule("*", std::string("value ") + sentinel);
    const Summary reading = Read();
    ASSERT_TRUE(reading.status.ok()) << reading.status;
    EXPECT_EQ(reading.values, 0);
    EXPECT_GT(reading.refused, 0);
  }
}

TEST_P(DcmiMeasurementTest, UnsupportedIsAnAbsenceAndNoError) {
  Rule(GetParam().function, "code -8255");
  for (const char* substitute : kSubstitutes) Rule(substitute, "code -8255");
  EXPECT_EQ(Read().status.code(), absl::StatusCode::kUnimplemented);
}

TEST_P(DcmiMeasurementTest, OtherCodesAreErrorsOfTheirKindThatNameCallAndCode) {
  const std::vector<std::pair<int, absl::StatusCode>> codes = {
      {-8001, absl::StatusCode::kInternal},    {-8002, absl::StatusCode::kPermissionDenied},
      {-8003, absl::StatusCode::kInternal},    {-8004, absl::StatusCode::kInternal},
      {-8005, absl::StatusCode::kInternal},    {-8006, absl::StatusCode::kUnavailable},
      {-8007, absl::StatusCode::kNotFound},    {-8008, absl::StatusCode::kNotFound},
      {-8009, absl::StatusCode::kInternal},    {-8010, absl::StatusCode::kInternal},
      {-8011, absl::StatusCode::kInternal},    {-8012, absl::StatusCode::kNotFound},
      {-8013, absl::StatusCode::kUnavailable}, {-8014, absl::StatusCode::kInternal},
      {-8015, absl::StatusCode::kUnavailable}, {-8016, absl::StatusCode::kInternal},
      {-8017, absl::StatusCode::kUnavailable}, {-8020, absl::StatusCode::kUnavailable},
      {-8022, absl::StatusCode::kInternal},    {-1, absl::StatusCode::kInternal},
      {7, absl::StatusCode::kInternal}};
  for (const auto& [code, expected] : codes) {
    for (const char* substitute : kSubstitutes) Rule(substitute, "code " + std::to_string(code));
    Rule(GetParam().function, "code " + std::to_string(code));
    const absl::Status status = Read().status;
    EXPECT_EQ(status.code(), expected) << status;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(GetParam().function));
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(std::to_string(code) + " ("));
  }
  for (const char* substitute : kSubstitutes) Rule(substitute, "code 0");
  Rule(GetParam().function, "code 0");
  EXPECT_TRUE(Read().status.ok()) << "an error must not be remembered";
}

TEST_P(DcmiMeasurementTest, AFunctionThatAnOldLibraryLacksIsAnAbsence) {
  const auto old = machine_.Open("old");
  const absl::Status status = GetParam().read(*old, GetParam().at).status;
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
}

INSTANTIATE_TEST_SUITE_P(Calls, DcmiMeasurementTest, testing::ValuesIn(kMeasurements),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(DcmiRefusalTest, NothingIsColderThanAbsoluteZero) {
  FakeMachine machine;
  const auto driver = machine.Open();
  machine.Add("set 0 temperature -273");
  EXPECT_EQ(driver->ReadTemperature(kFirst)->chip, Celsius{-273});
  for (const char* raw : {"-274", "-2147483648"}) {
    machine.Add(std::string("set 0 temperature ") + raw);
    EXPECT_FALSE(driver->ReadTemperature(kFirst)->chip) << raw;
  }
}

TEST(DcmiRefusalTest, MoreThanAllIsNoUtilization) {
  FakeMachine machine;
  const auto driver = machine.Open();
  machine.Add("rule dcmi_get_device_multi_utilization_rate 0 value aicore_util 101");
  const auto reading = driver->ReadUtilization(kFirst);
  EXPECT_FALSE(reading->aicore);
  EXPECT_EQ(reading->vector, Ratio{0});
  EXPECT_EQ(reading->refused.sentinel, 1);
}

TEST(DcmiRefusalTest, AnHbmOfSizeZeroIsUnknownAndSoIsItsUse) {
  FakeMachine machine;
  machine.Add("set 0 hbm 0 0 41 0");
  const auto reading = machine.Open()->ReadHbm(kFirst);
  EXPECT_FALSE(reading->total);
  EXPECT_FALSE(reading->used);
  EXPECT_EQ(reading->temperature, Celsius{41});
  EXPECT_EQ(reading->refused.sentinel, 1);
}

TEST(DcmiRefusalTest, MoreUsedThanThereIsIsDropped) {
  FakeMachine machine;
  machine.Add("set 0 hbm 65536 65537 41 0");
  const auto reading = machine.Open()->ReadHbm(kFirst);
  EXPECT_TRUE(reading->total);
  EXPECT_FALSE(reading->used);
  EXPECT_EQ(reading->refused.sentinel, 1);
}

TEST(DcmiRefusalTest, MoreAvailableThanThereIsIsDropped) {
  FakeMachine machine("4x310p");
  machine.Add("set 0 ddr 1000 1001 2048 10 11");
  const auto reading = machine.Open()->ReadDdr({1536, 0});
  EXPECT_TRUE(reading->total);
  EXPECT_FALSE(reading->used);
  EXPECT_FALSE(reading->hugepages_used);
  EXPECT_EQ(reading->refused.sentinel, 2);
}

TEST(DcmiRefusalTest, SentinelsOf64BitsAreNoMemory) {
  FakeMachine machine("2x910a");
  const auto driver = machine.Open();
  for (const char* raw : {"0x8000000000000000", "0x7FFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFF"}) {
    for (const char* field : {"memory_size", "memory_usage", "memory_available", "hugepagesize",
                              "hugepages_total", "hugepages_free"}) {
      machine.Add(std::string("rule * * value ") + field + " " + raw);
    }
    const auto hbm = driver->ReadHbm({5, 0});
    EXPECT_EQ(CountValues(hbm->total, hbm->used), 0) << raw;
    const auto ddr = driver->ReadDdr({5, 0});
    EXPECT_EQ(CountValues(ddr->total, ddr->used, ddr->hugepages_capacity, ddr->hugepages_used), 0)
        << raw;
  }
}

TEST(DcmiRefusalTest, ANegativeHbmTemperatureIsDocumentedAsNone) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_hbm_info 0 value temp -1");
  const auto reading = machine.Open()->ReadHbm(kFirst);
  EXPECT_FALSE(reading->temperature);
  EXPECT_TRUE(reading->used);
}

TEST(DcmiRefusalTest, EccCountersOfAllOnesAreNone) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_ecc_info 0 value double_bit_error_cnt 0xFFFFFFFF");
  const auto reading = machine.Open()->ReadEcc(kFirst);
  EXPECT_FALSE(reading->hbm.double_bit);
  EXPECT_EQ(reading->hbm.single_bit, Count{0});
  EXPECT_EQ(reading->refused.sentinel, 1);
}

TEST(DcmiHealthTest, EveryStateIsTold) {
  FakeMachine machine;
  const auto driver = machine.Open();
  const std::vector<std::pair<const char*, Health>> states = {
      {"0", Health::kOk},       {"1", Health::kWarning}, {"2", Health::kAlarm},
      {"3", Health::kCritical}, {"4", Health::kUnknown}, {"0xFFFFFFFF", Health::kUnknown}};
  for (const auto& [raw, state] : states) {
    machine.Add(std::string("set 0 health ") + raw);
    const auto reading = driver->ReadHealth(kFirst);
    EXPECT_EQ(reading->state, state) << raw;
    EXPECT_EQ(reading->refused.sentinel, 0);
  }
}

TEST(DcmiHealthTest, AStateThatIsNotDocumentedIsUnknownAndCounted) {
  FakeMachine machine;
  machine.Add("set 0 health 0x7FFFFFFF");
  const auto reading = machine.Open()->ReadHealth(kFirst);
  EXPECT_EQ(reading->state, Health::kUnknown);
  EXPECT_EQ(reading->refused.sentinel, 1);
}

TEST(DcmiHealthTest, NotReadyMeansThatTheChipDroppedOffTheBus) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_health 0 code -8012");
  const auto reading = machine.Open()->ReadHealth(kFirst);
  ASSERT_TRUE(reading.ok()) << reading.status();
  EXPECT_TRUE(reading->lost);
  EXPECT_FALSE(reading->state);
}

TEST(DcmiHealthTest, AFailedReadIsNoHealth) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_health 0 code -8005");
  const auto reading = machine.Open()->ReadHealth(kFirst);
  EXPECT_EQ(reading.status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(std::string(reading.status().message()), "dcmi_get_device_health: -8005 (inner error)");
}

TEST(DcmiRefusalTest, ImpossibleCountsOfCodesAndProcessesAreErrors) {
  FakeMachine machine;
  const auto driver = machine.Open();
  std::array<ProcessReading, kMaxProcesses> list{};
  for (const char* count : {"-1", "129", "2147483647"}) {
    machine.Add(std::string("rule dcmi_get_device_errorcode_v2 0 value error_count ") + count);
    machine.Add(std::string("rule dcmi_get_device_resource_info 0 value proc_num ") + count);
    EXPECT_EQ(driver->ReadFaults(kFirst).status().code(), absl::StatusCode::kInternal);
    EXPECT_FALSE(driver->ReadProcesses(kFirst, list).ok());
  }
}

TEST(DcmiRefusalTest, SentinelsAreNoFaultCodesAndNoProcesses) {
  FakeMachine machine;
  const auto driver = machine.Open();
  machine.Add("set 0 faults 1 2");
  machine.Add("set 0 processes 1 1048576");
  std::array<ProcessReading, kMaxProcesses> list{};
  for (const char* raw : {"0", "0x7FFFFFFF", "0xFFFFFFFF"}) {
    machine.Add(std::string("rule * 0 value error_code_list ") + raw);
    machine.Add(std::string("rule * 0 value proc_id ") + raw);
    EXPECT_THAT(driver->ReadFaults(kFirst)->active.items(), testing::IsEmpty()) << raw;
    EXPECT_EQ(driver->ReadProcesses(kFirst, list).value_or(0), 0U) << raw;
  }
}

TEST(DcmiRefusalTest, ALostChipIsNotFound) {
  FakeMachine machine;
  machine.Add("rule * 0 code -8012");
  const auto driver = machine.Open();
  EXPECT_EQ(driver->ReadIdentity(kFirst).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(driver->ReadFaults(kFirst).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(driver->ReadUtilization(kFirst).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(driver->ReadEcc(kFirst).status().code(), absl::StatusCode::kNotFound);
}

TEST(DcmiUtilizationTest, AnUnsupportedTypeIsAskedOnceForEachDevice) {
  FakeMachine machine("4x310p");
  const auto driver = machine.Open();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(driver->ReadUtilization({1536, 0}).ok());
    ASSERT_TRUE(driver->ReadUtilization({1536, 1}).ok());
    ASSERT_TRUE(driver->ReadEcc({1536, 0}).ok());
  }
  EXPECT_EQ(machine.Calls("dcmi_get_device_multi_utilization_rate 1536/0"), 1);
  EXPECT_EQ(machine.Calls("dcmi_get_device_multi_utilization_rate 1536/1"), 1);
  EXPECT_EQ(machine.Calls("dcmi_get_device_utilization_rate 1536/0"), 3 * 4);
  EXPECT_EQ(machine.Calls("dcmi_get_device_ecc_info 1536/0"), 3 + 3);
}

TEST(DcmiUtilizationTest, WhereTheCallForAllRatesFailsTheSingleOnesServeForThatSample) {
  FakeMachine machine;
  const auto driver = machine.Open();
  for (const char* code : {"-8005", "-8006", "-8012", "-8013"}) {
    SCOPED_TRACE(code);
    machine.Add(std::string("rule dcmi_get_device_multi_utilization_rate 0 code ") + code);
    const auto reading = driver->ReadUtilization(kFirst);
    ASSERT_TRUE(reading.ok()) << reading.status();
    EXPECT_TRUE(reading->aicore && reading->vector && reading->aicpu && reading->ctrlcpu);
    EXPECT_FALSE(reading->overall || reading->cube);
    EXPECT_EQ(reading->refused.sentinel, 0);
  }
  machine.Add("rule dcmi_get_device_multi_utilization_rate 0 code 0");
  EXPECT_TRUE(driver->ReadUtilization(kFirst)->overall) << "a failure is not taken for a lack";
}

TEST(DcmiUtilizationTest, TheFirstFailureIsToldWhereNoRateIsAnswered) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_multi_utilization_rate 0 code -8005");
  machine.Add("rule dcmi_get_device_utilization_rate 0 code -8006");
  EXPECT_EQ(std::string(machine.Open()->ReadUtilization(kFirst).status().message()),
            "dcmi_get_device_multi_utilization_rate: -8005 (inner error)");
}

TEST(DcmiUtilizationTest, AFailingRateOfAMemoryIsAbsentAndNothingIsCounted) {
  FakeMachine machine("2x910a");
  const auto driver = machine.Open();
  ASSERT_TRUE(driver->ReadHbm({5, 0})->utilization);
  ASSERT_TRUE(driver->ReadDdr({5, 0})->bandwidth_utilization);
  machine.Add("rule dcmi_get_device_utilization_rate * code -8006");
  const auto hbm = driver->ReadHbm({5, 0});
  const auto ddr = driver->ReadDdr({5, 0});
  EXPECT_FALSE(hbm->utilization || ddr->bandwidth_utilization);
  EXPECT_TRUE(hbm->used && ddr->used);
  EXPECT_EQ(hbm->refused.sentinel + ddr->refused.sentinel, 0);
}

TEST(DcmiUtilizationTest, OneFailingTypeLeavesTheOthers) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_utilization_rate:3 0 code -8005");
  const auto reading = machine.Open()->ReadUtilization(kFirst);
  ASSERT_TRUE(reading.ok()) << reading.status();
  EXPECT_FALSE(reading->aicpu);
  EXPECT_TRUE(reading->ctrlcpu);
  EXPECT_TRUE(reading->overall);
}

}  // namespace
}  // namespace ascend

// Every value that the driver answers is the one of the machine's description.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fake_machine.h"
#include "hal/chip_family.h"
#include "hal/pid_namespace.h"

namespace ascend {
namespace {

constexpr double kMib = 1024.0 * 1024.0;

YAML::Node Merged(const YAML::Node& base, const YAML::Node& over) {
  YAML::Node merged = YAML::Clone(base);
  for (const auto& item : over) {
    const auto key = item.first.as<std::string>();
    const bool both_maps = merged[key] && merged[key].IsMap() && item.second.IsMap();
    merged[key] = both_maps ? Merged(merged[key], item.second) : YAML::Clone(item.second);
  }
  return merged;
}

std::vector<YAML::Node> ChipsOf(const std::string& description) {
  const YAML::Node machine =
      YAML::LoadFile(std::string(ASCEND_SOURCE_DIR) + "/tests/machines/" + description + ".yaml");
  std::vector<YAML::Node> chips;
  for (const auto& chip : machine["chips"]) chips.push_back(Merged(machine["defaults"], chip));
  return chips;
}

std::string Text(const YAML::Node& node) { return node ? node.as<std::string>() : ""; }

std::optional<double> Number(const YAML::Node& node, double scale = 1) {
  if (!node) return std::nullopt;
  return node.as<double>() * scale;
}

std::optional<double> Percent(const YAML::Node& node) {
  if (!node) return std::nullopt;
  return node.as<double>() / 100;
}

template <class Q>
std::optional<double> Plain(const std::optional<Q>& quantity) {
  if (!quantity) return std::nullopt;
  return quantity->value;
}

// A reading that a chip of this kind has, or the absence that it must answer.
template <class Reading>
std::optional<Reading> Has(const absl::StatusOr<Reading>& reading, bool expected) {
  if (expected) {
    EXPECT_TRUE(reading.ok()) << reading.status();
  } else {
    EXPECT_EQ(reading.status().code(), absl::StatusCode::kUnimplemented) << reading.status();
  }
  if (!reading.ok()) return std::nullopt;
  return *reading;
}

class DcmiValuesTest : public testing::TestWithParam<const char*> {
 protected:
  // Calls `check` with each chip of the description and its address.
  template <class Check>
  void ForEachChip(const Check& check) {
    for (const YAML::Node& chip : ChipsOf(GetParam())) {
      SCOPED_TRACE("device " + chip["device"].as<std::string>());
      check(chip, AddressOf(chip));
    }
  }

  // The library names a 950 by its logic id alone.
  static DeviceAddress AddressOf(const YAML::Node& chip) {
    if (Text(chip["chip_name"]).starts_with("Ascend950")) return {chip["logic_id"].as<int>(), 0};
    return {chip["npu_id"].as<int>(), chip["chip_id"].as<int>()};
  }

  FakeMachine machine_{GetParam()};
  std::shared_ptr<NpuDriver> driver_ = machine_.Open();
};

TEST_P(DcmiValuesTest, FindsEveryChipWithItsNumbers) {
  const auto found = driver_->Discover();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(found->problems, testing::IsEmpty());
  EXPECT_EQ(found->info.backend, "dcmi");
  EXPECT_EQ(found->info.device_id_source, "phy_id");
  std::vector<FoundDevice> expected;
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    expected.push_back({at, chip["device"].as<int>(), chip["logic_id"].as<int>()});
  });
  EXPECT_EQ(found->devices, expected);
}

TEST_P(DcmiValuesTest, TellsTheVersionsOfLibraryAndDriver) {
  const YAML::Node machine =
      YAML::LoadFile(std::string(ASCEND_SOURCE_DIR) + "/tests/machines/" + GetParam() + ".yaml");
  const auto found = driver_->Discover();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->info.driver_version, Text(machine["driver_version"]));
  EXPECT_EQ(found->info.library_version, Text(machine["library_version"]));
}

TEST_P(DcmiValuesTest, IdentifiesTheChip) {
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    const auto identity = driver_->ReadIdentity(at);
    ASSERT_TRUE(identity.ok()) << identity.status();
    const int board = chip["board_id"].as<int>();
    EXPECT_EQ(identity->family, FamilyOf(Text(chip["chip_name"]), board));
    EXPECT_NE(identity->family, ChipFamily::kUnknown);
    EXPECT_EQ(identity->traits, TraitsOf(identity->family));
    EXPECT_EQ(identity->chip_name.view(), Text(chip["chip_name"]));
    EXPECT_EQ(identity->pci_address.view(), Text(chip["pci_address"]));
    EXPECT_EQ(identity->die_id.view(), Text(chip["die_id"]));
    EXPECT_EQ(identity->serial.view(), Text(chip["serial"]));
    EXPECT_EQ(identity->model.view(), Text(chip["model"]));
    EXPECT_EQ(identity->product.view(), Text(chip["product"]));
    EXPECT_EQ(identity->firmware_version.view(), Text(chip["firmware_version"]));
    EXPECT_EQ(std::stoi(identity->board_id.str(), nullptr, 16), board);
  });
}

TEST_P(DcmiValuesTest, ReadsHealthAndFaults) {
  const std::map<std::string, Health> states = {
      {"ok", Health::kOk}, {"warning", Health::kWarning}, {"alarm", Health::kAlarm}};
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    const auto health = driver_->ReadHealth(at);
    ASSERT_TRUE(health.ok()) << health.status();
    EXPECT_EQ(health->state, states.at(Text(chip["health"])));
    EXPECT_FALSE(health->lost);
    const auto faults = driver_->ReadFaults(at);
    ASSERT_TRUE(faults.ok()) << faults.status();
    std::vector<std::uint32_t> expected;
    for (const auto& code : chip["faults"]) {
      expected.push_back(static_cast<std::uint32_t>(std::stoul(Text(code), nullptr, 16)));
    }
    EXPECT_THAT(faults->active.items(), testing::ElementsAreArray(expected));
  });
}

TEST_P(DcmiValuesTest, ReadsTemperatureAndPower) {
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    const auto temperature = Has(driver_->ReadTemperature(at), true);
    const auto power = Has(driver_->ReadPower(at), chip["power_watts"].IsDefined());
    const auto card = Has(driver_->ReadCardPower(at), chip["card_power_watts"].IsDefined());
    EXPECT_EQ(Plain(temperature->chip), Number(chip["temperature_celsius"]));
    EXPECT_EQ(power ? Plain(power->chip) : std::nullopt, Number(chip["power_watts"]));
    EXPECT_EQ(card ? Plain(card->card) : std::nullopt, Number(chip["card_power_watts"]));
  });
}

TEST_P(DcmiValuesTest, ReadsUtilization) {
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    const auto reading = Has(driver_->ReadUtilization(at), true);
    const YAML::Node load = chip["utilization"];
    EXPECT_EQ(Plain(reading->aicore), Percent(load["aicore"]));
    EXPECT_EQ(Plain(reading->vector), Percent(load["vector"]));
    EXPECT_EQ(Plain(reading->cube), Percent(load["cube"]));
    EXPECT_EQ(Plain(reading->aicpu), Percent(load["aicpu"]));
    EXPECT_EQ(Plain(reading->ctrlcpu), Percent(load["ctrlcpu"]));
    EXPECT_EQ(Plain(reading->overall), Percent(load["overall"]));
    EXPECT_EQ(reading->refused.sentinel, 0);
  });
}

TEST_P(DcmiValuesTest, ReadsHbm) {
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    const YAML::Node hbm = chip["hbm"];
    const auto reading = Has(driver_->ReadHbm(at), hbm.IsDefined());
    if (!reading) return;
    EXPECT_EQ(Plain(reading->used), Number(hbm["used_mib"], kMib));
    EXPECT_EQ(Plain(reading->total), Number(hbm["total_mib"], kMib));
    EXPECT_EQ(Plain(reading->temperature), Number(hbm["temperature_celsius"]));
    EXPECT_EQ(Plain(reading->utilization), Percent(hbm["utilization"]));
    EXPECT_EQ(Plain(reading->bandwidth_utilization), Percent(hbm["bandwidth_utilization"]));
    EXPECT_EQ(reading->refused.sentinel, 0);
  });
}

TEST_P(DcmiValuesTest, ReadsDdr) {
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    const YAML::Node ddr = chip["ddr"];
    const auto reading = Has(driver_->ReadDdr(at), ddr.IsDefined());
    if (!reading) return;
    EXPECT_EQ(Plain(reading->used), Number(ddr["used_mib"], kMib));
    EXPECT_EQ(Plain(reading->total), Number(ddr["total_mib"], kMib));
    EXPECT_EQ(Plain(reading->bandwidth_utilization), Percent(ddr["bandwidth_utilization"]));
    EXPECT_EQ(Plain(reading->hugepages_capacity), 0);
    EXPECT_EQ(Plain(reading->hugepages_used), 0);
  });
}

void ExpectCounts(const EccCounts& counts, const YAML::Node& expected) {
  const auto flag = expected["enabled"];
  EXPECT_EQ(Plain(counts.enabled),
            flag ? std::optional(flag.as<bool>() ? 1.0 : 0.0) : std::nullopt);
  EXPECT_EQ(Plain(counts.single_bit), Number(expected["single_bit"]));
  EXPECT_EQ(Plain(counts.double_bit), Number(expected["double_bit"]));
  EXPECT_EQ(Plain(counts.lifetime_single_bit), Number(expected["lifetime_single_bit"]));
  EXPECT_EQ(Plain(counts.lifetime_double_bit), Number(expected["lifetime_double_bit"]));
  EXPECT_EQ(Plain(counts.isolated_pages), Number(expected["isolated_pages"]));
}

TEST_P(DcmiValuesTest, ReadsEcc) {
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    const auto reading = Has(driver_->ReadEcc(at), true);
    const YAML::Node none(YAML::NodeType::Map);
    const std::map<std::string, EccCounts> modules = {{"hbm", reading->hbm},
                                                      {"ddr", reading->ddr},
                                                      {"sram", reading->sram},
                                                      {"npu", reading->npu}};
    for (const auto& [name, counts] : modules) {
      SCOPED_TRACE(name);
      ExpectCounts(counts, chip["ecc"][name] ? chip["ecc"][name] : none);
    }
  });
}

TEST_P(DcmiValuesTest, ListsProcessesWhereThePidsAreTheHosts) {
  ForEachChip([&](const YAML::Node& chip, DeviceAddress at) {
    std::array<ProcessReading, kMaxProcesses> list{};
    const auto count = driver_->ReadProcesses(at, list);
    if (!InInitialPidNamespace() || !chip["processes"]) {
      EXPECT_EQ(count.status().code(), absl::StatusCode::kUnimplemented);
      return;
    }
    ASSERT_TRUE(count.ok()) << count.status();
    ASSERT_EQ(*count, chip["processes"].size());
    for (std::size_t i = 0; i < **count; ++i) {
      EXPECT_EQ(list[i].pid, chip["processes"][i]["pid"].as<int>());
      EXPECT_EQ(Plain(list[i].memory), Number(chip["processes"][i]["memory_mib"], kMib));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Machines, DcmiValuesTest,
                         testing::Values("8x910b", "16x910c", "4x310p", "2x910a", "2x950"),
                         [](const auto& test) { return std::string("Of") + test.param; });

TEST(DcmiPowerTest, TenthsOfWattsAreTheNearestDecimal) {
  FakeMachine machine;
  machine.Add("set 0 power 1034");
  EXPECT_EQ(machine.Open()->ReadPower({0, 0})->chip, Watts{103.4});
}

TEST(DcmiTemperatureTest, MinusOneDegreeIsAValue) {
  FakeMachine machine;
  machine.Add("set 0 temperature -1");
  const auto reading = machine.Open()->ReadTemperature({0, 0});
  EXPECT_EQ(reading->chip, Celsius{-1});
  EXPECT_EQ(reading->refused.sentinel, 0);
}

TEST(DcmiDdrTest, UsedIsSizeMinusAvailableAndPagesAreBytes) {
  FakeMachine machine("4x310p");
  machine.Add("set 0 ddr 40000 30000 2048 100 40");
  machine.Add("rule dcmi_get_device_memory_info_v3 0 value utiliza 99");
  const auto reading = machine.Open()->ReadDdr({1536, 0});
  ASSERT_TRUE(reading.ok()) << reading.status();
  EXPECT_EQ(reading->used, Bytes{10000 * kMib});
  EXPECT_EQ(reading->hugepages_capacity, Bytes{200 * kMib});
  EXPECT_EQ(reading->hugepages_used, Bytes{120 * kMib});
}

TEST(DcmiEccTest, CountsAboveTwoToThe31AreExact) {
  FakeMachine machine;
  machine.Add("rule dcmi_get_device_ecc_info 0 value single_bit_error_cnt 4294967294");
  EXPECT_EQ(machine.Open()->ReadEcc({0, 0})->hbm.single_bit, Count{4294967294.0});
}

TEST(DcmiProcessesTest, NamesLivingProcessesAndLeavesEndedOnesNameless) {
  FakeMachine machine;
  const pid_t self = getpid();
  machine.Add("set 0 processes " + std::to_string(self) + " 1048576 4194303 2097152");
  std::array<ProcessReading, kMaxProcesses> list{};
  const auto count = machine.Open()->ReadProcesses({0, 0}, list);
  if (!InInitialPidNamespace()) {
    EXPECT_EQ(count.status().code(), absl::StatusCode::kUnimplemented);
    return;
  }
  ASSERT_EQ(*count, 2U);
  EXPECT_EQ(list[0].name.view(), "dcmi_test");
  EXPECT_EQ(list[0].memory, Bytes{kMib});
  EXPECT_TRUE(list[1].name.empty());
  EXPECT_EQ(list[1].pid, 4194303);
}

}  // namespace
}  // namespace ascend

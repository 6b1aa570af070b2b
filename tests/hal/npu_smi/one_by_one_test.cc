// When the table of all cards does not end, cards are asked one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hal/driver_state.h"
#include "tests/hal/npu_smi/fake_tool.h"

namespace ascend::npu_smi {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr DeviceAddress kGood{0, 0};
constexpr DeviceAddress kBad{1, 0};

constexpr std::string_view kTable =
    "| npu-smi 25.5.1    Version: 25.5.1 |\n"
    "| NPU   Name   | Health  | Power(W)    Temp(C)    Hugepages-Usage(page)|\n"
    "| Chip         | Bus-Id  | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB) |\n"
    "| 0 910B3 | OK | 212.4 52 0 / 0 |\n| 0 | 0000:41:00.0 | 63 0 / 0 26870 / 65536 |\n"
    "| 1 910B3 | OK | 99.4 42 0 / 0 |\n| 0 | 0000:42:00.0 | 0 0 / 0 3000 / 65536 |\n";

class NpuSmiOneByOneTest : public ::testing::Test {
 protected:
  NpuSmiOneByOneTest() : tool(kTable, "exec sleep 1000") {
    tool.Answer("info -t common -i 0",
                "NPU ID : 0\nChip Count : 1\n\nChip ID : 0\nAicore Usage Rate(%) : 17\n"
                "Temperature(C) : 55\nNPU Real-time Power(W) : 180.5\n\nChip Name : mcu\n"
                "Temperature(C) : 30");
    tool.Answer("info -t common -i 1", "", "exec sleep 1000");
    tool.Answer("info -t health -i 0 -c 0", "Health Status : Warning\nError Code : NA");
    tool.Answer("info -m",
                "NPU ID Chip ID Chip Logic ID Chip Name\n0 0 0 Ascend 910B3\n1 0 1 Ascend 910B3");
  }

  std::shared_ptr<NpuDriver> Open() {
    DriverSetup setup = tool.Setup();
    setup.run_deadline = milliseconds(200);
    setup.query_deadline = milliseconds(200);
    return tool.Open(setup);
  }

  FakeTool tool;
};

TEST_F(NpuSmiOneByOneTest, TheOthersAreAnsweredAndTheOneThatHangsIsHeldBack) {
  const auto driver = Open();
  const auto temperature = driver->ReadTemperature(kGood);
  ASSERT_TRUE(temperature.ok()) << temperature.status().message();
  EXPECT_EQ(temperature->chip, Celsius{55});
  EXPECT_EQ(driver->ReadPower(kGood)->chip, Watts{180.5});
  EXPECT_EQ(driver->ReadUtilization(kGood)->aicore, Ratio{0.17});
  EXPECT_EQ(driver->ReadHealth(kGood)->state, Health::kWarning);
  EXPECT_EQ(driver->ReadHbm(kGood)->used, std::nullopt);
  EXPECT_EQ(driver->ReadTemperature(kBad).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(driver->ReadTemperature(kBad).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(tool.RunsOf("info -t common -i 1"), 1U);
}

TEST_F(NpuSmiOneByOneTest, DiscoveryFindsTheChipsAndSaysWhatIsWrong) {
  const auto found = Open()->Discover();
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_THAT(found->devices, SizeIs(2));
  EXPECT_THAT(found->problems, Contains(HasSubstr("cards are asked one by one")));
}

TEST_F(NpuSmiOneByOneTest, TheTableIsTakenAgainWhenItEndsAgain) {
  const auto driver = Open();
  EXPECT_TRUE(driver->ReadTemperature(kGood).ok());
  WriteScript(tool.tool(), fmt::format("[ \"$*\" = info ] && exec cat {}; exit 1", tool / "table"));
  tool.clock.Advance(seconds(60));
  EXPECT_TRUE(driver->Discover().ok());
  EXPECT_EQ(driver->ReadTemperature(kGood)->chip, Celsius{52});
  EXPECT_EQ(driver->ReadTemperature(kBad)->chip, Celsius{42});
}

TEST_F(NpuSmiOneByOneTest, ChipsOfTheLastTableKeepTheirAddresses) {
  WriteScript(tool / "first",
              fmt::format("[ \"$*\" = info ] && exec cat {}; exit 1", tool / "table"));
  const std::string hanging = ReadFile(tool.tool());
  std::filesystem::copy_file(tool / "first", tool.tool(),
                             std::filesystem::copy_options::overwrite_existing);
  const auto driver = Open();
  EXPECT_TRUE(driver->Discover().ok());
  WriteFile(tool.tool(), hanging);
  tool.clock.Advance(seconds(60));
  EXPECT_EQ(driver->ReadIdentity(kGood)->pci_address.view(), "0000:41:00.0");
  EXPECT_EQ(driver->ReadTemperature(kGood)->chip, Celsius{55});
}

TEST_F(NpuSmiOneByOneTest, WhereNothingEndsTheTableSaysWhy) {
  tool.Answer("info -m", "", "exec sleep 1000");
  const absl::Status status = Open()->Discover().status();
  EXPECT_EQ(StateOf(status), DriverState::kToolFailed);
  EXPECT_THAT(std::string(status.message()), HasSubstr("did not end within"));
}

}  // namespace
}  // namespace ascend::npu_smi

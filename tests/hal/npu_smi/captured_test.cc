#include "hal/npu_smi/captured.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hal/open.h"
#include "hal/virtual_clock.h"
#include "tests/hal/npu_smi/support.h"

namespace ascend::npu_smi {
namespace {

constexpr std::string_view kTable =
    R"(+------------------------------------------------------------------------------------------------+
| npu-smi 24.1.rc3                 Version: 24.1.rc3                                             |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 5     910B3               | OK            | 92.4        43                0    / 0             |
| 0                         | 0000:41:00.0  | 12          0    / 0          3314 / 65536         |
+===========================+===============+====================================================+
)";
constexpr std::string_view kEcc =
    "\tNPU ID                                   : 5\n"
    "\tChip Count                               : 1\n\n"
    "\tHBM Single Bit Error Count               : 7\n"
    "\tHBM Double Bit Error Count               : 1\n"
    "\tSomething New                            : 3\n"
    "\tChip ID                                  : 0\n";
constexpr std::string_view kLink = "link status: UP\n";

std::shared_ptr<NpuDriver> Open(const std::vector<std::string>& texts) {
  static VirtualClock clock;
  return OpenCaptured(texts, clock).driver;
}

TEST(CapturedTest, TextsWithoutTheirCommandsAreKnownByTheirWords) {
  const auto driver = Open({std::string(kTable), std::string(kEcc), std::string(kLink)});
  const auto found = driver->Discover();
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->devices.size(), 1U);
  const DeviceAddress at = found->devices[0].address;
  EXPECT_EQ(driver->ReadPower(at)->chip, Watts{92.4});
  EXPECT_EQ(driver->ReadEcc(at)->hbm.single_bit, Count{7});
  EXPECT_EQ(driver->ReadNetworkLink(at)->ports[0].up, Count{1}) << "there is one chip only";
  EXPECT_TRUE(absl::IsUnimplemented(driver->ReadOptical(at).status()));
}

TEST(CapturedTest, OneTextWithItsCommandsIsCutAtThem) {
  const std::string session = "[root@node ~]# npu-smi info\n" + std::string(kTable) +
                              "[root@node ~]# npu-smi info -t ecc -i 5\n" + std::string(kEcc) +
                              "$ hccn_tool -i 5 -link -g\n" + std::string(kLink) +
                              "$ hccn_tool -i 6 -link -g\nlink status: DOWN\n";
  UnknownLines unknown;
  const std::vector<CapturedText> texts = CaptureTexts(session, unknown);
  ASSERT_EQ(texts.size(), 4U);
  EXPECT_EQ(texts[0].form, VendorText::kInfo);
  EXPECT_EQ(texts[1].arguments, (std::vector<std::string>{"info", "-t", "ecc", "-i", "5"}));
  EXPECT_EQ(unknown.count, 0U);
  const auto driver = Open({session});
  ASSERT_TRUE(driver->Discover().ok());
  EXPECT_EQ(driver->ReadEcc({5, 0})->hbm.double_bit, Count{1});
  EXPECT_EQ(driver->ReadNetworkLink({5, 0})->ports[0].up, Count{1}) << "not that of another chip";
}

TEST(CapturedTest, WhatWasNotUnderstoodIsListed) {
  VirtualClock clock;
  const Captured captured =
      OpenCaptured({std::string(kEcc), "no vendor prints this\nnor that\n"}, clock);
  ASSERT_EQ(captured.outputs.size(), 2U);
  EXPECT_EQ(captured.outputs[0].form, "npu-smi info -t ecc");
  ASSERT_EQ(captured.outputs[0].not_understood, 1U);
  EXPECT_NE(captured.outputs[0].lines[0].find("Something New"), std::string::npos);
  EXPECT_EQ(captured.outputs[1].form, "unknown");
  EXPECT_EQ(captured.outputs[1].not_understood, 2U);
}

TEST(CapturedTest, LineThatWasCutOffIsNotRead) {
  std::string cut(kEcc.substr(0, kEcc.find("7\n") + 1));  // "... : 7" of perhaps 75
  UnknownLines unknown;
  const std::vector<CapturedText> texts = CaptureTexts(cut, unknown);
  EXPECT_EQ(unknown.count, 1U);
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0].text.find("Single Bit"), std::string::npos);
}

TEST(CapturedTest, TextOfTheNetworkThatNamesNoChipIsNotGuessed) {
  const std::string two = std::string(kTable) +
                          "| 6     910B3               | OK            | 92.4        43            "
                          "    0    / 0             |\n"
                          "| 0                         | 0000:42:00.0  | 12          0    / 0      "
                          "    3314 / 65536         |\n";
  const auto driver = Open({two, std::string(kLink)});
  const auto found = driver->Discover();
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->devices.size(), 2U);
  EXPECT_FALSE(driver->ReadNetworkLink({5, 0}).ok());
  EXPECT_FALSE(driver->ReadNetworkLink({6, 0}).ok());
}

TEST(CapturedTest, WithoutATableThereAreNoDevices) {
  EXPECT_FALSE(Open({std::string(kEcc)})->Discover().ok());
  EXPECT_FALSE(Open({})->Discover().ok());
}

}  // namespace
}  // namespace ascend::npu_smi

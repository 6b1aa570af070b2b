#include "hal/pcie_sysfs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace ascend {
namespace {

constexpr char kAddress[] = "0000:c1:00.0";

// A /sys of the test's own with one device.
class PcieSysfsTest : public testing::Test {
 protected:
  PcieSysfsTest() {
    static std::atomic<int> count = 0;
    root_ = testing::TempDir() + "sys_" + std::to_string(getpid()) + "_" + std::to_string(++count);
    device_ = root_ + "/bus/pci/devices/" + kAddress;
    std::filesystem::create_directories(device_);
  }
  ~PcieSysfsTest() override {
    std::error_code error;
    std::filesystem::remove_all(root_, error);
  }

  [[nodiscard]] std::string PathOf(const std::string& file) const { return device_ + "/" + file; }
  void Write(const std::string& file, const std::string& text) const {
    std::ofstream(PathOf(file), std::ios::binary) << text;
  }
  [[nodiscard]] PcieReading Read() const { return ReadPcieSysfs(root_, kAddress); }

  std::string root_, device_;
};

TEST_F(PcieSysfsTest, ReadsSpeedAndWidthOfTheLink) {
  Write("current_link_speed", "8.0 GT/s PCIe\n");
  Write("max_link_speed", "16.0 GT/s PCIe\n");
  Write("current_link_width", "8\n");
  Write("max_link_width", "16\n");
  const PcieReading reading = Read();
  EXPECT_EQ(reading.speed, TransfersPerSecond{8e9});
  EXPECT_EQ(reading.max_speed, TransfersPerSecond{16e9});
  EXPECT_EQ(reading.lanes, Count{8});
  EXPECT_EQ(reading.max_lanes, Count{16});
  EXPECT_EQ(reading.refused.sentinel, 0);
}

TEST_F(PcieSysfsTest, ReadsSpeedsAsOldKernelsPrintThem) {
  Write("current_link_speed", "2.5 GT/s\n");
  Write("max_link_speed", "16 GT/s\n");
  EXPECT_EQ(Read().speed, TransfersPerSecond{2.5e9});
  EXPECT_EQ(Read().max_speed, TransfersPerSecond{16e9});
}

TEST_F(PcieSysfsTest, UnknownSpeedsAreAbsent) {
  for (const char* text : {"Unknown\n", "Unknown speed\n", "", "\n", "GT/s\n", " GT/s\n",
                           "-8.0 GT/s PCIe\n", "nan GT/s\n", "inf GT/s\n", "0.0 GT/s\n",
                           "8.0x GT/s\n", "8.0 GT/seconds\n", "1e300 GT/s\n", "133 MHz PCI-X\n"}) {
    Write("current_link_speed", text);
    EXPECT_FALSE(Read().speed.has_value()) << text;
  }
}

TEST_F(PcieSysfsTest, WidthsThatMeanUnknownAreAbsentAndCounted) {
  for (const char* text : {"0\n", "63\n", "255\n"}) {
    Write("current_link_width", text);
    EXPECT_FALSE(Read().lanes.has_value()) << text;
    EXPECT_EQ(Read().refused.sentinel, 1) << text;
  }
}

TEST_F(PcieSysfsTest, WidthsThatAreNoWidthAreAbsent) {
  for (const char* text :
       {"", "\n", "x16\n", "16 lanes\n", "-1\n", "1000\n", "99999999999999999999999\n"}) {
    Write("current_link_width", text);
    EXPECT_FALSE(Read().lanes.has_value()) << text;
  }
}

TEST_F(PcieSysfsTest, ReadsTheTotalsOfErrorReporting) {
  Write("aer_dev_correctable",
        "RxErr 2\nBadTLP 0\nBadDLLP 0\nRollover 0\nTimeout 3\nNonFatalErr 0\nCorrIntErr 0\n"
        "HeaderOF 0\nTOTAL_ERR_COR 4\n");
  Write("aer_dev_nonfatal", "Undefined 0\nTLP 7\nTOTAL_ERR_NONFATAL 7\n");
  Write("aer_dev_fatal", "Undefined 0\nTLP 0\nTOTAL_ERR_FATAL 0\n");
  const PcieErrors errors = Read().errors;
  EXPECT_EQ(errors.correctable, Count{4});
  EXPECT_EQ(errors.nonfatal, Count{7});
  EXPECT_EQ(errors.fatal, Count{0});
  EXPECT_FALSE(errors.retry.has_value()) << "the kernel does not keep those";
}

TEST_F(PcieSysfsTest, TotalsThatAreBrokenAreAbsent) {
  for (const char* text : {"", "RxErr 2\n", "TOTAL_ERR_COR\n", "TOTAL_ERR_COR \n",
                           "TOTAL_ERR_COR -1\n", "TOTAL_ERR_COR 1 2\n", "TOTAL_ERR_CORRECTED 5\n",
                           "XTOTAL_ERR_COR 5\n", "TOTAL_ERR_COR 99999999999999999999999\n"}) {
    Write("aer_dev_correctable", text);
    EXPECT_FALSE(Read().errors.correctable.has_value()) << text;
  }
}

TEST_F(PcieSysfsTest, FilesThatAreMissingAreAbsentFields) {
  EXPECT_FALSE(Read().speed.has_value());
  EXPECT_FALSE(Read().max_lanes.has_value());
  EXPECT_FALSE(Read().errors.fatal.has_value());
  EXPECT_FALSE(ReadPcieSysfs(root_, "0000:c2:00.0").speed.has_value());
  EXPECT_FALSE(ReadPcieSysfs(root_ + "/none", kAddress).speed.has_value());
}

TEST_F(PcieSysfsTest, HugeFilesAreNotRead) {
  Write("aer_dev_fatal", std::string(1 << 20, '\n') + "TOTAL_ERR_FATAL 1\n");
  Write("current_link_speed", "8.0 GT/s " + std::string(1 << 20, 'x'));
  EXPECT_FALSE(Read().errors.fatal.has_value());
  EXPECT_FALSE(Read().speed.has_value());
}

TEST_F(PcieSysfsTest, WhatIsNoRegularFileIsNotRead) {
  ASSERT_EQ(mkfifo(PathOf("current_link_speed").c_str(), 0600), 0);
  std::filesystem::create_directory(PathOf("max_link_speed"));
  std::ofstream(root_ + "/elsewhere") << "16\n";
  std::filesystem::create_symlink(root_ + "/elsewhere", PathOf("current_link_width"));
  EXPECT_FALSE(Read().speed.has_value());
  EXPECT_FALSE(Read().max_speed.has_value());
  EXPECT_FALSE(Read().lanes.has_value());
}

TEST_F(PcieSysfsTest, FollowsTheLinkThatTheDeviceIs) {
  std::filesystem::create_directories(root_ + "/devices/pci0000:c0/device");
  std::ofstream(root_ + "/devices/pci0000:c0/device/max_link_width") << "16\n";
  std::filesystem::create_directory_symlink("../../../devices/pci0000:c0/device",
                                            root_ + "/bus/pci/devices/0000:c2:00.0");
  EXPECT_EQ(ReadPcieSysfs(root_, "0000:c2:00.0").max_lanes, Count{16});
}

TEST_F(PcieSysfsTest, AddressThatIsNoneNamesNoFile) {
  std::filesystem::create_directories(root_ + "/bus/pci/devices/x");
  std::ofstream(root_ + "/bus/pci/devices/x/max_link_width") << "16\n";
  for (const std::string& address :
       {std::string("x"), std::string(), std::string("../devices/x"), std::string("."),
        std::string(kAddress) + "/../x", std::string("0000:c1:00.0\0", 13)}) {
    EXPECT_FALSE(ReadPcieSysfs(root_, address).max_lanes.has_value()) << address;
  }
}

TEST(PciAddressTest, IsDomainBusDeviceAndFunction) {
  EXPECT_TRUE(IsPciAddress("0000:c1:00.0"));
  EXPECT_TRUE(IsPciAddress("0001:0A:1f.7"));
  EXPECT_TRUE(IsPciAddress("10000:e1:00.0"));
  EXPECT_TRUE(IsPciAddress("7fffffff:e1:00.0"));
  for (const std::string& text :
       {std::string(), std::string("c1:00.0"), std::string("0000:c1:00"),
        std::string("0000:c1:00.0 "), std::string(" 0000:c1:00.0"), std::string("0000.c1.00.0"),
        std::string("0000:g1:00.0"), std::string("0000:c1:00.00"), std::string("/0000:c1:00.0"),
        std::string("0000:/1:00.0"), std::string("111111111:c1:00.0")}) {
    EXPECT_FALSE(IsPciAddress(text)) << text;
  }
}

}  // namespace
}  // namespace ascend

// The stand-in behaves as the vendor's library is known to.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "fake_machine.h"

namespace ascend {
namespace {

constexpr int kInvalidParameter = -8001;
constexpr int kInnerError = -8005;
constexpr int kNotSupported = -8255;

// The library by its C interface, without the driver.
class FakeLibrary {
 public:
  explicit FakeLibrary(const std::string& path = FakeMachine::Library())
      : handle_(dlopen(path.c_str(), RTLD_NOW)) {
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~FakeLibrary() { dlclose(handle_); }
  FakeLibrary(const FakeLibrary&) = delete;
  FakeLibrary& operator=(const FakeLibrary&) = delete;

  template <class... Arguments>
  int Call(const char* name, Arguments... arguments) {
    void* address = dlsym(handle_, name);
    EXPECT_NE(address, nullptr) << name;
    return reinterpret_cast<int (*)(Arguments...)>(address)(arguments...);
  }

 private:
  void* handle_;
};

TEST(FakeDcmiTest, BeforeTheStartAnswersAsTheVendorsDoes) {
  FakeMachine machine;
  TempFolder folder;
  const auto copy = folder.path() / "libdcmi.so";  // one that nobody has started
  std::filesystem::copy_file(FakeMachine::Library(), copy);
  FakeLibrary library(copy);
  int number = -1;
  int cards[64] = {};
  EXPECT_EQ(library.Call("dcmi_get_card_list", &number, &cards[0], 64), kInnerError);
  EXPECT_EQ(library.Call("dcmi_get_device_num_in_card", 0, &number), 0);
  EXPECT_EQ(number, 0);
  EXPECT_EQ(library.Call("dcmi_get_device_type", 0, 0, &number), 0);
  EXPECT_EQ(number, 0xFF);
  char version[64] = {};
  EXPECT_EQ(library.Call("dcmi_get_dcmi_version", &version[0], 64U), 0);
  EXPECT_EQ(std::string(version), "24.1.rc3.b070");
}

TEST(FakeDcmiTest, RefusesWrongArguments) {
  FakeMachine machine;
  FakeLibrary library;
  ASSERT_EQ(library.Call("dcmi_init"), 0);
  int number = 0;
  int cards[8] = {};
  char version[64] = {};
  int* const nothing = nullptr;
  EXPECT_EQ(library.Call("dcmi_get_device_temperature", 0, 0, nothing), kInvalidParameter);
  EXPECT_EQ(library.Call("dcmi_get_device_temperature", 99, 0, &number), kInvalidParameter);
  EXPECT_EQ(library.Call("dcmi_get_device_temperature", 0, 1, &number), kInvalidParameter);
  EXPECT_EQ(library.Call("dcmi_get_device_num_in_card", 99, &number), kInvalidParameter);
  EXPECT_EQ(library.Call("dcmi_get_card_list", &number, &cards[0], 7), kInvalidParameter);
  EXPECT_EQ(library.Call("dcmi_get_dcmi_version", &version[0], 15U), kInvalidParameter);
  unsigned int code = 0;
  EXPECT_EQ(library.Call("dcmi_get_device_errorcode_v2", 5, 0, &number, &code, 0U),
            kInvalidParameter);
}

TEST(FakeDcmiTest, TheMcuOfACardIsNoNpu) {
  FakeMachine machine("4x310p");
  FakeLibrary library;
  ASSERT_EQ(library.Call("dcmi_init"), 0);
  int unit = -1;
  EXPECT_EQ(library.Call("dcmi_get_device_type", 1536, 2, &unit), 0);
  EXPECT_EQ(unit, 1);
  unsigned int health = 0;
  EXPECT_EQ(library.Call("dcmi_get_device_health", 1536, 2, &health), kNotSupported);
}

TEST(FakeDcmiTest, UtilizationAboveAHundredIsZeroAsWithTheVendor) {
  FakeMachine machine;
  machine.Add("set 0 utilization.2 101");
  FakeLibrary library;
  ASSERT_EQ(library.Call("dcmi_init"), 0);
  unsigned int percent = 77;
  EXPECT_EQ(library.Call("dcmi_get_device_utilization_rate", 0, 0, 2, &percent), 0);
  EXPECT_EQ(percent, 0U);
}

TEST(FakeDcmiDeathTest, CrashesWhereItIsTold) {
  FakeMachine machine;
  const auto driver = machine.Open();
  machine.Add("rule dcmi_get_device_health 3 crash");
  EXPECT_TRUE(driver->ReadHealth({2, 0}).ok());
  EXPECT_DEATH((void)driver->ReadHealth({3, 0}), "");
}

TEST(FakeDcmiTest, DataThatCannotBeReadFailsTheStart) {
  FakeMachine machine;
  machine.Add("chip 1 2");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(machine.TryOpen().ok());
  const std::string complaint = testing::internal::GetCapturedStderr();
  EXPECT_NE(complaint.find("cannot read \"chip 1 2\""), std::string::npos) << complaint;
}

}  // namespace
}  // namespace ascend

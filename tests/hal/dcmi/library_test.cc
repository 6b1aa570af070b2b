// Finding, checking, loading, initialising and letting go of the library.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "fake_machine.h"
#include "hal/dcmi/init_failure.h"
#include "hal/driver_state.h"

namespace ascend {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StrEq;

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

absl::Status FailureOf(const DcmiOptions& options) {
  return OpenDcmi(options, RealClock()).status();
}

// A library of the system, which root owns and nobody else may write, in folders of that kind.
std::string SystemLibrary() {
  void* handle = dlopen("libm.so.6", RTLD_NOW);
  link_map* map = nullptr;
  EXPECT_EQ(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
  std::string path = map->l_name;
  dlclose(handle);
  return path;
}

// Whether the device node of a real driver is there and closed to this user.
bool DeviceNodeIsDenied() {
  const char* node = "/dev/davinci_manager";
  return access(node, F_OK) == 0 && access(node, R_OK | W_OK) != 0;
}

TEST(DcmiLibraryTest, WhereNoneIsFoundTheErrorListsEveryPathTried) {
  TempFolder empty;
  setenv("LD_LIBRARY_PATH", ("relative:" + empty.path().string() + "::/nowhere").c_str(), 1);
  const absl::Status status = FailureOf({});
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(StateOf(status), DriverState::kLibraryNotFound);
  EXPECT_THAT(MessageOf(status),
              AllOf(HasSubstr(empty.path().string() + "/libdcmi.so, /nowhere/libdcmi.so"),
                    HasSubstr("/usr/local/dcmi/libdcmi.so"),
                    HasSubstr("/usr/local/Ascend/driver/lib64/driver/libdcmi.so"),
                    HasSubstr("/usr/local/Ascend/driver/lib64/common/libdcmi.so"),
                    HasSubstr("/usr/local/Ascend/driver/lib64/libdcmi.so"),
                    HasSubstr("/usr/lib64/libdcmi.so"), Not(HasSubstr("relative")),
                    HasSubstr("--dcmi.library")));
}

TEST(DcmiLibraryTest, TheFoldersOfLdLibraryPathAreSearchedInTheirOrder) {
  FakeMachine machine;
  TempFolder empty;
  setenv("LD_LIBRARY_PATH", (empty.path().string() + ":" + FAKE_DCMI_DIR + "/broken").c_str(), 1);
  const absl::Status status = FailureOf({.library = "", .allow_untrusted = true});
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(StateOf(status), DriverState::kSymbolMissing) << status;
}

TEST(DcmiLibraryTest, APathThatIsNamedAndMissingIsNamed) {
  const absl::Status status = FailureOf({.library = "/nowhere/libdcmi.so"});
  EXPECT_EQ(StateOf(status), DriverState::kLibraryNotFound);
  EXPECT_THAT(
      MessageOf(status),
      StrEq("there is no file /nowhere/libdcmi.so; correct --dcmi.library or leave it out"));
}

TEST(DcmiLibraryTest, AFileThatOthersMayWriteIsRejectedWithPathUidAndMode) {
  FakeMachine machine;
  TempFolder folder;
  const fs::path copy = folder.path() / "libdcmi.so";
  fs::copy_file(FakeMachine::Library(), copy);
  fs::permissions(copy, fs::perms(0666));
  const absl::Status status = FailureOf({.library = copy.string()});
  EXPECT_EQ(StateOf(status), DriverState::kLibraryRejected);
  // The folder for temporary files, which everyone may write, is met before the file.
  EXPECT_THAT(MessageOf(status),
              AllOf(HasSubstr(copy.string()), HasSubstr("is owned by uid "), HasSubstr("mode "),
                    HasSubstr("--dcmi.allow-untrusted-library")));
  EXPECT_TRUE(OpenDcmi({.library = copy.string(), .allow_untrusted = true}, RealClock()).ok());
}

// The check looks at each step, so what it says of a folder and of the file is told apart here by
// who can be made to own them: only root can give a folder away.
TEST(DcmiLibraryTest, ALibraryOfAnotherUserIsRejectedByItsUid) {
  FakeMachine machine;
  TempFolder folder;
  const bool root = geteuid() == 0;
  const uid_t owner = root ? 65534 : geteuid();
  const fs::path base = root ? fs::path("/run") / folder.path().filename() : folder.path();
  fs::create_directories(base);
  const fs::path copy = base / "libdcmi.so";
  fs::copy_file(FakeMachine::Library(), copy);
  EXPECT_EQ(chown(copy.c_str(), owner, owner), 0);
  const absl::Status status = FailureOf({.library = copy.string()});
  std::error_code ignored;
  fs::remove_all(base, ignored);
  EXPECT_EQ(StateOf(status), DriverState::kLibraryRejected);
  EXPECT_THAT(MessageOf(status), HasSubstr(root ? "libdcmi.so is owned by uid 65534 and has mode 0"
                                                : "is owned by uid "));
}

TEST(DcmiLibraryTest, ALinkIntoAFolderThatOthersMayWriteIsRejected) {
  FakeMachine machine;
  if (geteuid() != 0) {
    EXPECT_EQ(StateOf(FailureOf({.library = FakeMachine::Library()})),
              DriverState::kLibraryRejected);
    return;
  }
  TempFolder folder;
  const fs::path copy = folder.path() / "libdcmi.so";
  fs::copy_file(FakeMachine::Library(), copy);
  const fs::path link = fs::path("/run") / folder.path().filename();
  fs::create_symlink(copy, link);
  const absl::Status status = FailureOf({.library = link.string()});
  fs::remove(link);
  EXPECT_EQ(StateOf(status), DriverState::kLibraryRejected);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr(link.string()), HasSubstr("mode 1777")));
}

TEST(DcmiLibraryTest, ALibraryOfRootThatIsReachedByLinksIsTrusted) {
  const absl::Status status = FailureOf({.library = SystemLibrary()});
  EXPECT_EQ(StateOf(status), DriverState::kSymbolMissing) << status;
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr("has no function dcmi_init"), HasSubstr("libm")));
}

TEST(DcmiLibraryTest, AFileThatIsNoLibraryIsAFailureWithTheLoadersWords) {
  TempFolder folder;
  const std::string file = (folder.path() / "libdcmi.so").string();
  std::ofstream(file) << "this is no library, whatever its name says, and it is long enough\n";
  const absl::Status status = FailureOf({.library = file, .allow_untrusted = true});
  EXPECT_EQ(StateOf(status), DriverState::kInitFailed);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr(file), HasSubstr("invalid ELF header")));
}

TEST(DcmiLibraryTest, AMissingFunctionThatIsNeededIsNamed) {
  FakeMachine machine;
  const auto driver = machine.TryOpen("broken");
  EXPECT_EQ(StateOf(driver.status()), DriverState::kSymbolMissing);
  EXPECT_THAT(MessageOf(driver.status()),
              AllOf(HasSubstr("dcmi_get_card_list"), HasSubstr("broken/libdcmi.so")));
}

TEST(DcmiLibraryTest, MissingFunctionsThatAreNotNeededAreMissedOnlyWhereTheyAreCalled) {
  FakeMachine machine;
  const auto driver = machine.Open("old");
  ASSERT_NE(driver, nullptr);
  EXPECT_EQ(driver->ReadHealth({0, 0})->state, Health::kOk);
  const absl::Status status = driver->ReadTemperature({0, 0}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(MessageOf(status), "dcmi_get_device_temperature: not in this version of the library");
}

TEST(DcmiLibraryTest, TheDriversOtherLibrariesAreFoundBesideIt) {
  FakeMachine machine;
  EXPECT_TRUE(machine.TryOpen("dependent").ok()) << machine.TryOpen("dependent").status();
}

TEST(DcmiLibraryTest, ALibraryThatItNeedsAndThatIsNotThereIsNamed) {
  FakeMachine machine;
  TempFolder folder;
  const fs::path copy = folder.path() / "libdcmi.so";
  fs::copy_file(FakeMachine::Library("dependent"), copy);
  const absl::Status status = FailureOf({.library = copy.string(), .allow_untrusted = true});
  EXPECT_EQ(StateOf(status), DriverState::kLibraryNotFound);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr("libmmpa.so"), HasSubstr("LD_LIBRARY_PATH")));
}

// One that sends fault events stays: faults_test.cc.
TEST(DcmiLibraryTest, IsUnloadedWithTheDriver) {
  FakeMachine machine;
  auto driver = machine.Open("old");
  const std::string path = FakeMachine::Library("old");
  void* loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(loaded, nullptr);
  dlclose(loaded);
  driver.reset();
  EXPECT_EQ(dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
}

struct InitCode {
  int code;
  DriverState state;
  const char* text;
};

TEST(DcmiInitTest, EveryCodeHasItsStateAndSaysWhatToDo) {
  FakeMachine machine;
  DriverState inner = geteuid() == 0 ? DriverState::kInitFailed : DriverState::kNotAdmin;
  if (DeviceNodeIsDenied()) inner = DriverState::kDeviceNodeDenied;
  const std::vector<InitCode> codes = {
      {-8005, inner, "-8005 (inner error)"},
      {-8020, DriverState::kDeviceInUse, "-8020 (resource occupied)"},
      {-8002, DriverState::kNotAdmin, "run as root"},
      {-8006, DriverState::kInitFailed, "-8006 (time out)"},
      {-8011, DriverState::kInitFailed, "-8011 (receiving a message failed)"},
      {-8012, DriverState::kInitFailed, "-8012 (device not ready)"},
      {-4711, DriverState::kInitFailed, "-4711 (unknown code)"}};
  for (const InitCode& code : codes) {
    machine.Add("rule dcmi_init * code " + std::to_string(code.code));
    const auto driver = machine.TryOpen();
    EXPECT_EQ(StateOf(driver.status()), code.state) << driver.status();
    EXPECT_THAT(MessageOf(driver.status()), AllOf(HasSubstr("dcmi_init"), HasSubstr(code.text)));
  }
  machine.Add("rule dcmi_init * code 0");
  EXPECT_TRUE(machine.TryOpen().ok());
}

TEST(DcmiInitTest, ADeviceNodeThatCannotBeOpenedIsAnInnerErrorToTheLibrary) {
  FakeMachine machine;
  machine.Add("admin /nowhere/davinci_manager");
  EXPECT_THAT(MessageOf(machine.TryOpen().status()), HasSubstr("dcmi_init: -8005 (inner error)"));
}

// Prints the state that an inner error has with this device node, for a user who is not root.
[[noreturn]] void PrintStateOfInnerError(const std::string& node) {
  if (geteuid() == 0 && seteuid(65534) != 0) _exit(3);
  const absl::Status status = dcmi::InitFailure("dcmi_init", -8005, node);
  std::fprintf(stderr, "%s: %s\n",
               kDriverStateNames[static_cast<std::size_t>(StateOf(status))].data(),
               MessageOf(status).c_str());
  _exit(0);
}

TEST(DcmiInitDeathTest, ADeviceNodeThatMayNotBeOpenedIsDenied) {
  TempFolder folder;
  const fs::path node = folder.path() / "davinci_manager";
  std::ofstream{node};
  fs::permissions(node, fs::perms(0000));
  fs::permissions(folder.path(), fs::perms(0755));
  EXPECT_EXIT(PrintStateOfInnerError(node), testing::ExitedWithCode(0),
              "device_node_denied: dcmi_init: -8005 .inner error. as uid [0-9]+.*"
              "davinci_manager may not be opened");
  fs::permissions(node, fs::perms(0666));
  EXPECT_EXIT(PrintStateOfInnerError(node), testing::ExitedWithCode(0), "not_admin: ");
  fs::permissions(folder.path(), fs::perms(0000));
  EXPECT_EXIT(PrintStateOfInnerError(node), testing::ExitedWithCode(0), "device_node_denied: ");
  fs::permissions(folder.path(), fs::perms(0755));
  fs::remove(node);
  EXPECT_EXIT(PrintStateOfInnerError(node), testing::ExitedWithCode(0), "not_admin: ");
}

TEST(DcmiInitDeathTest, AUserWhoIsNotRootIsToldSoWithTheUid) {
  FakeMachine machine;
  fs::permissions(fs::path(machine.data()).parent_path(), fs::perms(0755));
  machine.Add("rule dcmi_get_card_list * code -8005");
  const auto driver = machine.Open();
  const auto as_another_user = [&] {
    if (geteuid() == 0 && seteuid(65534) != 0) _exit(3);
    std::fprintf(stderr, "%s\n", MessageOf(driver->Discover().status()).c_str());
    _exit(0);
  };
  EXPECT_EXIT(as_another_user(), testing::ExitedWithCode(0),
              "dcmi_get_card_list: -8005 .inner error. as uid [0-9]+, which is not root: ");
}

}  // namespace
}  // namespace ascend

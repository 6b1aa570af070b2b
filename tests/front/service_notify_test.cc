#include "exporter/front/service_notify.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ascend {
namespace {

using ::testing::StartsWith;

// Sets a variable of the environment until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { unsetenv(name_); }

 private:
  const char* const name_;
};

// What a service manager listens on. `name` is as in NOTIFY_SOCKET.
class Manager {
 public:
  explicit Manager(std::string name) : name_(std::move(name)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name_.copy(address.sun_path, sizeof address.sun_path - 1);
    if (name_.front() == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size());
    socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), size), 0);
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;
  ~Manager() {
    close(socket_);
    if (name_.front() == '/') unlink(name_.c_str());
  }

  // The next message, or nothing if there is none yet.
  std::string Next() {
    std::array<char, 2048> message;
    const ssize_t size = recv(socket_, message.data(), message.size(), MSG_DONTWAIT);
    return size < 0 ? "" : std::string(message.data(), static_cast<std::size_t>(size));
  }

 private:
  std::string name_;
  int socket_ = -1;
};

std::string PathName() { return fmt::format("{}notify-{}", testing::TempDir(), getpid()); }
std::string AbstractName() { return fmt::format("@ascend-notify-test-{}", getpid()); }

std::int64_t MonotonicMicros() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000 + now.tv_nsec / 1'000;
}

TEST(ServiceNotifyTest, SpeaksToAPathAndToAnAbstractName) {
  for (const std::string& name : {PathName(), AbstractName()}) {
    Manager manager(name);
    const Variable variable("NOTIFY_SOCKET", name);
    ServiceNotify notify = ServiceNotify::FromEnvironment();
    EXPECT_TRUE(notify.enabled()) << name;
    EXPECT_TRUE(notify.Ready());
    EXPECT_TRUE(notify.Stopping());
    EXPECT_TRUE(notify.Alive());
    EXPECT_EQ(manager.Next(), "READY=1") << name;
    EXPECT_EQ(manager.Next(), "STOPPING=1") << name;
    EXPECT_EQ(manager.Next(), "WATCHDOG=1") << name;
  }
}

TEST(ServiceNotifyTest, AReloadTellsWhenItBegan) {
  Manager manager(AbstractName());
  const Variable variable("NOTIFY_SOCKET", AbstractName());
  const std::int64_t before = MonotonicMicros();
  EXPECT_TRUE(ServiceNotify::FromEnvironment().Reloading());
  const std::int64_t after = MonotonicMicros();
  const std::string message = manager.Next();
  constexpr std::string_view kHead = "RELOADING=1\nMONOTONIC_USEC=";
  ASSERT_THAT(message, StartsWith(std::string(kHead)));
  std::int64_t told = 0;
  std::from_chars(message.data() + kHead.size(), message.data() + message.size(), told);
  EXPECT_GE(told, before);
  EXPECT_LE(told, after);
}

TEST(ServiceNotifyTest, AStatusIsOneBoundedLine) {
  Manager manager(AbstractName());
  const Variable variable("NOTIFY_SOCKET", AbstractName());
  ServiceNotify notify = ServiceNotify::FromEnvironment();
  EXPECT_TRUE(notify.Status("8 devices\nREADY=1"));
  EXPECT_EQ(manager.Next(), "STATUS=8 devices READY=1");
  EXPECT_TRUE(notify.Status(std::string(100'000, 'x')));
  EXPECT_LT(manager.Next().size(), 1000U);
}

TEST(ServiceNotifyTest, WithoutAManagerNothingIsDone) {
  for (const char* name : {"", "relative", "/no such folder/notify", "@ascend-nobody-listens"}) {
    const Variable variable("NOTIFY_SOCKET", name);
    ServiceNotify notify = ServiceNotify::FromEnvironment();
    EXPECT_FALSE(notify.enabled()) << name;
    EXPECT_TRUE(notify.Ready()) << name;
  }
  const Variable variable("NOTIFY_SOCKET", "/" + std::string(300, 'x'));
  EXPECT_FALSE(ServiceNotify::FromEnvironment().enabled());
  unsetenv("NOTIFY_SOCKET");
  EXPECT_FALSE(ServiceNotify::FromEnvironment().enabled());
}

TEST(ServiceNotifyTest, AManagerThatDoesNotReadOrIsGoneStopsNobody) {
  auto manager = std::make_unique<Manager>(AbstractName());
  const Variable variable("NOTIFY_SOCKET", AbstractName());
  ServiceNotify notify = ServiceNotify::FromEnvironment();
  bool lost = false;
  for (int i = 0; i < 100'000 && !lost; ++i) lost = !notify.Alive();
  EXPECT_TRUE(lost) << "its queue has no end";
  EXPECT_EQ(manager->Next(), "WATCHDOG=1");
  EXPECT_TRUE(notify.Alive()) << "there is room again";
  manager.reset();
  EXPECT_FALSE(notify.Alive());
}

TEST(WatchdogPeriodTest, IsThatOfTheEnvironmentIfThisServiceIsMeant) {
  EXPECT_EQ(WatchdogPeriod(), std::nullopt);
  const Variable period("WATCHDOG_USEC", "30000000");
  EXPECT_EQ(WatchdogPeriod(), std::chrono::seconds(30));
  for (const pid_t pid : {getpid(), getppid()}) {
    const Variable watched("WATCHDOG_PID", std::to_string(pid));
    EXPECT_EQ(WatchdogPeriod(), std::chrono::seconds(30));
  }
  const Variable another("WATCHDOG_PID", "999999999");
  EXPECT_EQ(WatchdogPeriod(), std::nullopt);
}

TEST(WatchdogPeriodTest, WhatIsNoPeriodIsNone) {
  for (const char* text : {"", "0", "-5", "x", "5s", "99999999999999999999"}) {
    const Variable period("WATCHDOG_USEC", text);
    EXPECT_EQ(WatchdogPeriod(), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ascend

// Slow and hung calls, on both clocks.
#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tests/hal/sim/opened.h"

namespace ascend {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string Scenario(const std::string& event) {
  return "machine: 8x910b\nload: steady\nevents:\n  - " + event + "\n";
}

// A thread that lives by the clock, makes one call and notes when it returned.
class Caller {
 public:
  Caller(Clock& clock, const std::function<absl::Status()>& call)
      : thread_([this, &clock, call, token = clock.Join()]() mutable {
          result_ = call();
          returned_at_ = clock.Now();
          done_ = true;
          token.reset();
        }) {}

  [[nodiscard]] bool done() const { return done_; }
  // Only after the call is done.
  [[nodiscard]] const absl::Status& result() const { return result_; }
  [[nodiscard]] Mono returned_at() const { return returned_at_; }

 private:
  absl::Status result_;
  Mono returned_at_;
  std::atomic<bool> done_ = false;
  std::jthread thread_;
};

TEST(SlowTest, CallReturnsAfterItsDelay) {
  VirtualClock clock;
  const auto driver = OpenedText(
      Scenario("{at: 0s, for: 1m, device: 1, kind: slow, call: temperature, delay: 50ms}"), clock);
  ASSERT_TRUE(driver);
  const Mono start = clock.Now();
  const Caller slow(clock, [&] { return driver->ReadTemperature({1, 0}).status(); });
  const Caller other_call(clock, [&] { return driver->ReadPower({1, 0}).status(); });
  const Caller other_device(clock, [&] { return driver->ReadTemperature({2, 0}).status(); });
  clock.Settle();
  EXPECT_TRUE(other_call.done());
  EXPECT_TRUE(other_device.done());
  EXPECT_FALSE(slow.done());
  clock.Advance(seconds(1));
  ASSERT_TRUE(slow.done());
  EXPECT_TRUE(slow.result().ok());
  EXPECT_EQ(slow.returned_at() - start, milliseconds(50));
}

TEST(SlowTest, AllSlowsEveryCall) {
  VirtualClock clock;
  const auto driver =
      OpenedText(Scenario("{at: 0s, device: 1, kind: slow, call: all, delay: 2s}"), clock);
  ASSERT_TRUE(driver);
  const Mono start = clock.Now();
  const Caller caller(clock, [&] {
    return driver->ReadEcc({1, 0}).ok() ? driver->ReadIdentity({1, 0}).status()
                                        : absl::InternalError("ECC");
  });
  clock.Advance(seconds(10));
  ASSERT_TRUE(caller.done());
  EXPECT_TRUE(caller.result().ok());
  EXPECT_EQ(caller.returned_at() - start, seconds(4));
}

TEST(HangTest, EndsWithItsEvent) {
  VirtualClock clock;
  const auto driver =
      OpenedText(Scenario("{at: 10s, for: 1m, device: 6, kind: hang, call: power}"), clock);
  ASSERT_TRUE(driver);
  const Mono start = clock.Now();
  clock.Advance(seconds(20));
  const Caller hung(clock, [&] { return driver->ReadPower({6, 0}).status(); });
  const Caller other(clock, [&] { return driver->ReadPower({5, 0}).status(); });
  clock.Advance(seconds(49));
  EXPECT_TRUE(other.done());
  EXPECT_FALSE(hung.done());
  clock.Advance(seconds(1));
  ASSERT_TRUE(hung.done());
  EXPECT_TRUE(hung.result().ok());
  EXPECT_EQ(hung.returned_at() - start, seconds(70));
}

TEST(HangTest, AnswersWhatIsTrueWhenItEnds) {
  VirtualClock clock;
  const auto driver =
      OpenedText(Scenario("{at: 0s, for: 10s, device: 6, kind: hang, call: temperature}\n"
                          "  - {at: 5s, device: 6, kind: temperature, celsius: 99}"),
                 clock);
  ASSERT_TRUE(driver);
  std::optional<Celsius> answer;
  const Caller hung(clock, [&] {
    const auto reading = driver->ReadTemperature({6, 0});
    if (reading.ok()) answer = reading->chip;
    return reading.status();
  });
  clock.Advance(seconds(10));
  ASSERT_TRUE(hung.done());
  EXPECT_EQ(answer, Celsius{99});
}

TEST(HangTest, WithoutForItLastsUntilInterrupt) {
  VirtualClock clock;
  const auto driver = OpenedText(Scenario("{at: 0s, device: 6, kind: hang, call: all}"), clock);
  ASSERT_TRUE(driver);
  const Caller power(clock, [&] { return driver->ReadPower({6, 0}).status(); });
  const Caller identity(clock, [&] { return driver->ReadIdentity({6, 0}).status(); });
  clock.Advance(hours(100));
  EXPECT_FALSE(power.done() || identity.done());
  driver->Interrupt();
  clock.Settle();
  ASSERT_TRUE(power.done() && identity.done());
  EXPECT_TRUE(absl::IsUnavailable(power.result()));
  EXPECT_TRUE(absl::IsUnavailable(identity.result()));
}

TEST(HangTest, NoneBeginsAfterInterrupt) {
  VirtualClock clock;
  const auto driver = OpenedText(Scenario("{at: 1m, device: 6, kind: hang, call: power}"), clock);
  ASSERT_TRUE(driver);
  driver->Interrupt();
  clock.Advance(seconds(60));
  EXPECT_TRUE(absl::IsUnavailable(driver->ReadPower({6, 0}).status()));
  EXPECT_TRUE(driver->ReadTemperature({6, 0}).ok()) << "the rest goes on";
}

TEST(HangTest, DiscoveryHangsOnlyWhereItIsNamed) {
  VirtualClock clock;
  const auto driver =
      OpenedText(Scenario("{at: 0s, for: 5s, device: 6, kind: hang, call: discovery}"), clock);
  ASSERT_TRUE(driver);
  const Mono start = clock.Now();
  const Caller discovery(clock, [&] { return driver->Discover().status(); });
  const Caller power(clock, [&] { return driver->ReadPower({6, 0}).status(); });
  clock.Settle();
  EXPECT_TRUE(power.done());
  EXPECT_FALSE(discovery.done());
  clock.Advance(seconds(5));
  ASSERT_TRUE(discovery.done());
  EXPECT_EQ(discovery.returned_at() - start, seconds(5));
}

TEST(HangTest, InterruptReleasesItUnderTheRealClock) {
  const auto driver =
      OpenedText(Scenario("{at: 0s, device: 6, kind: hang, call: power}"), RealClock());
  ASSERT_TRUE(driver);
  absl::Status status;
  {
    const std::jthread hung([&] { status = driver->ReadPower({6, 0}).status(); });
    // Whether the call waits already or not yet, it must come back.
    driver->Interrupt();
  }
  EXPECT_TRUE(absl::IsUnavailable(status));
}

TEST(HangTest, EndsWithItsEventUnderTheRealClock) {
  const Mono start = RealClock().Now();
  const auto driver =
      OpenedText(Scenario("{at: 0s, for: 20ms, device: 6, kind: hang, call: power}"), RealClock());
  ASSERT_TRUE(driver);
  EXPECT_TRUE(driver->ReadPower({6, 0}).ok());
  EXPECT_GE(RealClock().Now() - start, milliseconds(20));
}

TEST(WindowTest, BandwidthIsAnsweredWhenItsTimeIsOver) {
  VirtualClock clock;
  const auto driver = OpenedText("machine: 8x910b\n", clock);
  ASSERT_TRUE(driver);
  const Mono start = clock.Now();
  const Caller hccs(clock, [&] {
    return driver->ReadHccsBandwidth({0, 0}, milliseconds(300)).status();
  });
  const Caller pcie(clock, [&] { return driver->ReadPcieBandwidth({0, 0}, seconds(2)).status(); });
  const Caller network(clock, [&] {
    return driver->ReadNetworkBandwidth({0, 0}, seconds(1)).status();
  });
  clock.Settle();
  EXPECT_FALSE(hccs.done() || pcie.done() || network.done());
  clock.Advance(seconds(5));
  ASSERT_TRUE(hccs.done() && pcie.done() && network.done());
  EXPECT_TRUE(hccs.result().ok() && pcie.result().ok() && network.result().ok());
  EXPECT_EQ(hccs.returned_at() - start, milliseconds(300));
  EXPECT_EQ(pcie.returned_at() - start, seconds(2));
  EXPECT_EQ(network.returned_at() - start, seconds(1));
}

TEST(WindowTest, TimeBeginsWhenASlowCallIsThere) {
  VirtualClock clock;
  const auto driver = OpenedText(
      Scenario("{at: 0s, device: 0, kind: slow, call: hccs_bandwidth, delay: 3s}"), clock);
  ASSERT_TRUE(driver);
  const Mono start = clock.Now();
  const Caller caller(clock, [&] {
    return driver->ReadHccsBandwidth({0, 0}, seconds(1)).status();
  });
  clock.Advance(seconds(10));
  ASSERT_TRUE(caller.done());
  EXPECT_EQ(caller.returned_at() - start, seconds(4));
}

TEST(WindowTest, ChipWithoutABandwidthSaysSoAtOnce) {
  VirtualClock clock;
  const auto driver = OpenedText("machine: 4x310p\n", clock);
  ASSERT_TRUE(driver);
  const DeviceAddress chip = driver->Discover()->devices.at(0).address;
  const Caller caller(clock, [&] { return driver->ReadPcieBandwidth(chip, hours(1)).status(); });
  clock.Settle();
  ASSERT_TRUE(caller.done());
  EXPECT_TRUE(absl::IsUnimplemented(caller.result()));
}

TEST(WindowTest, ChipThatIsLostMeanwhileIsNotFound) {
  VirtualClock clock;
  const auto driver = OpenedText(Scenario("{at: 1s, device: 0, kind: lost}"), clock);
  ASSERT_TRUE(driver);
  const Caller caller(clock, [&] {
    return driver->ReadHccsBandwidth({0, 0}, seconds(2)).status();
  });
  clock.Advance(seconds(2));
  ASSERT_TRUE(caller.done());
  EXPECT_TRUE(absl::IsNotFound(caller.result()));
}

TEST(WindowTest, InterruptEndsIt) {
  VirtualClock clock;
  const auto driver = OpenedText("machine: 8x910b\n", clock);
  ASSERT_TRUE(driver);
  const Caller caller(clock, [&] { return driver->ReadHccsBandwidth({0, 0}, hours(1)).status(); });
  clock.Advance(seconds(1));
  EXPECT_FALSE(caller.done());
  driver->Interrupt();
  clock.Settle();
  ASSERT_TRUE(caller.done());
  EXPECT_TRUE(absl::IsUnavailable(caller.result()));
}

}  // namespace
}  // namespace ascend

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "collectors/all.h"

namespace ascend {
namespace {

// Answers nothing but the processes.
class ProcessesDriver final : public NpuDriver {
 public:
  explicit ProcessesDriver(absl::StatusOr<std::optional<std::size_t>> count)
      : count_(std::move(count)) {}

  absl::StatusOr<Discovery> Discover() override { return Lacks(""); }
  absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress) override { return Lacks(""); }
  absl::StatusOr<HealthReading> ReadHealth(DeviceAddress) override { return Lacks(""); }
  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress) override { return Lacks(""); }
  absl::StatusOr<PowerReading> ReadPower(DeviceAddress) override { return Lacks(""); }
  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress) override { return Lacks(""); }
  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress) override { return Lacks(""); }
  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress) override { return Lacks(""); }
  absl::StatusOr<std::optional<std::size_t>> ReadProcesses(DeviceAddress,
                                                           std::span<ProcessReading>) override {
    return count_;
  }

 private:
  absl::StatusOr<std::optional<std::size_t>> count_;
};

struct Collected {
  absl::Status status;
  std::optional<double> value;
};

Collected Collect(absl::StatusOr<std::optional<std::size_t>> count) {
  ProcessesDriver driver(std::move(count));
  std::array<Sample, 2> buffer;
  Sink sink({buffer, {}, 0}, 0, {});
  Collected collected;
  collected.status = kProcessesCollector.collect(driver, {}, sink);
  if (!sink.samples().empty()) collected.value = sink.samples().front().value;
  return collected;
}

TEST(ProcessesCollectorTest, ADriverThatDoesNotTellThisTimeIsNoErrorAndNoValue) {
  EXPECT_EQ(Collect(std::optional<std::size_t>(3)).value, 3);
  EXPECT_EQ(Collect(std::optional<std::size_t>(0)).value, 0);
  const Collected nothing = Collect(std::optional<std::size_t>());
  EXPECT_TRUE(nothing.status.ok()) << nothing.status;
  EXPECT_EQ(nothing.value, std::nullopt);
  EXPECT_TRUE(absl::IsUnavailable(Collect(absl::UnavailableError("busy")).status));
}

}  // namespace
}  // namespace ascend

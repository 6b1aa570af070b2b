// A simulated machine whose answers a test can replace, call by call.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "hal/npu_driver.h"
#include "tests/engine/simulated_node.h"

namespace ascend {

class ScriptedDriver final : public NpuDriver {
 public:
  template <class Reading>
  using Edit = std::function<void(DeviceAddress, absl::StatusOr<Reading>&)>;

  explicit ScriptedDriver(std::shared_ptr<NpuDriver> driver) : driver_(std::move(driver)) {}

  void Interrupt() override { driver_->Interrupt(); }
  absl::StatusOr<Discovery> Discover() override {
    auto answer = driver_->Discover();
    if (discovery) discovery(answer);
    return answer;
  }
  absl::StatusOr<DeviceIdentity> ReadIdentity(DeviceAddress a) override {
    return Edited(a, driver_->ReadIdentity(a), identity);
  }
  absl::StatusOr<HealthReading> ReadHealth(DeviceAddress a) override {
    return Edited(a, driver_->ReadHealth(a), health);
  }
  absl::StatusOr<FaultsReading> ReadFaults(DeviceAddress a) override {
    return Edited(a, driver_->ReadFaults(a), faults);
  }
  absl::StatusOr<TemperatureReading> ReadTemperature(DeviceAddress a) override {
    if (before_temperature) before_temperature(a);
    return Edited(a, driver_->ReadTemperature(a), temperature);
  }
  absl::StatusOr<PowerReading> ReadPower(DeviceAddress a) override {
    return Edited(a, driver_->ReadPower(a), power);
  }
  absl::StatusOr<CardPowerReading> ReadCardPower(DeviceAddress a) override {
    return driver_->ReadCardPower(a);
  }
  absl::StatusOr<UtilizationReading> ReadUtilization(DeviceAddress a) override {
    return driver_->ReadUtilization(a);
  }
  absl::StatusOr<HbmReading> ReadHbm(DeviceAddress a) override { return driver_->ReadHbm(a); }
  absl::StatusOr<DdrReading> ReadDdr(DeviceAddress a) override { return driver_->ReadDdr(a); }

  void TakeScript(const ScriptedDriver& other) {
    discovery = other.discovery;
    identity = other.identity;
    health = other.health;
    faults = other.faults;
    before_temperature = other.before_temperature;
    temperature = other.temperature;
    power = other.power;
  }

  // Called on the threads that make the call; a virtual clock runs one at a time.
  std::function<void(absl::StatusOr<Discovery>&)> discovery;
  Edit<DeviceIdentity> identity;
  Edit<HealthReading> health;
  Edit<FaultsReading> faults;
  std::function<void(DeviceAddress)> before_temperature;
  Edit<TemperatureReading> temperature;
  Edit<PowerReading> power;

 private:
  template <class Reading>
  static absl::StatusOr<Reading> Edited(DeviceAddress address, absl::StatusOr<Reading> answer,
                                        const Edit<Reading>& edit) {
    if (edit) edit(address, answer);
    return answer;
  }

  const std::shared_ptr<NpuDriver> driver_;
};

// A node whose driver is scripted; the driver is there from the start of the engine on.
class ScriptedNode {
 public:
  explicit ScriptedNode(const std::string& scenario, DiscoveryOptions options = {})
      : node_(scenario, std::move(options), [this](std::shared_ptr<NpuDriver> simulated) {
          auto next = std::make_shared<ScriptedDriver>(std::move(simulated));
          if (driver != nullptr) next->TakeScript(*driver);
          return driver = std::move(next);
        }) {
    node_.clock.Advance(100ms);
  }
  SimulatedNode* operator->() { return &node_; }

  std::shared_ptr<ScriptedDriver> driver;

 private:
  SimulatedNode node_;
};

}  // namespace ascend

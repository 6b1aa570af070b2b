// A DeviceView that is told by hand what workers of several hosts have found.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/all.h"
#include "exporter/engine/device_view.h"

namespace ascend {

using namespace std::chrono_literals;

class ViewFixture : public ::testing::Test {
 protected:
  // One call of one collector and what it found.
  struct Call {
    std::string_view collector;
    nanoseconds at{};
    std::vector<std::pair<std::string_view, double>> values{};  // by the row's name
    std::vector<std::uint32_t> fault_events{};
    std::vector<std::uint32_t> faults{};  // active
    std::optional<double> range{};        // of the first value's counter
    CallResult result = CallResult::kOk;
  };

  static constexpr nanoseconds kStart = 1h;

  // A worker of the device in the memory of a host of its own.
  static TopologyDevice NewWorker(std::uint32_t number = 1) {
    const std::shared_ptr<Berth> berth = PrivateBerth();
    return {.found = {{0, 0}, 0, 0}, .channel = {berth, &berth->channels[0]}, .worker = number};
  }

  void Tell(const TopologyDevice& by, const Call& call) { Tell(by, call, call.at); }
  // The block is read `now`.
  void Tell(const TopologyDevice& by, const Call& call, nanoseconds now) {
    const std::size_t collector = Index(call.collector);
    block_->identified = 0;
    block_->worker = by.worker;
    block_->group = catalog_.collectors()[collector]->group;
    block_->samples_used = 0;
    block_->text_used = 0;
    for (const auto& [name, value] : call.values) Add(Row(name), 0, value);
    if (call.range) Add(kRangeRow, 0, *call.range);
    for (const std::uint32_t code : call.faults) {
      Add(catalog_.FirstRow(collector) + kFaultActive, code, 1);
    }
    for (const std::uint32_t code : call.fault_events) Add(kFaultEventRow, code, 1);
    block_->calls_used = 1;
    block_->calls[0] = {.collector = static_cast<std::uint8_t>(collector),
                        .result = call.result,
                        .samples = block_->samples_used,
                        .started_ns = call.at.count()};
    Give(by, now);
  }
  void Power(const TopologyDevice& by, nanoseconds at, double watts) { Power(by, at, watts, at); }
  void Power(const TopologyDevice& by, nanoseconds at, double watts, nanoseconds now) {
    Tell(by,
         {"power",
          at,
          {{"ascend_npu_power_watts", watts},
           {kEnergy, watts},
           {"ascend_npu_power_window_min_watts", watts},
           {"ascend_npu_power_window_max_watts", watts}}},
         now);
  }
  // The identity group of a worker that knows its chip by `die`, or does not.
  void Identify(const TopologyDevice& by, std::string_view die, nanoseconds at) {
    block_->identified = 1;
    block_->identity = DeviceIdentity();
    block_->identity.pci_address = "0000:c1:00.0";
    block_->identity.die_id = die;
    FinishIdentity(by, at);
  }
  void FailToIdentify(const TopologyDevice& by, nanoseconds at) {
    block_->identified = 0;
    FinishIdentity(by, at);
  }

  std::optional<double> Value(std::string_view name) const {
    return view_->values()[catalog_.rows()[Row(name)].first_slot];
  }
  std::optional<double> Energy() const { return Value(kEnergy); }
  // How many faults of all actions have begun.
  double FaultsBegun() const {
    double begun = 0;
    for (const CatalogRow& row : catalog_.rows()) {
      if (row.row->spec.name != "ascend_npu_faults_total") continue;
      begun += view_->values()[row.first_slot].value_or(0);
    }
    return begun;
  }
  void MakeView(const TopologyDevice& device) { view_.emplace(catalog_, device, 60s); }

  static constexpr std::string_view kEnergy = "ascend_npu_energy_joules_total";

  const Catalog catalog_;
  const SamplingPlan plan_ = MakePlan({}, {});
  std::optional<DeviceView> view_;
  double wall_ = 1.7e9;

  // For blocks that no worker would make: fill block_, then Give it.
  std::size_t Index(std::string_view collector) const {
    const auto found = std::ranges::find(catalog_.collectors(), collector,
                                         [](const Collector* known) { return known->name; });
    EXPECT_NE(found, catalog_.collectors().end()) << collector;
    return static_cast<std::size_t>(found - catalog_.collectors().begin());
  }
  std::size_t Row(std::string_view name) const {
    const auto found = std::ranges::find(catalog_.rows(), name,
                                         [](const CatalogRow& row) { return row.row->spec.name; });
    EXPECT_NE(found, catalog_.rows().end()) << name;
    return static_cast<std::size_t>(found - catalog_.rows().begin());
  }
  void Add(std::size_t row, std::uint32_t key, double value) {
    block_->samples[block_->samples_used++] = {static_cast<std::uint16_t>(row), 0, key, value};
  }
  void FinishIdentity(const TopologyDevice& by, nanoseconds at) {
    block_->worker = by.worker;
    block_->group = Group::kIdentity;
    block_->samples_used = 0;
    block_->text_used = 0;
    block_->calls_used = 0;
    Give(by, at);
  }
  void Give(const TopologyDevice& by, nanoseconds now) {
    view_->Apply(*block_, {by.channel.get(), now.count(), wall_, &plan_});
  }

  const std::unique_ptr<GroupBlock> block_ = std::make_unique<GroupBlock>();
};

}  // namespace ascend

#include "bench/sim_page.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "collectors/selection.h"
#include "exporter/engine/engine.h"
#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {
namespace {

constexpr auto kPlayed = std::chrono::seconds(5);

double Changed(double value, int step) {
  if (value == 0 || value == 1) return step % 2 == 0 ? value : 1 - value;
  for (const double scale : {1.0, 10.0, 100.0, 1000.0}) {
    const double scaled = std::round(value * scale);
    if (scaled / scale == value) return (scaled + step) / scale;
  }
  return value + step * (std::nextafter(value, std::numeric_limits<double>::infinity()) - value);
}

std::vector<SharedSnapshot> Vary(const Snapshot& snapshot, int count,
                                 const std::function<double(double, int)>& change) {
  std::vector<SharedSnapshot> variations;
  for (int step = 0; step < count; ++step) {
    auto copy = std::make_shared<Snapshot>(snapshot);
    for (std::optional<double>& value : copy->values) {
      if (value) value = change(*value, step);
    }
    variations.push_back(std::move(copy));
  }
  return variations;
}

}  // namespace

absl::StatusOr<SharedSnapshot> SimulatedSnapshot(OwnMetrics& own, const SimulatedPage& page) {
  VirtualClock clock;
  SnapshotStore store;
  const DriverCandidate sim = {"sim", [&] { return OpenSim({.scenario = page.scenario}, clock); }};
  const auto catalog = page.everything ? EverythingCatalog() : std::make_shared<const Catalog>();
  Engine engine(catalog, EngineOptions{}, {sim}, clock, own, store);
  clock.Advance(kPlayed);
  SharedSnapshot snapshot = store.Load();
  engine.Stop();
  if (snapshot == nullptr || snapshot->layout->devices.size() != page.chips) {
    return absl::InternalError(fmt::format("the simulation {} did not show {} devices in time",
                                           page.scenario, page.chips));
  }
  return snapshot;
}

std::vector<SharedSnapshot> Variations(const Snapshot& snapshot, int count) {
  return Vary(snapshot, count, Changed);
}

std::vector<SharedSnapshot> RandomVariations(const Snapshot& snapshot, int count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> values(0, 100);
  return Vary(snapshot, count, [&](double, int) { return values(random); });
}

}  // namespace ascend

// An engine on a simulated machine, in virtual time, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "exporter/engine/engine.h"
#include "exporter/page/encoder.h"
#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {

using namespace std::chrono_literals;

using Page = std::map<std::string, double>;  // series as printed, with its labels

inline Page ParsePage(const std::string& text) {
  Page page;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t space = line.rfind(' ');
    const bool first = page.emplace(line.substr(0, space), std::stod(line.substr(space))).second;
    EXPECT_TRUE(first) << "twice on the page: " << line;
  }
  return page;
}

// A scenario of four 910B whose values stand still, unless an event says otherwise.
inline std::string SteadyScenario(const std::string& events) {
  return "machine: fleet:4\nload: steady\nevents:\n" + (events.empty() ? "  []\n" : events);
}

class SimulatedNode {
 public:
  using Wrap = std::function<std::shared_ptr<NpuDriver>(std::shared_ptr<NpuDriver>)>;

  // `wrap` stands before the simulated driver.
  explicit SimulatedNode(
      const std::string& scenario, DiscoveryOptions options = {},
      Wrap wrap = [](std::shared_ptr<NpuDriver> driver) { return driver; })
      : path_(std::filesystem::temp_directory_path() /
              ("ascend-" + std::to_string(::getpid()) + ".yaml")) {
    std::ofstream(path_) << scenario;
    std::vector<DriverCandidate> candidates = {
        {"sim", [this, wrap]() -> absl::StatusOr<std::shared_ptr<NpuDriver>> {
           auto driver = OpenSim({.scenario = path_.string()}, clock);
           if (!driver.ok()) return driver.status();
           return wrap(*driver);
         }}};
    engine.emplace(std::make_shared<Catalog>(), EngineOptions{std::move(options)},
                   std::move(candidates), clock, own, store);
  }
  ~SimulatedNode() {
    EXPECT_TRUE(engine->Stop());
    std::filesystem::remove(path_);
  }
  SimulatedNode(const SimulatedNode&) = delete;
  SimulatedNode& operator=(const SimulatedNode&) = delete;

  std::string Text() const {
    std::string text;
    if (const auto snapshot = store.Load()) EncodeText(*snapshot, text);
    return text;
  }
  Page Scrape() const { return ParsePage(Text()); }
  std::optional<double> Value(const std::string& series) const {
    const Page page = Scrape();
    const auto found = page.find(series);
    return found == page.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<double> OwnValue(const std::string& series) const {
    std::string text;
    own.EncodeText(text);
    const Page page = ParsePage(text);
    const auto found = page.find(series);
    return found == page.end() ? std::nullopt : std::optional(found->second);
  }

  VirtualClock clock;
  OwnMetrics own;
  SnapshotStore store;
  std::optional<Engine> engine;

 private:
  const std::filesystem::path path_;
};

}  // namespace ascend

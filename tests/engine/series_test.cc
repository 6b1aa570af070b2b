// METRICS.md says how many series a device has; so many there are.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "collectors/selection.h"
#include "exporter/engine/engine.h"
#include "exporter/page/encoder.h"
#include "exporter/series_table.h"
#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {
namespace {

// The page of a simulated machine at rest, when every group was sampled.
std::set<std::string> SeriesOf(std::string_view machine, std::shared_ptr<const Catalog> catalog) {
  VirtualClock clock;
  OwnMetrics own;
  SnapshotStore store;
  std::vector<DriverCandidate> candidates = {
      {"sim", [&] { return OpenSim({.scenario = std::string(machine)}, clock); }}};
  Engine engine(std::move(catalog), {}, std::move(candidates), clock, own, store);
  clock.Advance(std::chrono::minutes(3));
  std::string page;
  if (const auto snapshot = store.Load()) EncodeText(*snapshot, page);
  EXPECT_TRUE(engine.Stop());
  std::set<std::string> series;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) series.insert(line.substr(0, line.rfind(' ')));
  }
  return series;
}

// The value of a label of the line, or nothing.
std::string LabelOf(const std::string& line, const std::string& label) {
  for (const char before : {'{', ','}) {
    const std::string begin = before + label + "=\"";
    const std::size_t at = line.find(begin);
    if (at == std::string::npos) continue;
    const std::size_t value = at + begin.size();
    return line.substr(value, line.find('"', value) - value);
  }
  return "";
}

// Of device 0 and of its card.
int CountOfFirst(const std::set<std::string>& series) {
  std::string card;
  for (const std::string& line : series) {
    if (line.starts_with("ascend_npu_info{device=\"0\"")) card = LabelOf(line, "card");
  }
  EXPECT_FALSE(card.empty());
  int count = 0;
  for (const std::string& line : series) {
    const std::string device = LabelOf(line, "device");
    const bool of_card = device.empty() && LabelOf(line, "card") == card;
    count += device == "0" || of_card ? 1 : 0;
  }
  return count;
}

TEST(SeriesTest, ADeviceHasAsManySeriesAsTheDocumentSays) {
  for (const SeriesCount& expected : kSeriesCounts) {
    EXPECT_EQ(CountOfFirst(SeriesOf(expected.machine, std::make_shared<Catalog>())),
              expected.by_default)
        << expected.machine << " by default";
    EXPECT_EQ(CountOfFirst(SeriesOf(expected.machine, EverythingCatalog())), expected.all)
        << expected.machine << " with every collector";
  }
}

}  // namespace
}  // namespace ascend

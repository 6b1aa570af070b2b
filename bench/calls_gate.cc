// How many calls of the vendor's library a host with sixteen chips costs once it has settled.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "bench/gates.h"
#include "collectors/catalog.h"
#include "exporter/engine/engine.h"
#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {
namespace {

constexpr auto kSettled = std::chrono::minutes(5);
constexpr auto kCounted = std::chrono::minutes(10);
constexpr double kMinutes = 10;
constexpr double kChips = 16;
// What every group may ask a minute and chip: those of the fast group are asked sixty times.
constexpr double kMostCallsAMinute = 16 * 800;

// As the stand-in writes it (tests/fake_dcmi/call_counts.h).
struct CountRecord {
  char name[80];
  std::uint64_t count;
  std::uint32_t state;
  std::uint32_t padding;
};
static_assert(sizeof(CountRecord) == 96);

using Counts = std::map<std::string, double>;
constexpr std::string_view kPrefix = "dcmi_get_";  // of all that are called after the start

// Calls by function.
Counts ReadCounts(const std::string& path) {
  Counts counts;
  std::ifstream file(path, std::ios::binary);
  CountRecord record;
  while (file.read(reinterpret_cast<char*>(&record), sizeof record)) {
    const std::string name(record.name, strnlen(record.name, sizeof record.name));
    // The same calls are counted by chip ("NAME 0/1") and by type ("NAME:2"), too.
    const bool total = name.find_first_of(" :") == std::string::npos;
    if (record.count > 0 && total) counts[name] = static_cast<double>(record.count);
  }
  return counts;
}

}  // namespace

absl::Status CallsGate(const GateOptions& options, Report& report) {
  const std::string fake = options.folder + "/fake_dcmi";
  const std::string counts_path = fake + "/bench.counts";
  std::remove(counts_path.c_str());
  setenv("FAKE_DCMI_DATA", (fake + "/16x910c.data").c_str(), 1);
  setenv("FAKE_DCMI_COUNTS", counts_path.c_str(), 1);
  VirtualClock clock;
  OwnMetrics own;
  SnapshotStore store;
  const DriverCandidate dcmi = {
      "dcmi",
      [&] { return OpenDcmi({.library = fake + "/libdcmi.so", .allow_untrusted = true}, clock); }};
  Engine engine(std::make_shared<Catalog>(), EngineOptions{}, {dcmi}, clock, own, store);
  clock.Advance(kSettled);
  const Counts before = ReadCounts(counts_path);
  clock.Advance(kCounted);
  const Counts after = ReadCounts(counts_path);
  engine.Stop();
  double total = 0;
  for (const auto& [name, count] : after) {
    const auto known = before.find(name);
    const double calls = (count - (known == before.end() ? 0 : known->second)) / kMinutes;
    if (calls == 0) continue;
    total += calls;
    report.AddNote(fmt::format("calls: {}", name.substr(kPrefix.size())),
                   fmt::format("{:.2f} a minute and chip", calls / kChips));
  }
  if (total == 0) return absl::InternalError("the stand-in counted no calls");
  report.AddLimit("calls: all, sixteen chips", total, kMostCallsAMinute, "a minute");
  return absl::OkStatus();
}

}  // namespace ascend

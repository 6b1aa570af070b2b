// A page that did not change since the last request.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/allocations.h"
#include "bench/cpu_clock.h"
#include "bench/gates.h"
#include "bench/sim_page.h"
#include "exporter/page/page_cache.h"

namespace ascend {
namespace {

constexpr int kCalls = 1'000'000;  // in a round

}  // namespace

absl::Status UnchangedGate(const GateOptions& options, Report& report) {
  OwnMetrics own;
  absl::StatusOr<SharedSnapshot> snapshot = SimulatedSnapshot(own);
  if (!snapshot.ok()) return snapshot.status();
  SnapshotStore store;
  store.Store(*std::move(snapshot));
  PageCache cache(store, own);

  const std::shared_ptr<const std::string> first = cache.Text();
  const std::uint64_t allocations = Allocations();
  int rendered = 0;
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < options.repeat; ++round) {
    const double start = CpuSeconds();
    for (int i = 0; i < kCalls; ++i) rendered += cache.Text() == first ? 0 : 1;
    best = std::min(best, (CpuSeconds() - start) / kCalls);
  }
  const auto allocated = static_cast<double>(Allocations() - allocations);
  report.AddNote("unchanged page: one call", fmt::format("{:.1f} ns", best * 1e9));
  report.AddLimit("unchanged page: renderings", rendered, 0, "");
  report.AddLimit("unchanged page: allocations", allocated, 0, "");
  return absl::OkStatus();
}

}  // namespace ascend

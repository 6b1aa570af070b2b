// How long it takes from the start of the program to a page that shows every device.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/cpu_clock.h"
#include "bench/exporter_process.h"
#include "bench/gates.h"
#include "bench/http_client.h"
#include "bench/stand_in.h"
#include "bench/whole_page.h"

namespace ascend {
namespace {

constexpr double kMostMilliseconds = 300;

struct Case {
  std::string name;
  std::vector<std::string> flags, environment;
};

// Seconds until a whole page was read.
absl::StatusOr<double> StartOnce(const std::string& folder, const Case& what) {
  const absl::StatusOr<ExporterProcess> program =
      ExporterProcess::Start(folder + "/ascend-exporter", what.flags, what.environment);
  if (!program.ok()) return program.status();
  absl::StatusOr<HttpClient> client = HttpClient::Connect(program->port());
  if (!client.ok()) return client.status();
  const absl::StatusOr<double> whole = ScrapeUntilWhole(*client);
  if (!whole.ok()) return whole.status();
  return *whole - program->started();
}

}  // namespace

absl::Status StartGate(const GateOptions& options, Report& report) {
  const absl::StatusOr<StandIn> quick = StandIn::Make(options.folder);
  if (!quick.ok()) return quick.status();
  const absl::StatusOr<StandIn> costly = StandIn::Make(options.folder, {"cost 1000"});
  if (!costly.ok()) return costly.status();
  const Case cases[] = {{"start: simulation", {"--driver=sim", "--sim.scenario=16x910c"}, {}},
                        {"start: stand-in", quick->flags(), quick->environment()},
                        {"start: stand-in, calls of 1 ms", costly->flags(), costly->environment()}};
  std::vector<double> best(std::size(cases), std::numeric_limits<double>::max());
  for (int round = 0; round < options.repeat; ++round) {
    for (std::size_t i = 0; i < best.size(); ++i) {
      const absl::StatusOr<double> took = StartOnce(options.folder, cases[i]);
      if (!took.ok()) return took.status();
      best[i] = std::min(best[i], *took);
    }
  }
  for (std::size_t i = 0; i < best.size(); ++i) {
    report.AddLimit(cases[i].name, best[i] * 1e3, kMostMilliseconds, "ms");
  }
  return absl::OkStatus();
}

}  // namespace ascend

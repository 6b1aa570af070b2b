// Scrapes while a call of the library never returns.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "bench/cpu_clock.h"
#include "bench/exporter_process.h"
#include "bench/gates.h"
#include "bench/http_client.h"
#include "bench/stand_in.h"
#include "bench/whole_page.h"

namespace ascend {
namespace {

constexpr double kMostMilliseconds = 100;
constexpr double kSpan = 15;  // seconds; long enough for the process with the call to be replaced
constexpr auto kBetweenScrapes = std::chrono::milliseconds(5);

struct Case {
  const char* name;
  const char* rule;
  int chips;  // that the rule is about
};
constexpr Case kCases[] = {{"temperature of a chip", "rule dcmi_get_device_temperature 3 hang", 1},
                           {"any call of a chip", "rule * 3 hang", 1},
                           {"search for devices", "rule dcmi_get_card_list * hang", 0}};

struct Seen {
  std::vector<double> took;
  int least_chips = kStandInChips;
};

absl::StatusOr<Seen> WatchOne(const GateOptions& options, const Case& what) {
  absl::StatusOr<StandIn> stand_in = StandIn::Make(options.folder);
  if (!stand_in.ok()) return stand_in.status();
  // A search for devices is made every two seconds, so that it runs into the rule.
  std::vector<std::string> flags = stand_in->flags();
  flags.push_back("--devices.discovery-period=2s");
  const absl::StatusOr<ExporterProcess> program =
      ExporterProcess::Start(options.folder + "/ascend-exporter", flags, stand_in->environment());
  if (!program.ok()) return program.status();
  absl::StatusOr<HttpClient> client = HttpClient::Connect(program->port());
  if (!client.ok()) return client.status();
  const absl::StatusOr<double> whole = ScrapeUntilWhole(*client);
  if (!whole.ok()) return whole.status();
  if (absl::Status status = stand_in->Add(what.rule); !status.ok()) return status;

  Seen seen;
  const double begin = WallSeconds();
  while (WallSeconds() - begin < kSpan) {
    const double start = WallSeconds();
    const absl::StatusOr<std::string_view> page = client->Scrape();
    if (!page.ok()) return page.status();
    seen.took.push_back(WallSeconds() - start);
    seen.least_chips = std::min(seen.least_chips, ChipsOn(*page));
    std::this_thread::sleep_for(kBetweenScrapes);
  }
  return seen;
}

}  // namespace

absl::Status BlockedGate(const GateOptions& options, Report& report) {
  for (const Case& what : kCases) {
    absl::StatusOr<Seen> seen = WatchOne(options, what);
    if (!seen.ok()) return seen.status();
    std::ranges::sort(seen->took);
    const std::string name = fmt::format("blocked: {}", what.name);
    const std::size_t count = seen->took.size();
    report.AddLimit(name + ", p99", seen->took[count * 99 / 100] * 1e3, kMostMilliseconds, "ms");
    report.AddNote(name + ", longest", fmt::format("{:.3g} ms", seen->took.back() * 1e3));
    report.AddLimit(name + ", chips missing", kStandInChips - seen->least_chips, what.chips, "");
  }
  return absl::OkStatus();
}

}  // namespace ascend

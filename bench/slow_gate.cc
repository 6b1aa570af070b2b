// Sixteen chips whose every call takes long: nothing may fall behind.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#include "bench/cpu_clock.h"
#include "bench/exporter_process.h"
#include "bench/gates.h"
#include "bench/http_client.h"
#include "bench/page_text.h"
#include "bench/stand_in.h"
#include "bench/whole_page.h"

namespace ascend {
namespace {

constexpr int kCallMs = 35;
// When every group is due at once a chip is asked so many calls in a row (BASELINE.md, "Calls of
// the library").
constexpr int kCallsOfAChip = 31;
constexpr double kPeriod = 1;  // seconds, of the values that are watched
constexpr double kMostAge = kPeriod + kCallsOfAChip * kCallMs * 1e-3;
constexpr double kSpan = 30;  // seconds
constexpr auto kBetweenScrapes = std::chrono::milliseconds(20);

struct Seen {
  double oldest = 0;   // seconds
  double skipped = 0;  // rounds
};

absl::Status Look(std::string_view page, Seen& seen) {
  const absl::StatusOr<PageText> text = ParsePage(page);
  if (!text.ok()) return text.status();
  const double now = SecondsOf(CLOCK_REALTIME);
  seen.skipped = 0;
  int chips = 0;
  for (const PageSeries& series : text->series) {
    if (series.name == "ascend_npu_last_sample_timestamp_seconds") {
      seen.oldest = std::max(seen.oldest, now - series.value);
      ++chips;
    } else if (series.name == "ascend_exporter_skipped_ticks_total") {
      seen.skipped += series.value;
    }
  }
  if (chips == kStandInChips) return absl::OkStatus();
  return absl::InternalError(fmt::format("only {} chips have a time of their last sample", chips));
}

}  // namespace

absl::Status SlowGate(const GateOptions& options, Report& report) {
  const absl::StatusOr<StandIn> stand_in =
      StandIn::Make(options.folder, {fmt::format("cost {}", kCallMs * 1000)});
  if (!stand_in.ok()) return stand_in.status();
  const absl::StatusOr<ExporterProcess> program = ExporterProcess::Start(
      options.folder + "/ascend-exporter", stand_in->flags(), stand_in->environment());
  if (!program.ok()) return program.status();
  absl::StatusOr<HttpClient> client = HttpClient::Connect(program->port());
  if (!client.ok()) return client.status();
  const absl::StatusOr<double> whole = ScrapeUntilWhole(*client);
  if (!whole.ok()) return whole.status();

  Seen seen;
  while (WallSeconds() - *whole < kSpan) {
    const absl::StatusOr<std::string_view> page = client->Scrape();
    if (!page.ok()) return page.status();
    if (absl::Status status = Look(*page, seen); !status.ok()) return status;
    std::this_thread::sleep_for(kBetweenScrapes);
  }
  const std::string name = fmt::format("slow, {} ms a call: ", kCallMs);
  report.AddNote(name + "first whole page", fmt::format("{:.2f} s", *whole - program->started()));
  report.AddLimit(name + "rounds left out", seen.skipped, 0, "");
  report.AddLimit(name + "oldest value", seen.oldest, kMostAge, "s");
  return absl::OkStatus();
}

}  // namespace ascend

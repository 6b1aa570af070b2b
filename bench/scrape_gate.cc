// Scrapes over loopback on one kept connection, without compression: this program, prometheus-cpp's
// Exposer with the same series, and civetweb alone.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "bench/cpu_clock.h"
#include "bench/gates.h"
#include "bench/http_client.h"
#include "bench/page_text.h"
#include "bench/registry_page.h"
#include "bench/servers.h"
#include "bench/sim_page.h"
#include "exporter/page/page_cache.h"

namespace ascend {
namespace {

constexpr int kRequests = 1000;  // to each server in a round
constexpr int kVariations = 8;
constexpr double kDivisor = 3;
constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";

// The best round of one server.
class Contestant {
 public:
  static absl::StatusOr<Contestant> Make(absl::StatusOr<std::unique_ptr<BenchServer>> server) {
    if (!server.ok()) return server.status();
    return Contestant(*std::move(server));
  }

  // One round, on one connection: kept idle between rounds, civetweb would close it.
  absl::Status Play() {
    absl::StatusOr<HttpClient> client = HttpClient::Connect(server_->port());
    if (!client.ok()) return client.status();
    std::vector<double> took;
    const double begin = WallSeconds();
    for (int i = 0; i < kRequests; ++i) {
      const double start = WallSeconds();
      const absl::StatusOr<std::string_view> page = client->Scrape();
      if (!page.ok()) return page.status();
      took.push_back(WallSeconds() - start);
    }
    rate_ = std::max(rate_, kRequests / (WallSeconds() - begin));
    std::ranges::nth_element(took, took.begin() + kRequests / 2);
    median_ = std::min(median_, took[kRequests / 2]);
    return absl::OkStatus();
  }

  [[nodiscard]] double median() const { return median_; }  // seconds
  [[nodiscard]] std::string rate() const { return fmt::format("{:.0f}/s", rate_); }

 private:
  explicit Contestant(std::unique_ptr<BenchServer> server) : server_(std::move(server)) {}

  std::unique_ptr<BenchServer> server_;
  double median_ = std::numeric_limits<double>::max();
  double rate_ = 0;
};

// Answers with the newest page, as the program does.
class CachedPages {
 public:
  CachedPages(const Snapshot& snapshot, const OwnMetrics& own)
      : cache_(store_, own), variations_(Variations(snapshot, kVariations)) {
    store_.Store(variations_[0]);
  }
  HttpReply Unchanged() { return {.content_type = kTextType, .body = cache_.Text()}; }
  HttpReply Changed() {
    store_.Store(variations_[++next_ % kVariations]);
    return Unchanged();
  }

 private:
  SnapshotStore store_;
  PageCache cache_;
  std::vector<SharedSnapshot> variations_;
  std::size_t next_ = 0;
};

}  // namespace

absl::Status ScrapeGate(const GateOptions& options, Report& report) {
  OwnMetrics own;
  const absl::StatusOr<SharedSnapshot> snapshot = SimulatedSnapshot(own);
  if (!snapshot.ok()) return snapshot.status();
  CachedPages same(**snapshot, own);
  CachedPages changing(**snapshot, own);
  const std::shared_ptr<const std::string> text = same.Unchanged().body;
  const absl::StatusOr<PageText> page = ParsePage(*text);
  if (!page.ok()) return page.status();
  const RegistryPage registry(*page);

  absl::StatusOr<Contestant> ours =
      Contestant::Make(StartOurs([&](const HttpRequest&) { return same.Unchanged(); }));
  absl::StatusOr<Contestant> ours_changing =
      Contestant::Make(StartOurs([&](const HttpRequest&) { return changing.Changed(); }));
  absl::StatusOr<Contestant> exposer = Contestant::Make(StartExposer(registry.registry()));
  absl::StatusOr<Contestant> civetweb = Contestant::Make(StartCivetweb(text));
  for (auto* contestant : {&ours, &ours_changing, &exposer, &civetweb}) {
    if (!contestant->ok()) return contestant->status();
  }
  for (int round = 0; round < options.repeat; ++round) {
    for (auto* contestant : {&ours, &exposer, &civetweb, &ours_changing}) {
      absl::Status played = (*contestant)->Play();
      if (!played.ok()) return played;
    }
  }
  report.AddRatio("scrape: p50 against Exposer", ours->median(), exposer->median(), kDivisor);
  report.AddNote("scrape: scrapes per second against Exposer", ours->rate(), exposer->rate());
  report.AddNote("scrape: p50 against civetweb alone", Microseconds(ours->median()),
                 Microseconds(civetweb->median()));
  report.AddNote("scrape: scrapes per second against civetweb", ours->rate(), civetweb->rate());
  report.AddNote("scrape: p50 with a new page each time", Microseconds(ours_changing->median()),
                 Microseconds(exposer->median()));
  return absl::OkStatus();
}

}  // namespace ascend

// A page of which every value changed: EncodeText against prometheus-cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "bench/cpu_clock.h"
#include "bench/gates.h"
#include "bench/page_text.h"
#include "bench/registry_page.h"
#include "bench/sim_page.h"
#include "exporter/page/encoder.h"

namespace ascend {
namespace {

constexpr int kVariations = 8;
constexpr int kOurPages = 400;  // in a round
constexpr int kBaselinePages = 40;
constexpr double kMixDivisor = 20;
constexpr double kRandomDivisor = 8;
// prometheus-cpp prints 16 significant digits, one short of what every double needs.
constexpr double kLostDigits = 1e-15;

std::string Encode(const Snapshot& snapshot) {
  std::string text;
  EncodeText(snapshot, text);
  return text;
}

void Sort(std::vector<PageSeries>& series) {
  std::ranges::sort(series, [](const PageSeries& a, const PageSeries& b) {
    return std::tie(a.name, a.labels) < std::tie(b.name, b.labels);
  });
}

// The same series with the same values, in whatever order.
absl::Status CheckAgreement(std::vector<PageSeries> ours, std::vector<PageSeries> theirs) {
  if (ours.size() != theirs.size()) {
    return absl::InternalError(
        fmt::format("{} series against {} of prometheus-cpp", ours.size(), theirs.size()));
  }
  Sort(ours);
  Sort(theirs);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const PageSeries& a = ours[i];
    const PageSeries& b = theirs[i];
    if (a.name != b.name || a.labels != b.labels) {
      return absl::InternalError(fmt::format("{} has other labels in prometheus-cpp", a.name));
    }
    if (!(std::fabs(a.value - b.value) <= kLostDigits * std::fabs(b.value))) {
      return absl::InternalError(
          fmt::format("{} is {} and {} in prometheus-cpp", a.name, a.value, b.value));
    }
  }
  return absl::OkStatus();
}

// One set of snapshots on both sides.
class Match {
 public:
  static absl::StatusOr<Match> Make(std::vector<SharedSnapshot> snapshots) {
    std::vector<PageText> pages;
    for (const SharedSnapshot& snapshot : snapshots) {
      absl::StatusOr<PageText> page = ParsePage(Encode(*snapshot));
      if (!page.ok()) return page.status();
      pages.push_back(std::move(*page));
    }
    Match match(std::move(snapshots), pages);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      match.registry_.Set(match.values_[i]);
      absl::StatusOr<PageText> theirs = ParsePage(match.registry_.Serialize());
      if (!theirs.ok()) return theirs.status();
      absl::Status agree = CheckAgreement(pages[i].series, theirs->series);
      if (!agree.ok()) return agree;
    }
    return match;
  }

  // One round of each side.
  void Play() {
    ours_ = std::min(ours_, OurSeconds());
    baseline_ = std::min(baseline_, BaselineSeconds());
  }

  // CPU time of one page in the best round.
  [[nodiscard]] double ours() const { return ours_; }
  [[nodiscard]] double baseline() const { return baseline_; }
  [[nodiscard]] std::size_t series() const { return values_.front().size(); }
  [[nodiscard]] std::size_t page_bytes() const { return page_bytes_; }

 private:
  Match(std::vector<SharedSnapshot> snapshots, const std::vector<PageText>& pages)
      : snapshots_(std::move(snapshots)), registry_(pages.front()) {
    for (const PageText& page : pages) {
      std::vector<double>& values = values_.emplace_back();
      for (const PageSeries& series : page.series) values.push_back(series.value);
    }
  }

  // Into a new string each time, with the room of the one before, as the page cache does.
  double OurSeconds() {
    std::size_t room = 0;
    const double start = CpuSeconds();
    for (int i = 0; i < kOurPages; ++i) {
      std::string text;
      text.reserve(room);
      EncodeText(*snapshots_[static_cast<std::size_t>(i % kVariations)], text);
      room = text.capacity();
      page_bytes_ = text.size();
    }
    return (CpuSeconds() - start) / kOurPages;
  }

  double BaselineSeconds() {
    double spent = 0;
    for (int i = 0; i < kBaselinePages; ++i) {
      registry_.Set(values_[static_cast<std::size_t>(i % kVariations)]);
      const double start = CpuSeconds();
      const std::string text = registry_.Serialize();
      spent += CpuSeconds() - start;
    }
    return spent / kBaselinePages;
  }

  std::vector<SharedSnapshot> snapshots_;
  std::vector<std::vector<double>> values_;  // by snapshot, in the order of the page
  RegistryPage registry_;
  std::size_t page_bytes_ = 0;
  double ours_ = std::numeric_limits<double>::max();
  double baseline_ = std::numeric_limits<double>::max();
};

}  // namespace

absl::Status EncodeGate(const GateOptions& options, Report& report) {
  struct Case {
    std::string name;
    SimulatedPage page;
  };
  const Case cases[] = {{"encode", {}},
                        {"encode, everything on", {.everything = true}},
                        {"encode, 48 chips, everything on",
                         {.scenario = "fleet:48", .chips = 48, .everything = true}}};
  for (const auto& [name, page] : cases) {
    OwnMetrics own;
    const absl::StatusOr<SharedSnapshot> snapshot = SimulatedSnapshot(own, page);
    if (!snapshot.ok()) return snapshot.status();
    absl::StatusOr<Match> mix = Match::Make(Variations(**snapshot, kVariations));
    if (!mix.ok()) return mix.status();
    absl::StatusOr<Match> random = Match::Make(RandomVariations(**snapshot, kVariations));
    if (!random.ok()) return random.status();
    for (int round = 0; round < options.repeat; ++round) {
      mix->Play();
      random->Play();
    }
    report.AddNote(name + ": page", fmt::format("{} series", mix->series()),
                   fmt::format("{} bytes", mix->page_bytes()));
    report.AddRatio(name + ": values of the simulation", mix->ours(), mix->baseline(), kMixDivisor);
    report.AddRatio(name + ": random doubles", random->ours(), random->baseline(), kRandomDivisor);
  }
  return absl::OkStatus();
}

}  // namespace ascend

// What sampling costs: sixteen chips of the stand-in, at rates far above the default.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "bench/call_floor.h"
#include "bench/cpu_clock.h"
#include "bench/exporter_process.h"
#include "bench/gates.h"
#include "bench/stand_in.h"

namespace ascend {
namespace {

constexpr auto kSettle = std::chrono::seconds(5);
constexpr auto kSpan = std::chrono::seconds(5);
constexpr double kMostMebibytes = 12;
constexpr double kMostBorderMicroseconds = 3;

struct Rate {
  int hertz;
  double most_percent;  // of a core
};
constexpr Rate kRates[] = {{10, 1}, {100, 8}};

std::chrono::milliseconds PeriodOf(const Rate& rate) {
  return std::chrono::milliseconds(1000 / rate.hertz);
}

struct Cost {
  double cpu = std::numeric_limits<double>::max();   // seconds in a second, of the best span
  double proportional = 0, resident = 0, alone = 0;  // MiB
};

// A program at work. What others do on the machine can only make it dearer, so the best span
// counts.
class Subject {
 public:
  static absl::StatusOr<Subject> Start(const std::string& folder, const StandIn& stand_in,
                                       const Rate& rate, const std::string& isolation) {
    std::vector<std::string> flags = stand_in.flags();
    flags.push_back(fmt::format("--sampling.fast-period={}ms", PeriodOf(rate).count()));
    flags.push_back("--isolation=" + isolation);
    absl::StatusOr<ExporterProcess> program =
        ExporterProcess::Start(folder + "/ascend-exporter", flags, stand_in.environment());
    if (!program.ok()) return program.status();
    std::this_thread::sleep_for(kSettle);
    return Subject(*std::move(program));
  }

  void MeasureSpan() {
    const double cpu = program_.CpuSeconds();
    const double start = WallSeconds();
    std::this_thread::sleep_for(kSpan);
    cost_.cpu = std::min(cost_.cpu, (program_.CpuSeconds() - cpu) / (WallSeconds() - start));
  }
  absl::Status MeasureMemory() {
    const absl::StatusOr<double> proportional = program_.MemoryMebibytes("Pss");
    if (!proportional.ok()) return proportional.status();
    const absl::StatusOr<double> resident = program_.MemoryMebibytes("Rss");
    if (!resident.ok()) return resident.status();
    cost_.proportional = *proportional;
    cost_.resident = *resident;
    cost_.alone = program_.AloneMebibytes();
    return absl::OkStatus();
  }
  [[nodiscard]] const Cost& cost() const { return cost_; }

 private:
  explicit Subject(ExporterProcess program) : program_(std::move(program)) {}

  ExporterProcess program_;
  Cost cost_;
};

// Spans until one is as cheap as it has to be.
absl::StatusOr<Cost> MeasureUntil(absl::StatusOr<Subject> subject, double enough, int spans) {
  if (!subject.ok()) return subject.status();
  for (int span = 0; span < spans && subject->cost().cpu > enough; ++span) subject->MeasureSpan();
  if (absl::Status status = subject->MeasureMemory(); !status.ok()) return status;
  return subject->cost();
}

absl::Status MeasureRate(const GateOptions& options, const StandIn& stand_in, const Rate& rate,
                         Report& report) {
  const std::string name = fmt::format("engine, {} Hz", rate.hertz);
  const double readings = static_cast<double>(rate.hertz) * kStandInChips;  // a second
  const absl::StatusOr<double> floor = CallFloor(stand_in, PeriodOf(rate), kSpan);
  if (!floor.ok()) return floor.status();
  const absl::StatusOr<Cost> one = MeasureUntil(
      Subject::Start(options.folder, stand_in, rate, "none"), rate.most_percent / 100, 2);
  if (!one.ok()) return one.status();
  const double allowed = one->cpu + kMostBorderMicroseconds * 1e-6 * readings;
  const absl::StatusOr<Cost> full =
      MeasureUntil(Subject::Start(options.folder, stand_in, rate, "full"),
                   std::min(allowed, rate.most_percent / 100), options.repeat);
  if (!full.ok()) return full.status();

  report.AddLimit(name + ": CPU of one core", full->cpu * 100, rate.most_percent, "%");
  report.AddNote(name + ": CPU beside bare calls", fmt::format("{:.3g} %", full->cpu * 100),
                 fmt::format("{:.3g} %", *floor * 100));
  report.AddNote(name + ": times the bare calls", fmt::format("{:.2f}", full->cpu / *floor));
  report.AddNote(name + ": CPU in one process", fmt::format("{:.3g} %", one->cpu * 100));
  if (rate.hertz == kRates[std::size(kRates) - 1].hertz) {
    report.AddLimit(name + ": border, of a reading", (full->cpu - one->cpu) / readings * 1e6,
                    kMostBorderMicroseconds, "us");
  }
  report.AddLimit(name + ": PSS", full->proportional, kMostMebibytes, "MiB");
  report.AddNote(name + ": RSS", fmt::format("{:.3g} MiB", full->resident));
  report.AddNote(name + ": memory alone on a node", fmt::format("{:.3g} MiB", full->alone));
  return absl::OkStatus();
}

}  // namespace

absl::Status EngineGate(const GateOptions& options, Report& report) {
  const absl::StatusOr<StandIn> stand_in = StandIn::Make(options.folder);
  if (!stand_in.ok()) return stand_in.status();
  for (const Rate& rate : kRates) {
    if (absl::Status status = MeasureRate(options, *stand_in, rate, report); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace ascend

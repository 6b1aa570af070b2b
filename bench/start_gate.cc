// How long it takes from the start of the program to a page that shows every device.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "bench/cpu_clock.h"
#include "bench/exporter_process.h"
#include "bench/gates.h"
#include "bench/http_client.h"

namespace ascend {
namespace {

constexpr int kDevices = 16;
constexpr double kMostMilliseconds = 500;
constexpr double kPatience = 10;  // seconds
constexpr auto kBetweenScrapes = std::chrono::milliseconds(1);

struct Case {
  std::string name;
  std::vector<std::string> flags, environment;
};

bool Complete(std::string_view page) {
  for (int device = 0; device < kDevices; ++device) {
    const std::string up = fmt::format("\nascend_npu_up{{device=\"{}\"}} 1\n", device);
    const std::string temperature =
        fmt::format("\nascend_npu_temperature_celsius{{device=\"{}\"}} ", device);
    if (page.find(up) == page.npos || page.find(temperature) == page.npos) return false;
  }
  return true;
}

// Seconds until a complete page was read.
absl::StatusOr<double> StartOnce(const std::string& folder, const Case& what) {
  const absl::StatusOr<ExporterProcess> program =
      ExporterProcess::Start(folder + "/ascend-exporter", what.flags, what.environment);
  if (!program.ok()) return program.status();
  absl::StatusOr<HttpClient> client = HttpClient::Connect(program->port());
  if (!client.ok()) return client.status();
  while (true) {
    const absl::StatusOr<std::string_view> page = client->Scrape();
    if (!page.ok()) return page.status();
    const double passed = WallSeconds() - program->started();
    if (Complete(*page)) return passed;
    if (passed > kPatience) {
      return absl::DeadlineExceededError(fmt::format("no page with 16 devices in {} s with {}",
                                                     kPatience, fmt::join(what.flags, " ")));
    }
    std::this_thread::sleep_for(kBetweenScrapes);
  }
}

}  // namespace

absl::Status StartGate(const GateOptions& options, Report& report) {
  const std::string fake = options.folder + "/fake_dcmi";
  const Case cases[] = {{"start: simulation", {"--driver=sim", "--sim.scenario=16x910c"}, {}},
                        {"start: stand-in for libdcmi.so",
                         {"--driver=dcmi", fmt::format("--dcmi.library={}/libdcmi.so", fake),
                          "--dcmi.allow-untrusted-library"},
                         {fmt::format("FAKE_DCMI_DATA={}/16x910c.data", fake)}}};
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

// ascend-exporter: Prometheus exporter for Huawei Ascend NPUs.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "exporter/http/http_get.h"
#include "exporter/metrics_doc.h"
#include "exporter/serve.h"
#include "exporter/settings/settings.h"
#include "exporter/simulate.h"

namespace ascend {
namespace {

int Fail(const absl::Status& status) {
  fmt::print(stderr, "ascend-exporter: {}\n", std::string(status.message()));
  return EXIT_FAILURE;
}

// The address by which this host reaches what listens on `listen_address`.
std::string LocalUrl(const std::string& listen_address) {
  const std::size_t colon = listen_address.rfind(':');
  std::string host = listen_address.substr(0, colon);
  if (host.empty() || host == "0.0.0.0" || host == "[::]") host = "127.0.0.1";
  return fmt::format("http://{}{}/-/healthy", host, listen_address.substr(colon));
}

int Healthcheck(const Invocation& invocation) {
  const std::string url = invocation.healthcheck_url.empty()
                              ? LocalUrl(invocation.settings.listen_addresses.front())
                              : invocation.healthcheck_url;
  const absl::Status status = HttpGetOk(url, std::chrono::seconds(2));
  if (status.ok()) return EXIT_SUCCESS;
  fmt::print(stderr, "ascend-exporter: {}: {}\n", url, std::string(status.message()));
  return EXIT_FAILURE;
}

int Print(const std::string& text) {
  const bool all = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return all && std::fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int Main(int argc, char** argv) {
  const absl::StatusOr<ParsedCommandLine> parsed = ParseCommandLine(argc, argv);
  if (!parsed.ok()) return Fail(parsed.status());
  if (parsed->early_exit) return Print(parsed->early_exit->text);
  const Invocation& invocation = parsed->invocation;
  switch (invocation.command) {
    case Command::kHealthcheck:
      return Healthcheck(invocation);
    case Command::kMetrics:
      return Print(MetricsDocument());
    case Command::kSimulate:
      return Simulate(invocation);
    case Command::kServe:
      return Serve(invocation.settings);
  }
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace ascend

int main(int argc, char** argv) { return ascend::Main(argc, argv); }

// ascend-exporter: Prometheus exporter for Huawei Ascend NPUs.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "exporter/http/http_get.h"
#include "exporter/metrics_doc.h"
#include "exporter/serve.h"
#include "exporter/settings/settings.h"
#include "exporter/simulate.h"
#include "exporter/standard_streams.h"

namespace ascend {
namespace {

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
  return Fail(absl::UnavailableError(fmt::format("{}: {}", url, std::string(status.message()))));
}

int PrintOrFail(const std::string& text) {
  const absl::Status printed = Print(text);
  return printed.ok() ? EXIT_SUCCESS : Fail(printed);
}

int Main(int argc, char** argv) {
  ReserveStandardStreams();
  const absl::StatusOr<ParsedCommandLine> parsed = ParseCommandLine(argc, argv);
  if (!parsed.ok()) return Fail(parsed.status());
  if (parsed->early_exit) return PrintOrFail(parsed->early_exit->text);
  const Invocation& invocation = parsed->invocation;
  switch (invocation.command) {
    case Command::kHealthcheck:
      return Healthcheck(invocation);
    case Command::kMetrics:
      return PrintOrFail(MetricsDocument());
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

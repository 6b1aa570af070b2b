// ascend-exporter: Prometheus exporter for Huawei Ascend NPUs.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "exporter/compare.h"
#include "exporter/compat/migration.h"
#include "exporter/http/http_get.h"
#include "exporter/metrics_doc.h"
#include "exporter/parse.h"
#include "exporter/serve.h"
#include "exporter/settings/settings.h"
#include "exporter/simulate.h"
#include "exporter/standard_streams.h"

namespace ascend {
namespace {

int Healthcheck(const Invocation& invocation) {
  const std::string url = invocation.healthcheck_url.empty()
                              ? LocalUrl(invocation.settings.listen_addresses.front(), "/-/healthy")
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
      return PrintOrFail(MetricsDocument(invocation.language));
    case Command::kMigration:
      return PrintOrFail(MigrationDocument(invocation.language));
    case Command::kCompare:
      return ComparePrograms(invocation);
    case Command::kParse:
      return Parse(invocation);
    case Command::kSimulate:
      return Simulate(invocation);
    case Command::kServe:
      return Serve(invocation.settings, argv);
  }
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace ascend

int main(int argc, char** argv) { return ascend::Main(argc, argv); }

#include "exporter/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/compat/differences.h"
#include "exporter/compat/page_index.h"
#include "exporter/http/http_get.h"
#include "exporter/standard_streams.h"

namespace ascend {
namespace {

constexpr int kUnreadable = 2;
constexpr std::chrono::seconds kPatience{15};
constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
constexpr std::size_t kMostLines = 2000;  // of one list

absl::StatusOr<MetricsPage> Scrape(const std::string& url) {
  const auto said = [&](const absl::Status& status) {
    return absl::UnavailableError(fmt::format("{}: {}", url, std::string(status.message())));
  };
  const absl::StatusOr<std::string> text = HttpGet(url, kPatience, kMostBytes);
  if (!text.ok()) return said(text.status());
  absl::StatusOr<MetricsPage> page = ReadMetricsPage(*text);
  if (!page.ok()) return said(page.status());
  return page;
}

std::string PageText(std::string_view whose, const std::string& url, const MetricsPage& page) {
  return fmt::format("{}: {}, {} series of {} devices\n", whose, url, page.samples.size(),
                     PageIndex(page).devices.size());
}

std::string ListText(std::string_view heading, const std::vector<std::string>& lines) {
  std::string text = fmt::format("\n{}: {}\n", heading, lines.size());
  for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
    text += fmt::format("  {}\n", lines[i]);
  }
  if (lines.size() > kMostLines) {
    text += fmt::format("  and {} more\n", lines.size() - kMostLines);
  }
  return text;
}

std::string Report(const Comparison& comparison) {
  std::string text = fmt::format("values that are the same: {}\n", comparison.equal);
  text += ListText("differences with an explanation", comparison.explained);
  text += ListText("differences without an explanation", comparison.unexplained);
  text += "\nbetween the two looks values move; differences up to these were taken for that:\n";
  text += TolerancesText();
  return text;
}

int FailToRead(const absl::Status& status) {
  Fail(status);
  return kUnreadable;
}

}  // namespace

std::string LocalUrl(const std::string& listen_address, const std::string& path) {
  const std::size_t colon = listen_address.rfind(':');
  std::string host = listen_address.substr(0, colon);
  if (host.empty() || host == "0.0.0.0" || host == "[::]") host = "127.0.0.1";
  return fmt::format("http://{}{}{}", host, listen_address.substr(colon), path);
}

int ComparePrograms(const Invocation& invocation) {
  const Settings& settings = invocation.settings;
  const std::string& their_url = invocation.compare_url;
  const std::string our_url =
      invocation.compare_with.empty()
          ? LocalUrl(settings.listen_addresses.front(), settings.telemetry_path)
          : invocation.compare_with;
  const absl::StatusOr<MetricsPage> there = Scrape(their_url);
  if (!there.ok()) return FailToRead(there.status());
  const absl::StatusOr<MetricsPage> ours = Scrape(our_url);
  if (!ours.ok()) return FailToRead(ours.status());
  const MetricsPage here = InVendorNames(*ours);

  const Comparison comparison = ComparePages(*there, here);
  const absl::Status printed = Print(PageText("there", their_url, *there) +
                                     PageText("here", our_url, here) + Report(comparison));
  if (!printed.ok()) return FailToRead(printed);
  return comparison.unexplained.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace ascend

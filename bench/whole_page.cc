#include "bench/whole_page.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "bench/cpu_clock.h"
#include "bench/stand_in.h"

namespace ascend {
namespace {

constexpr double kPatience = 10;  // seconds
constexpr auto kBetweenScrapes = std::chrono::milliseconds(1);

}  // namespace

int ChipsOn(std::string_view page) {
  int chips = 0;
  for (int chip = 0; chip < kStandInChips; ++chip) {
    const std::string up = fmt::format("\nascend_npu_up{{device=\"{}\"}} 1\n", chip);
    const std::string temperature =
        fmt::format("\nascend_npu_temperature_celsius{{device=\"{}\"}} ", chip);
    if (page.find(up) != page.npos && page.find(temperature) != page.npos) ++chips;
  }
  return chips;
}

absl::StatusOr<double> ScrapeUntil(HttpClient& client,
                                   const std::function<bool(std::string_view page)>& wanted) {
  const double start = WallSeconds();
  while (true) {
    const absl::StatusOr<std::string_view> page = client.Scrape();
    if (!page.ok()) return page.status();
    const double now = WallSeconds();
    if (wanted(*page)) return now;
    if (now - start > kPatience) {
      return absl::DeadlineExceededError(
          fmt::format("no page as it should be in {} s; the last one shows {} chips", kPatience,
                      ChipsOn(*page)));
    }
    std::this_thread::sleep_for(kBetweenScrapes);
  }
}

absl::StatusOr<double> ScrapeUntilWhole(HttpClient& client) {
  return ScrapeUntil(client, [](std::string_view page) { return ChipsOn(page) == kStandInChips; });
}

}  // namespace ascend

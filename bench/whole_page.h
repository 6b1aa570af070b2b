// What a page must show of the stand-in's chips to count as whole.
#pragma once

#include <functional>
#include <string_view>

#include "absl/status/statusor.h"
#include "bench/http_client.h"

namespace ascend {

// How many chips are up and have a temperature.
int ChipsOn(std::string_view page);

// Scrapes until a page is as wanted; returns when it was read, by WallSeconds(). An error if none
// is within ten seconds.
absl::StatusOr<double> ScrapeUntil(HttpClient& client,
                                   const std::function<bool(std::string_view page)>& wanted);

// Scrapes until all chips are on the page.
absl::StatusOr<double> ScrapeUntilWhole(HttpClient& client);

}  // namespace ascend

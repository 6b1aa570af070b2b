// A prometheus-cpp registry with the series of a page: what the program is compared with.
#pragma once

#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/page_text.h"

namespace ascend {

class RegistryPage {
 public:
  // Every series becomes a gauge, counters too, since a counter cannot be set.
  explicit RegistryPage(const PageText& page);

  // Sets all gauges, in the order of the page.
  void Set(std::span<const double> values);

  // What a scrape costs.
  [[nodiscard]] std::string Serialize() const;
  [[nodiscard]] const std::shared_ptr<prometheus::Registry>& registry() const { return registry_; }

 private:
  std::shared_ptr<prometheus::Registry> registry_ = std::make_shared<prometheus::Registry>();
  std::vector<prometheus::Gauge*> gauges_;
};

}  // namespace ascend

#include "bench/registry_page.h"

#include <prometheus/family.h>
#include <prometheus/text_serializer.h>

#include <map>

namespace ascend {

RegistryPage::RegistryPage(const PageText& page) {
  std::map<std::string, prometheus::Family<prometheus::Gauge>*> families;
  for (const PageSeries& series : page.series) {
    auto [family, added] = families.try_emplace(series.name);
    if (added) {
      const auto help = page.help.find(series.name);
      family->second = &prometheus::BuildGauge()
                            .Name(series.name)
                            .Help(help == page.help.end() ? "" : help->second)
                            .Register(*registry_);
    }
    gauges_.push_back(&family->second->Add(series.labels));
    gauges_.back()->Set(series.value);
  }
}

void RegistryPage::Set(std::span<const double> values) {
  for (std::size_t i = 0; i < gauges_.size(); ++i) gauges_[i]->Set(values[i]);
}

std::string RegistryPage::Serialize() const {
  return prometheus::TextSerializer().Serialize(registry_->Collect());
}

}  // namespace ascend

#include "exporter/engine/card_values.h"

#include <set>

namespace ascend {
namespace {
constexpr std::size_t kMostSources = 4096;
}

CardValues::CardValues(const Catalog& catalog) : catalog_(catalog) {
  for (const CatalogRow& row : catalog.rows()) {
    if (row.row->scope == Scope::kCard) rows_.push_back(&row);
  }
}

void CardValues::Merge(std::span<const std::int32_t> cards,
                       std::span<std::optional<double>> values) {
  // More cards than there can be were named by a host that is not to be trusted.
  if (sources_.size() > kMostSources) sources_.clear();
  for (const CatalogRow* row : rows_) {
    std::set<std::int32_t> shown;
    for (std::size_t device = 0; device < cards.size(); ++device) {
      std::optional<double>& value = values[device * catalog_.device_slots() + row->first_slot];
      if (!value) continue;
      if (!shown.insert(cards[device]).second) {
        value.reset();
        continue;
      }
      if (!row->row->is_counter()) continue;
      Source& source = sources_[{cards[device], row->first_slot}];
      // A chip whose worker began anew has counted from 0: that is no reset of the card's counter.
      const bool fell = source.last && *value + source.offset < *source.last;
      if (source.last && (source.device != device || fell)) source.offset = *source.last - *value;
      source.device = device;
      source.last = value = *value + source.offset;
    }
  }
}

}  // namespace ascend

// Values that all chips of a card share, shown once a card.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "collectors/catalog.h"

namespace ascend {

// Every chip of a card reads the card's values, so that one sick chip does not hide them. The first
// chip that has a value gives it. When another chip takes over, its counter goes on where the first
// one's stood, since both have counted the same thing apart.
class CardValues {
 public:
  explicit CardValues(const Catalog& catalog);

  // `cards` and `values` are parallel, one element a device: the card it is on and its values by
  // slot. Leaves each card's values with one device and clears them at the others.
  void Merge(std::span<const std::int32_t> cards, std::span<std::optional<double>> values);

 private:
  struct Source {
    std::size_t device = 0;
    double offset = 0;
    std::optional<double> last;
  };

  const Catalog& catalog_;
  std::vector<const CatalogRow*> rows_;                             // of scope kCard
  std::map<std::pair<std::int32_t, std::size_t>, Source> sources_;  // by card and slot
};

}  // namespace ascend

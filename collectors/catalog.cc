#include "collectors/catalog.h"

#include <utility>

#include "collectors/collector.h"
#include "collectors/selection.h"

namespace ascend {
namespace {

std::size_t Append(std::span<const Row> rows, std::size_t slot,
                   const std::set<std::string>& options, bool runs, std::vector<CatalogRow>& out) {
  for (const Row& row : rows) {
    const std::string option(row.spec.option);
    out.push_back({&row, slot, runs && (option.empty() || options.contains(option))});
    slot += row.slots();
  }
  return slot;
}

}  // namespace

Catalog::Catalog() : Catalog(DefaultCollectors()) {}

Catalog::Catalog(std::vector<const Collector*> collectors, const std::set<std::string>& options,
                 const std::set<const Collector*>& silent)
    : collectors_(std::move(collectors)) {
  for (const Collector* collector : collectors_) {
    runs_.push_back(!silent.contains(collector));
    first_rows_.push_back(rows_.size());
    device_slots_ = Append(collector->rows, device_slots_, options, runs_.back(), rows_);
  }
  first_rows_.push_back(rows_.size());
  device_slots_ = Append(DeviceRows(), device_slots_, {}, true, rows_);
  node_slots_ = Append(NodeRows(), 0, {}, true, node_rows_);
}

}  // namespace ascend

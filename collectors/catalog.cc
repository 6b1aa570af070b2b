#include "collectors/catalog.h"

#include "collectors/collector.h"

namespace ascend {
namespace {

std::size_t Append(std::span<const Row> rows, std::size_t slot, std::vector<CatalogRow>& out) {
  for (const Row& row : rows) {
    out.push_back({&row, slot});
    slot += row.slots();
  }
  return slot;
}

}  // namespace

Catalog::Catalog(std::span<const Collector* const> collectors) : collectors_(collectors) {
  for (const Collector* collector : collectors_) {
    first_rows_.push_back(rows_.size());
    device_slots_ = Append(collector->rows, device_slots_, rows_);
  }
  first_rows_.push_back(rows_.size());
  device_slots_ = Append(DeviceRows(), device_slots_, rows_);
  node_slots_ = Append(NodeRows(), 0, node_rows_);
}

}  // namespace ascend

// Every row of every collector in one numbering: rows for samples, slots for values.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/engine_rows.h"
#include "collectors/metric.h"

namespace ascend {

struct Collector;
std::span<const Collector* const> AllCollectors();

// A row with its place among the values of a device (or of the node). Rows of open sets have no
// slot.
struct CatalogRow {
  const Row* row = nullptr;
  std::size_t first_slot = 0;
  bool shown = true;  // false: its collector does not run, or its option is not switched on
};

// Immutable after construction; any thread.
class Catalog {
 public:
  // The collectors that run by default.
  Catalog();
  // These collectors. Those in `silent` keep their numbers but do not run; of the others' rows
  // those are shown that need no option or one of `options`.
  explicit Catalog(std::vector<const Collector*> collectors,
                   const std::set<std::string>& options = {},
                   const std::set<const Collector*>& silent = {});

  [[nodiscard]] std::span<const Collector* const> collectors() const { return collectors_; }
  [[nodiscard]] bool runs(std::size_t collector) const { return runs_[collector]; }
  // Rows of devices and cards: first the collectors', in order, then DeviceRows().
  [[nodiscard]] std::span<const CatalogRow> rows() const { return rows_; }
  [[nodiscard]] std::span<const CatalogRow> node_rows() const { return node_rows_; }
  [[nodiscard]] std::size_t device_slots() const { return device_slots_; }
  [[nodiscard]] std::size_t node_slots() const { return node_slots_; }

  // Index into rows() of the first row of a collector, by its index in collectors().
  [[nodiscard]] std::size_t FirstRow(std::size_t collector) const { return first_rows_[collector]; }
  [[nodiscard]] std::span<const CatalogRow> RowsOfCollector(std::size_t collector) const {
    return rows().subspan(first_rows_[collector],
                          first_rows_[collector + 1] - first_rows_[collector]);
  }
  [[nodiscard]] std::size_t SlotOf(DeviceRow row) const {
    return rows_[rows_.size() - DeviceRows().size() + row].first_slot;
  }
  [[nodiscard]] std::size_t SlotOf(NodeRow row) const { return node_rows_[row].first_slot; }

 private:
  std::vector<const Collector*> collectors_;
  std::vector<bool> runs_;  // by collector
  std::vector<CatalogRow> rows_, node_rows_;
  std::vector<std::size_t> first_rows_;  // one more than collectors
  std::size_t device_slots_ = 0, node_slots_ = 0;
};

}  // namespace ascend

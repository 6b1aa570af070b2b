// The part of the page that changes only when a device comes, goes or turns out to be another:
// which series there are and the text before each value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/catalog.h"
#include "hal/readings.h"

namespace ascend {

// A device as the page names it.
struct PageDevice {
  FoundDevice found;
  std::optional<DeviceIdentity> identity;
  friend bool operator==(const PageDevice&, const PageDevice&) = default;
};

// The labels of ascend_npu_info behind `device`, and of ascend_npu_driver_info, in their order.
std::vector<std::string_view> InfoLabelNames();
std::vector<std::string_view> DriverLabelNames();

// Immutable; shared by all snapshots that have the same series.
struct Layout {
  struct Line {
    std::uint32_t head_end;  // the head ends here in `heads` and begins where the one before ends
    std::uint32_t value;     // index into the snapshot's values
  };
  struct Family {
    std::string head;  // HELP and TYPE
    std::string name;
    std::uint32_t first_line, end_line;
    std::vector<std::uint32_t> open_rows;  // rows of the catalogue that are open sets
  };

  std::string heads;  // `name{labels} ` of every line, in the order of the page
  std::vector<Line> lines;
  std::vector<Family> families;  // sorted by name
  std::vector<PageDevice> devices;
  std::vector<std::string> device_labels;                   // `device="3"` of each device
  std::vector<std::string (*)(std::uint32_t)> open_labels;  // by row of the catalogue
  std::size_t value_count = 0;
};

// Where a value lies in a snapshot: each device has device_slots() values, the node's come last.
inline std::size_t DeviceValue(const Catalog& catalog, std::size_t device, std::size_t slot) {
  return device * catalog.device_slots() + slot;
}
inline std::size_t NodeValue(const Catalog& catalog, std::size_t devices, std::size_t slot) {
  return devices * catalog.device_slots() + slot;
}

std::shared_ptr<const Layout> MakeLayout(const Catalog& catalog, const DriverInfo& driver,
                                         std::span<const PageDevice> devices);

}  // namespace ascend

// The part of the page that changes only when a device comes, goes or turns out to be another:
// which series there are and the text before each value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/catalog.h"
#include "hal/readings.h"

namespace ascend {

// A member of an open set that was seen at a device, such as a fault or a link.
struct OpenSeries {
  std::uint32_t row = 0;  // of the catalogue
  std::uint32_t key = 0;
  std::string text;  // the values of its text labels, each ended by NUL
  friend bool operator==(const OpenSeries&, const OpenSeries&) = default;
};

// A device as the page names it.
struct PageDevice {
  FoundDevice found;
  std::optional<DeviceIdentity> identity;
  std::vector<OpenSeries> open;  // by row and key
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
  };

  std::string heads;  // `name{labels} ` of every line, in the order of the page
  std::vector<Line> lines;
  std::vector<Family> families;  // sorted by name
  std::vector<PageDevice> devices;
  std::vector<std::size_t> first_open;  // by device: where the values of its open series begin
  // Values of one series that two collectors tell, by their places: the second stands in where the
  // first is absent. The second has no line.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> twins;
  std::size_t value_count = 0;
};

// Where a value lies in a snapshot: each device has device_slots() values, then come the node's,
// then those of each device's open series.
inline std::size_t DeviceValue(const Catalog& catalog, std::size_t device, std::size_t slot) {
  return device * catalog.device_slots() + slot;
}
inline std::size_t NodeValue(const Catalog& catalog, std::size_t devices, std::size_t slot) {
  return devices * catalog.device_slots() + slot;
}

std::shared_ptr<const Layout> MakeLayout(const Catalog& catalog, const DriverInfo& driver,
                                         std::span<const PageDevice> devices);

}  // namespace ascend

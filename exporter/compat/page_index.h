// A page with the npu-exporter's names, by what each series is of.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "exporter/compat/series.h"

namespace ascend {

struct DeviceId {
  long number = 0;   // -1: of no device, or not a number
  std::string text;  // as the page has it; empty: of no device
  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
};

// Names a series on both pages: without the labels that say who a chip is or who holds it.
struct SeriesKey {
  DeviceId device;
  std::string name;
  std::string rest;  // ", udie 0, port 4"
  friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};

struct IndexedSample {
  const PageSample* sample = nullptr;
  std::size_t times = 0;  // how often it stands on the page
};

struct PageIndex {
  // `page` must outlive it.
  explicit PageIndex(const MetricsPage& page);

  std::map<SeriesKey, IndexedSample> series;
  std::set<std::string_view> names;
  std::set<DeviceId> devices;
  // What the labels say of a device (or of the node), by label; the first that is not empty.
  std::map<DeviceId, std::map<std::string_view, std::string_view>> identities;
  std::map<DeviceId, std::set<double>> faults;
  std::size_t with_timestamp = 0, with_pod = 0;
};

bool IsFaultCode(std::string_view name);

}  // namespace ascend

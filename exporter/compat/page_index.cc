#include "exporter/compat/page_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "exporter/settings/quoted.h"

namespace ascend {
namespace {

constexpr std::array<std::string_view, 7> kIdentity = {
    "model_name",   "vdie_id",       "pcie_bus_info",  "serial_number",
    "product_type", "driverVersion", "exporterVersion"};
constexpr std::array<std::string_view, 7> kMembers = {
    "udie", "port", "pcie_bw_type", "process_id", "v_dev_id", "containerID", "containerName"};

DeviceId DeviceOf(const SeriesName& series) {
  std::string_view text = series.Label("id");
  if (text.empty()) text = series.Label("npuID");
  long number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) number = -1;
  return {number, std::string(text)};
}

SeriesKey KeyOf(const SeriesName& series) {
  SeriesKey key{DeviceOf(series), series.name, ""};
  for (std::string_view member : kMembers) {
    const std::string_view value = series.Label(member);
    if (!value.empty()) key.rest += fmt::format(", {} {}", member, OneLine(value));
  }
  return key;
}

bool HasPod(const SeriesName& series) {
  return !series.Label("namespace").empty() || !series.Label("pod_name").empty() ||
         !series.Label("container_name").empty();
}

}  // namespace

bool IsFaultCode(std::string_view name) { return name.starts_with("npu_chip_info_error_code"); }

PageIndex::PageIndex(const MetricsPage& page) {
  for (const PageSample& sample : page.samples) {
    SeriesKey key = KeyOf(sample.series);
    names.insert(sample.series.name);
    with_timestamp += sample.has_timestamp ? 1 : 0;
    with_pod += HasPod(sample.series) ? 1 : 0;
    if (!key.device.text.empty()) devices.insert(key.device);
    auto& identity = identities[key.device];
    for (std::string_view label : kIdentity) {
      const std::string_view value = sample.series.Label(label);
      if (!value.empty()) identity.emplace(label, value);
    }
    if (IsFaultCode(sample.series.name)) {
      faults[key.device].insert(sample.value);
      continue;
    }
    IndexedSample& indexed = series[std::move(key)];
    if (indexed.times++ == 0) indexed.sample = &sample;
  }
}

}  // namespace ascend

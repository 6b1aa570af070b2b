#include "exporter/compat/plan_labels.h"

#include <algorithm>
#include <cctype>

#include "exporter/page/text.h"

namespace ascend {
namespace {

constexpr std::string_view kInfo = "ascend_npu_info";

// More than any host holds; a page from elsewhere may say anything.
constexpr std::size_t kMaxChips = 1024;
constexpr std::size_t kMaxChipsOfCard = 16;

// "name-type-version" there. Of the three the driver's library tells this program the name; the
// other two are the same on all chips in use.
std::string ModelName(std::string_view chip_name) {
  return chip_name.empty() ? std::string() : std::string(chip_name).append("-Ascend-V1");
}

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

}  // namespace

VendorLabels::VendorLabels(std::span<const SourceSeries> source, const CompatOptions& options)
    : options_(options) {
  for (const SourceSeries& one : source) {
    if (one.series.name != kInfo || chips_.size() == kMaxChips) continue;
    chips_[one.series.Label("device")] = &one.series;
  }
}

std::vector<std::string_view> VendorLabels::DevicesOf(const SeriesName& series) const {
  const std::string_view device = series.Label("device");
  if (!device.empty()) return {device};
  std::vector<std::string_view> devices;
  const std::string_view card = series.Label("card");
  for (const auto& [id, chip] : chips_) {
    if (card.empty() || devices.size() == kMaxChipsOfCard) break;
    if (chip->Label("card") == card) devices.push_back(id);
  }
  return devices;
}

void VendorLabels::AddChip(std::string_view device, LabelMap& labels) const {
  static const SeriesName kUnknown;
  const auto known = chips_.find(device);
  const SeriesName& chip = known == chips_.end() ? kUnknown : *known->second;
  labels["id"] = device;
  labels["model_name"] = ModelName(chip.Label("chip_name"));
  labels["vdie_id"] = chip.Label("die_id");
  labels["pcie_bus_info"] = UpperCase(chip.Label("pci_address"));
}

bool VendorLabels::AddPod(std::string_view device, std::string_view vnpu, LabelMap& labels) const {
  const std::optional<Pod> pod = options_.pod_of ? options_.pod_of(device, vnpu) : std::nullopt;
  const Pod named = pod.value_or(Pod{});
  labels["namespace"] = named.pod_namespace;
  labels["pod_name"] = named.pod_name;
  labels["container_name"] = named.container_name;
  return pod.has_value();
}

std::optional<LabelMap> VendorLabels::Make(const VendorName& row, const SeriesName& series,
                                           std::string_view device,
                                           std::string_view aicores) const {
  LabelMap labels;
  if (row.shape == Shape::kNode) return labels;
  if (row.shape == Shape::kVersion || row.shape == Shape::kVersions) {
    labels["exporterVersion"] = options_.version;
    if (row.shape == Shape::kVersions) labels["driverVersion"] = series.Label("library_version");
    return labels;
  }
  AddChip(device, labels);
  const bool held = AddPod(device, series.Label("vnpu"), labels);
  if (row.shape == Shape::kOfPod && !held) return std::nullopt;
  if (!AddExtra(row, series, aicores, labels)) return std::nullopt;
  return labels;
}

// False if what the label should say is unknown.
bool VendorLabels::AddExtra(const VendorName& row, const SeriesName& series,
                            std::string_view aicores, LabelMap& labels) {
  if (row.ports != Ports::kNone && !series.Label("port").empty()) {
    labels["udie"] = series.Label("udie");
    labels["port"] = series.Label("port");
  }
  switch (row.shape) {
    case Shape::kNamed:
      labels["name"] = labels["model_name"];
      labels.erase("model_name");
      return !labels["name"].empty();
    case Shape::kSerial:
      labels["serial_number"] = series.Label("serial");
      return !labels["serial_number"].empty();
    case Shape::kProduct:
      labels["product_type"] = series.Label("product");
      // The npu-exporter asks for it on this family only.
      return !labels["product_type"].empty() && series.Label("chip_name").starts_with("310P");
    case Shape::kPcie:
      labels["pcie_bw_type"] = "avgPcieBw";
      return true;
    case Shape::kVnpu:
      labels.erase("vdie_id");
      labels.erase("pcie_bus_info");
      labels["v_dev_id"] = series.Label("vnpu");
      labels["aicore_count"] = aicores;
      labels["is_virtual"] = "true";
      return true;
    default:
      return true;
  }
}

std::string HeadOf(std::string_view name, const LabelMap& labels) {
  std::string head(name);
  char before = '{';
  for (const auto& [label, value] : labels) {
    head += before;
    head.append(label).append("=\"");
    AppendLabelValue(head, value);
    head += '"';
    before = ',';
  }
  head += labels.empty() ? " " : "} ";
  return head;
}

}  // namespace ascend

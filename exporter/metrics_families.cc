#include "exporter/metrics_families.h"

#include <algorithm>
#include <span>

#include "collectors/catalog.h"
#include "collectors/faults.h"
#include "exporter/page/layout.h"
#include "hal/chip_family.h"

namespace ascend {
namespace {

// A key for which every kind of open set prints all its labels.
constexpr std::uint32_t kSampleKey = 0x1001;

constexpr std::array<ChipFamily, kChipNames.size()> kFamilies = {
    ChipFamily::k310,  ChipFamily::k310B,   ChipFamily::k310P, ChipFamily::k910,
    ChipFamily::k910B, ChipFamily::k910_93, ChipFamily::k950};
constexpr std::string_view kOnlyDcmiv2 = "950";

constexpr std::array<std::string_view, 3> kBackends = {"dcmi", "npu_smi", "sim"};
constexpr std::array<std::string_view, 5> kIdSources = {"phy_id", "device", "logic_id", "npu_id",
                                                        "index"};

// Labels that take a few known values, though their rows cannot tell.
struct KnownLabel {
  std::string_view family, label;
  std::span<const std::string_view> values;
};
constexpr std::array<KnownLabel, 5> kKnownLabels = {
    {{"ascend_npu_fault", "action", kFaultActionNames},
     {"ascend_npu_fault_info", "severity", kFaultSeverityNames},
     {"ascend_npu_topology_link_info", "path", kLinkPathNames},
     {"ascend_npu_driver_info", "backend", kBackends},
     {"ascend_npu_driver_info", "device_id_source", kIdSources}}};

void AddOnce(std::string_view text, std::vector<std::string>& texts) {
  if (std::ranges::find(texts, text) == texts.end()) texts.emplace_back(text);
}

std::vector<std::string>& ValuesOf(std::string_view label, MetricFamily& family) {
  const auto known = std::ranges::find(family.labels, label, &LabelValues::name);
  if (known != family.labels.end()) return known->values;
  family.labels.push_back({std::string(label), {}});
  return family.labels.back().values;
}

void AddKeyLabels(std::string_view text, MetricFamily& family) {  // a="x",b="y"
  while (!text.empty()) {
    ValuesOf(text.substr(0, text.find('=')), family);
    const std::size_t comma = text.find(',');
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
}

void AddLabels(const Row& row, MetricFamily& family) {
  if (row.scope == Scope::kDevice) ValuesOf("device", family);
  if (row.scope == Scope::kCard) ValuesOf("card", family);
  if (&row == &DeviceRows()[kInfoRow]) {
    for (std::string_view name : InfoLabelNames()) ValuesOf(name, family);
  }
  if (&row == &NodeRows()[kDriverInfoRow]) {
    for (std::string_view name : DriverLabelNames()) ValuesOf(name, family);
  }
  if (row.key_labels != nullptr) AddKeyLabels(row.key_labels(kSampleKey), family);
  for (const Label& label : row.spec.labels) {
    if (!label.name.empty()) AddOnce(label.value, ValuesOf(label.name, family));
  }
  for (std::string_view state : row.states) AddOnce(state, ValuesOf(row.state_label, family));
  for (std::string_view name : row.text_labels) ValuesOf(name, family);
  for (const KnownLabel& known : kKnownLabels) {
    if (known.family != row.spec.name) continue;
    for (std::string_view value : known.values) AddOnce(value, ValuesOf(known.label, family));
  }
}

void AddChips(std::string_view names, ChipTraits needs, MetricFamily& family) {
  while (!names.empty()) {
    const std::size_t comma = names.find(", ");
    AddOnce(names.substr(0, comma), family.chips);
    if (comma == std::string_view::npos) return;
    names.remove_prefix(comma + 2);
    if (names.empty()) return;
  }
  for (std::size_t i = 0; i < kFamilies.size(); ++i) {
    if ((needs & ~TraitsOf(kFamilies[i])) == 0) AddOnce(kChipNames[i], family.chips);
  }
}

// A name of dcmi_* as dcmiv2_* has it, for those that differ by nothing else.
std::string WithPrefixOfV2(std::string_view dcmi) {
  constexpr std::string_view kPrefix = "dcmi_";
  std::string text;
  for (std::size_t at = 0; at < dcmi.size();) {
    const bool begins = (at == 0 || dcmi[at - 1] == ' ') && dcmi.substr(at).starts_with(kPrefix);
    text += begins ? "dcmiv2_" : std::string(1, dcmi[at]);
    at += begins ? kPrefix.size() : 1;
  }
  return text;
}

void AddSource(const Source& source, MetricFamily& family) {
  const auto add = [](std::string_view text, std::vector<std::string>& texts) {
    if (!text.empty() && text != Source::kNone) AddOnce(text, texts);
  };
  const std::vector<std::string>& chips = family.chips;
  const bool has_950 = std::ranges::find(chips, kOnlyDcmiv2) != chips.end();
  add(source.dcmi, family.dcmi);
  if (!source.dcmiv2.empty()) {
    add(source.dcmiv2, family.dcmiv2);
  } else if (has_950 && source.dcmi != Source::kNone) {
    add(WithPrefixOfV2(source.dcmi), family.dcmiv2);
  }
  add(source.tool, family.tool);
  add(source.host, family.host);
}

MetricFamily& FamilyOf(const Row& row, std::vector<MetricFamily>& families) {
  const auto known = std::ranges::find_if(families, [&](const MetricFamily& family) {
    return family.first->spec.name == row.spec.name;
  });
  if (known != families.end()) return *known;
  families.emplace_back().first = &row;
  return families.back();
}

void Add(const Row& row, ChipTraits needs, MetricFamily& family) {
  AddLabels(row, family);
  AddChips(row.spec.chips, row.spec.needs | needs, family);
  AddSource(row.spec.source, family);
}

void AddEngineRows(std::span<const Row> rows, std::vector<MetricFamily>& families) {
  for (const Row& row : rows) {
    MetricFamily& family = FamilyOf(row, families);
    const std::string_view name = row.spec.name;
    const bool of_driver =
        name.starts_with("ascend_exporter_") || name.starts_with("ascend_npu_driver_");
    family.topic = of_driver ? Topic::kDriver : Topic::kState;
    Add(row, kAnyChip, family);
  }
}

}  // namespace

std::vector<MetricFamily> AllMetricFamilies() {
  std::vector<MetricFamily> families;
  AddEngineRows(DeviceRows(), families);
  AddEngineRows(NodeRows(), families);
  for (const Collector* collector : AllCollectors()) {
    for (const Row& row : collector->rows) {
      MetricFamily& family = FamilyOf(row, families);
      if (&row == family.first) family.topic = collector->topic;
      AddOnce(row.spec.option.empty() ? collector->name : row.spec.option, family.collectors);
      if (&row == family.first) family.by_default = false;
      family.by_default |= collector->by_default == Default::kOn && row.spec.option.empty();
      Add(row, collector->needs, family);
    }
  }
  std::ranges::stable_sort(families, {}, &MetricFamily::topic);
  return families;
}

}  // namespace ascend

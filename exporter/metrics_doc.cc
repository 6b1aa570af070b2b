#include "exporter/metrics_doc.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "collectors/catalog.h"
#include "collectors/collector.h"
#include "exporter/page/layout.h"
#include "exporter/page/own_metrics.h"

namespace ascend {
namespace {

constexpr std::string_view kIntroduction = R"(# Metrics

Printed by `ascend-exporter metrics`; a test compares this file with what the program prints.

Every device series has the label `device`: the physical id, the N of `/dev/davinciN`. What else names a
chip is on `ascend_npu_info`, to be joined `on (instance, device)`. Unknown is absent: a chip that does
not report a value, a call that keeps failing and a value older than three periods (and two seconds) have
no series. A chip's groups are sampled at their own periods: fast, health, memory, identity.

)";

struct Family {
  const Row* first = nullptr;
  std::string_view group;
  std::map<std::string, std::set<std::string>> labels;  // name: values; empty set: open
  std::set<ChipTraits> needs;
  std::set<std::string> sources;
};

std::string TypeOf(const Row& row) {
  if (row.kind == Kind::kInfo) return "info";
  return row.is_counter() ? "counter" : "gauge";
}

std::string ChipsOf(const std::set<ChipTraits>& needs) {
  static constexpr std::pair<ChipTraits, std::string_view> kWords[] = {
      {kHasHbm, "with HBM"},
      {kNoHbm, "without HBM"},
      {kHasDdr, "with DDR"},
      {kChipPower, "with a power sensor on the chip"},
      {kCardPower, "with a power sensor on the card (310P)"},
      {kOverallLoad, "910B, 910C, 950"}};
  std::string text;
  for (ChipTraits need : needs) {
    for (const auto& [trait, word] : kWords) {
      if ((need & trait) == 0) continue;
      text += text.empty() ? "" : "; ";
      text += word;
    }
  }
  return text.empty() ? "all" : text;
}

std::string LabelsOf(const Family& family) {
  std::string text;
  for (const auto& [name, values] : family.labels) {
    text += text.empty() ? "" : ", ";
    text += fmt::format("`{}`", name);
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? ": " : ", ") + value;
    text += list;
  }
  return text;
}

void AddLabels(const Row& row, Family& family) {
  if (row.scope == Scope::kDevice) family.labels["device"];
  if (row.scope == Scope::kCard) family.labels["card"];
  if (row.kind == Kind::kInfo) {
    const bool chip = row.scope == Scope::kDevice;
    for (std::string_view name : chip ? InfoLabelNames() : DriverLabelNames()) {
      family.labels[std::string(name)];
    }
  }
  for (const Label& label : row.spec.labels) {
    if (!label.name.empty()) {
      family.labels[std::string(label.name)].insert(std::string(label.value));
    }
  }
  for (std::string_view state : row.states) {
    family.labels[std::string(row.state_label)].insert(std::string(state));
  }
  if (row.open_labels == nullptr) return;
  std::string_view text;  // a="x",b="y"
  const std::string sample = row.open_labels(0);
  for (text = sample; !text.empty();) {
    const std::size_t equals = text.find('=');
    family.labels[std::string(text.substr(0, equals))];
    const std::size_t comma = text.find(',');
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
}

using Families = std::map<std::string_view, Family>;

void Add(std::span<const CatalogRow> rows, std::string_view group, Families& families) {
  for (const CatalogRow& entry : rows) {
    Family& family = families[entry.row->spec.name];
    if (family.first == nullptr) {
      family.first = entry.row;
      family.group = group;
    }
    AddLabels(*entry.row, family);
    family.needs.insert(entry.row->spec.needs);
    family.sources.insert(std::string(entry.row->spec.source));
  }
}

std::string Join(const std::set<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : "; ") + text;
  return joined;
}

}  // namespace

std::string MetricsDocument() {
  const Catalog catalog;
  Families families;
  for (std::size_t i = 0; i < catalog.collectors().size(); ++i) {
    const auto group = static_cast<std::size_t>(catalog.collectors()[i]->group);
    Add(catalog.RowsOfCollector(i), kGroupNames[group], families);
  }
  Add(catalog.rows().last(DeviceRows().size()), "", families);
  Add(catalog.node_rows(), "", families);

  std::string out(kIntroduction);
  out +=
      "## Devices and the node\n\n| metric | type | labels | chips | group | meaning | source |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const auto& [name, family] : families) {
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", name, TypeOf(*family.first),
                       LabelsOf(family), ChipsOf(family.needs), family.group,
                       family.first->spec.help, Join(family.sources));
  }
  out += "\n## The exporter itself\n\n| metric | type | labels | meaning |\n|---|---|---|---|\n";
  for (const OwnFamily& family : OwnFamilies()) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", family.name, family.type, family.labels,
                       family.help);
  }
  return out;
}

}  // namespace ascend

#include "exporter/page/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "exporter/page/text.h"

namespace ascend {
namespace {

using LabelPair = std::pair<std::string_view, std::string>;

// In place of a name: the text is labels that are printed already.
constexpr std::string_view kPrinted = "";

std::string TextOf(const auto& number) { return fmt::format("{}", number); }

// The labels of ascend_npu_info: all that names the chip, to be joined on (instance, device).
std::vector<LabelPair> InfoLabels(const PageDevice& device) {
  const DeviceIdentity id = device.identity.value_or(DeviceIdentity{});
  const auto& found = device.found;
  return {{"npu_id", TextOf(found.address.card)},
          {"chip_id", TextOf(found.address.chip)},
          {"logic_id", found.logic_id ? TextOf(*found.logic_id) : ""},
          {"card", TextOf(found.address.card)},
          {"pci_address", id.pci_address.str()},
          {"die_id", id.die_id.str()},
          {"serial", id.serial.str()},
          {"model", id.model.str()},
          {"chip_name", id.chip_name.str()},
          {"product", id.product.str()},
          {"board_id", id.board_id.str()},
          {"firmware_version", id.firmware_version.str()}};
}

std::vector<LabelPair> DriverLabels(const DriverInfo& driver) {
  return {{"backend", driver.backend},
          {"library_version", driver.library_version},
          {"driver_version", driver.driver_version},
          {"device_id_source", driver.device_id_source}};
}

std::vector<std::string_view> Names(const std::vector<LabelPair>& labels) {
  std::vector<std::string_view> names;
  for (const LabelPair& label : labels) names.push_back(label.first);
  return names;
}

class Builder {
 public:
  Builder(const Catalog& catalog, const DriverInfo& driver, std::span<const PageDevice> devices)
      : catalog_(catalog), driver_(driver), devices_(devices) {}

  std::shared_ptr<const Layout> Build() {
    layout_->devices.assign(devices_.begin(), devices_.end());
    layout_->value_count = NodeValue(catalog_, devices_.size(), catalog_.node_slots());
    for (const PageDevice& device : devices_) {
      layout_->first_open.push_back(layout_->value_count);
      layout_->value_count += device.open.size();
    }
    for (const CatalogRow& row : catalog_.rows()) {
      if (row.shown) by_name_[row.row->spec.name].push_back(&row);
    }
    for (const CatalogRow& row : catalog_.node_rows()) by_name_[row.row->spec.name].push_back(&row);
    for (const auto& [name, rows] : by_name_) AddFamily(name, rows);
    return std::move(layout_);
  }

 private:
  void AddFamily(std::string_view name, const std::vector<const CatalogRow*>& rows) {
    const Row& first = *rows.front()->row;
    Layout::Family& family = layout_->families.emplace_back();
    family.name = name;
    AppendFamilyHead(family.head, name, first.spec.help, first.is_counter() ? "counter" : "gauge");
    family.first_line = static_cast<std::uint32_t>(layout_->lines.size());
    values_.clear();
    if (first.scope == Scope::kNode) {
      for (const CatalogRow* row : rows) AddNodeRow(*row);
    } else {
      for (std::size_t device = 0; device < devices_.size(); ++device) {
        for (const CatalogRow* row : rows) AddDeviceRow(*row, device);
      }
    }
    family.end_line = static_cast<std::uint32_t>(layout_->lines.size());
  }

  void AddNodeRow(const CatalogRow& row) {
    labels_.clear();
    if (row.row == &NodeRows()[kDriverInfoRow]) labels_ = DriverLabels(driver_);
    AddSlots(row, NodeValue(catalog_, devices_.size(), row.first_slot));
  }

  void AddDeviceRow(const CatalogRow& row, std::size_t index) {
    if (row.row->is_open()) return AddOpenRow(row, index);
    const PageDevice& device = devices_[index];
    const ChipTraits traits = device.identity ? device.identity->traits : kAnyChip;
    if ((row.row->spec.needs & ~traits) != 0) return;
    labels_.clear();
    if (row.row->scope == Scope::kCard) {
      labels_.emplace_back("card", TextOf(device.found.address.card));
    } else {
      labels_.emplace_back("device", TextOf(device.found.device));
    }
    if (row.row == &DeviceRows()[kInfoRow]) {
      for (LabelPair& label : InfoLabels(device)) labels_.push_back(std::move(label));
    }
    AddSlots(row, DeviceValue(catalog_, index, row.first_slot));
  }

  // Adds the members that were seen at the device.
  void AddOpenRow(const CatalogRow& row, std::size_t index) {
    const PageDevice& device = devices_[index];
    const auto number = static_cast<std::uint32_t>(&row - catalog_.rows().data());
    auto series = std::ranges::lower_bound(device.open, number, {}, &OpenSeries::row);
    for (; series != device.open.end() && series->row == number; ++series) {
      labels_.clear();
      labels_.emplace_back("device", TextOf(device.found.device));
      AddFixedLabels(*row.row);
      if (row.row->key_labels != nullptr) {
        labels_.emplace_back(kPrinted, row.row->key_labels(series->key));
      }
      AddTextLabels(*row.row, series->text);
      const auto place = static_cast<std::size_t>(series - device.open.begin());
      AddLine(*row.row, layout_->first_open[index] + place);
    }
  }

  void AddFixedLabels(const Row& row) {
    for (const Label& label : row.spec.labels) {
      if (!label.name.empty()) labels_.emplace_back(label.name, std::string(label.value));
    }
  }

  void AddTextLabels(const Row& row, std::string_view text) {
    for (std::string_view name : row.text_labels) {
      const std::size_t end = std::min(text.find('\0'), text.size());
      labels_.emplace_back(name, std::string(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  // Adds the lines of one row to the labels in labels_.
  void AddSlots(const CatalogRow& row, std::size_t value) {
    AddFixedLabels(*row.row);
    if (row.row->kind != Kind::kState) return AddLine(*row.row, value);
    for (std::size_t i = 0; i < row.row->states.size(); ++i) {
      labels_.emplace_back(row.row->state_label, std::string(row.row->states[i]));
      AddLine(*row.row, value + i);
      labels_.pop_back();
    }
  }

  void AddLine(const Row& row, std::size_t value) {
    std::string& out = layout_->heads;
    const std::size_t begin = out.size();
    out += row.spec.name;
    char before = '{';
    for (const auto& [name, text] : labels_) {
      if (name == kPrinted && text.empty()) continue;
      out += before;
      before = ',';
      if (name == kPrinted) {
        out += text;
        continue;
      }
      out.append(name).append("=\"");
      AppendLabelValue(out, text);
      out += '"';
    }
    out += labels_.empty() ? " " : "} ";
    // Two collectors may tell of the same thing, and a series twice would make the page invalid.
    // (Of a card's chips only one has a value, see CardValues.)
    const auto index = static_cast<std::uint32_t>(value);
    const auto [first, is_new] = values_.try_emplace(out.substr(begin), index);
    if (!is_new && row.scope != Scope::kCard) {
      layout_->twins.emplace_back(first->second, index);
      return out.resize(begin);
    }
    layout_->lines.push_back(
        {static_cast<std::uint32_t>(out.size()), static_cast<std::uint32_t>(value)});
  }

  const Catalog& catalog_;
  const DriverInfo& driver_;
  std::span<const PageDevice> devices_;
  std::map<std::string_view, std::vector<const CatalogRow*>> by_name_;
  std::vector<LabelPair> labels_;
  std::unordered_map<std::string, std::uint32_t> values_;  // of the family's series so far
  std::shared_ptr<Layout> layout_ = std::make_shared<Layout>();
};

}  // namespace

std::vector<std::string_view> InfoLabelNames() { return Names(InfoLabels({})); }
std::vector<std::string_view> DriverLabelNames() { return Names(DriverLabels({})); }

std::shared_ptr<const Layout> MakeLayout(const Catalog& catalog, const DriverInfo& driver,
                                         std::span<const PageDevice> devices) {
  return Builder(catalog, driver, devices).Build();
}

}  // namespace ascend

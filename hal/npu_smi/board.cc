#include "hal/npu_smi/board.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "hal/npu_smi/fields.h"

namespace ascend::npu_smi {
namespace {

constexpr TextField<BoardValues> kTexts[] = {
    {"Product Name", &BoardValues::product},
    {"Model", &BoardValues::model},
    {"Manufacturer", &BoardValues::manufacturer},
    {"Serial Number", &BoardValues::serial},
    {"Software Version", &BoardValues::software_version},
    {"Firmware Version", &BoardValues::firmware_version},
    {"Board ID", &BoardValues::board_id},
    {"Main Board ID", &BoardValues::main_board_id},
    {"PCB ID", &BoardValues::pcb_id},
    {"BOM ID", &BoardValues::bom_id},
    {"PCIe Bus Info", &BoardValues::bus_id},
    {"Slot ID", &BoardValues::slot_id},
    {"Class ID", &BoardValues::class_id},
    {"PCI Vendor ID", &BoardValues::pci_vendor},
    {"PCI Device ID", &BoardValues::pci_device},
    {"Subsystem Vendor ID", &BoardValues::subsystem_vendor},
    {"Subsystem Device ID", &BoardValues::subsystem_device},
    {"Chip Type", &BoardValues::chip_type},
    {"Chip Name", &BoardValues::chip_name},
    {"NPU Name", &BoardValues::npu_name},
    {"Chip Version", &BoardValues::chip_version},
    {"VDie ID", &BoardValues::die_id},
    {"DDie ID", &BoardValues::die_id},
    {"Chip Position ID", &BoardValues::chip_position},
};
constexpr NumberField<BoardValues> kNumbers[] = {
    {"Chip Fault", &BoardValues::faulty_chips},
    {"Faulty Chip Count", &BoardValues::faulty_chips},
};
constexpr std::array<std::string_view, 3> kOtherKeys = {"Compatibility", "NDie ID", "Product Type"};

constexpr std::array<std::pair<std::string_view, Compatibility>, 4> kCompatibilities = {{
    {"OK", Compatibility::kFits},
    {"NOK", Compatibility::kDoesNotFit},
    {"UNKNOWN", Compatibility::kNotTold},
    {"NOT SUPPORT", Compatibility::kNotTold},
}};

// Empty unless there are five words of eight hex digits, not all of them zero.
std::string DieId(std::string_view text) {
  constexpr std::size_t kWords = 5;
  constexpr std::size_t kDigits = 8;
  const Words words = SplitWords(text);
  bool all_zero = true;
  for (std::size_t i = 0; i < words.count; ++i) {
    if (words[i].size() != kDigits) return {};
    if (words[i].find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) return {};
    all_zero = all_zero && words[i].find_first_not_of('0') == std::string_view::npos;
  }
  if (words.count != kWords || all_zero) return {};
  std::string id =
      fmt::format("{}", fmt::join(words.list.begin(), words.list.begin() + kWords, "-"));
  for (char& c : id) {
    if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
  }
  return id;
}

std::string BusId(std::string id) {
  for (char& c : id) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  const bool plain = id.find_first_not_of("0123456789abcdef:.") == std::string::npos;
  return plain ? id : std::string();
}

}  // namespace

BoardValues BoardOf(const Block& block) {
  BoardValues values;
  FillTexts<BoardValues>(block, kTexts, values);
  FillNumbers<BoardValues>(block, kNumbers, values);
  values.die_id = DieId(values.die_id);
  values.bus_id = BusId(std::move(values.bus_id));
  for (const auto& [word, meaning] : kCompatibilities) {
    if (block.Find("Compatibility") == word) values.compatibility = meaning;
  }
  return values;
}

std::string ProductOf(const Block& block) {
  return std::string(block.Find("Product Type").value_or(""));
}

bool IsBoardKey(std::string_view key) {
  const auto is_key = [&](const auto& field) { return field.key == key; };
  return std::ranges::any_of(kTexts, is_key) || std::ranges::any_of(kNumbers, is_key) ||
         std::ranges::find(kOtherKeys, key) != kOtherKeys.end();
}

}  // namespace ascend::npu_smi

#include "hal/sim/parse_chip.h"

#include <algorithm>
#include <cctype>

#include "fmt/format.h"
#include "hal/chip_family.h"
#include "hal/pcie_sysfs.h"
#include "hal/sim/yaml_quantities.h"

namespace ascend::sim {
namespace {

constexpr Bounds kBoardId{0, 4'294'967'295.0};

std::string ReadPciAddress(YamlFields& fields) {
  std::string address = fields.Text("pci_address", 31).value_or("");
  std::ranges::transform(address, address.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!address.empty() && !IsPciAddress(address)) {
    fields.Refuse("pci_address",
                  fmt::format("\"{}\" is no PCI address, want one as 0000:c1:00.0", address));
  }
  return address;
}

DeviceIdentity ParseIdentity(YamlFields& fields) {
  DeviceIdentity identity;
  const auto board_id = fields.Integer("board_id", kBoardId);
  const std::string name = fields.Text("chip_name", 31).value_or("");
  const auto board = board_id ? std::optional(static_cast<std::uint32_t>(*board_id)) : std::nullopt;
  identity.family = FamilyOf(name, board);
  identity.traits = TraitsOf(identity.family);
  identity.chip_name = name;
  if (board) identity.board_id = fmt::format("0x{:02x}", *board);
  identity.pci_address = ReadPciAddress(fields);
  identity.die_id = fields.Text("die_id", 63).value_or("");
  identity.serial = fields.Text("serial", 63).value_or("");
  identity.model = fields.Text("model", 63).value_or("");
  identity.product = fields.Text("product", 63).value_or("");
  identity.firmware_version = fields.Text("firmware_version", 63).value_or("");
  return identity;
}

}  // namespace

Chip ParseChip(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "chips", problems);
  const auto id = [&fields](std::string_view key) {
    const auto number = fields.Integer(key, kId);
    return number ? std::optional(static_cast<std::int32_t>(*number)) : std::nullopt;
  };
  Chip chip;
  chip.found.device = fields.Required("device", id("device"));
  chip.found.logic_id = id("logic_id");
  chip.found.address.card = fields.Required("npu_id", id("npu_id"));
  chip.found.address.chip = id("chip_id").value_or(0);
  chip.identity = ParseIdentity(fields);
  ParseState(fields, chip);
  ParseHeat(fields, chip);
  ParseLinks(fields, chip);
  ParseNetwork(fields, chip);
  fields.RefuseOthers();
  return chip;
}

}  // namespace ascend::sim

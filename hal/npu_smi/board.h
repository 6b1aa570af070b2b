// What `npu-smi info -t board` and `-t product` say of a card and of a chip. Texts are as printed
// and empty where they are printed as NA or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hal/npu_smi/key_values.h"

namespace ascend::npu_smi {

enum class Compatibility : std::uint8_t { kFits, kDoesNotFit, kNotTold };

// One struct for the form of the card, that of the chip (-c) and that of 950, which is both.
struct BoardValues {
  std::string product, model, manufacturer, serial;
  std::string software_version, firmware_version;
  std::optional<Compatibility> compatibility;  // absent: not printed or in words unknown to us
  std::string board_id, main_board_id, pcb_id, bom_id;
  std::string bus_id;  // lower case; empty where digits are masked
  std::string slot_id, class_id;
  std::string pci_vendor, pci_device, subsystem_vendor, subsystem_device;
  std::string chip_type, chip_name, npu_name, chip_version;
  std::string die_id;  // VDie, on 950 DDie: five words of eight hex digits, joined by "-"
  std::string chip_position;
  std::optional<double> faulty_chips;  // "Chip Fault" or "Faulty Chip Count"
};

BoardValues BoardOf(const Block& block);

// "Product Type" of -t product.
std::string ProductOf(const Block& block);

bool IsBoardKey(std::string_view key);

}  // namespace ascend::npu_smi

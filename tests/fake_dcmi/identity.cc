// Who the chips are. Keys of a chip: chip_name, aicore_cnt, board_id, mainboard_id, slot_id, die
// (five words), serial, model, product, product_type, pcie (domain, bus, device, function),
// firmware.
#include <utility>

#include "call.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;
using fake_dcmi::Chip;
using fake_dcmi::Dev;
using fake_dcmi::Machine;
using fake_dcmi::RoomFor;

constexpr unsigned int kMinDcmiVersionLength = 16;
constexpr unsigned int kMinVersionLength = 64;
constexpr int kMinProductTypeLength = 32;
constexpr int kVdie = 1;
constexpr int kDdie = 2;
constexpr int kInvalidDie = 3;
// The components of a firmware package that these chips have: HBOOT1_A and UEFI.
constexpr int kHboot1A = 11;
constexpr int kUefi = 3;
constexpr int kVendor = 0x19e5;

int AnswerVersion(Call call, char* out, unsigned int length, unsigned int least, const char* field,
                  std::string Machine::*text) {
  if (const auto code = call.Verdict(RoomFor(length, out))) return *code;
  if (out == nullptr || length < least) return fake_dcmi::kInvalidParameter;
  const std::string& version = call.machine().*text;
  if (version.empty()) return fake_dcmi::kNotSupported;
  call.SetText(std::span<char>(out, length), field, version);
  return fake_dcmi::kOk;
}

int AnswerLibraryVersion(Call call, char* out, unsigned int length) {
  return AnswerVersion(std::move(call), out, length, kMinDcmiVersionLength, "dcmi_ver",
                       &Machine::library_version);
}

int AnswerDriverVersion(Call call, char* out, unsigned int length) {
  return AnswerVersion(std::move(call), out, length, kMinVersionLength, "driver_ver",
                       &Machine::driver_version);
}

int AnswerChipInfo(Call call, fake_dcmi::ChipInfoV2* chip_info) {
  if (const auto code = call.ChipVerdict(chip_info)) return *code;
  const std::string name = call.chip()->Text("chip_name");
  if (name.empty()) return fake_dcmi::kNotSupported;
  *chip_info = {};
  call.SetText(chip_info->chip_type, "chip_type", "Ascend");
  call.SetText(chip_info->chip_name, "chip_name", name);
  call.SetText(chip_info->chip_ver, "chip_ver", "V1");
  call.SetText(chip_info->npu_name, "npu_name", name);
  call.Set(chip_info->aicore_cnt, "aicore_cnt", call.chip()->Number("aicore_cnt").value_or(0));
  return fake_dcmi::kOk;
}

int AnswerBoardInfo(Call call, fake_dcmi::BoardInfo* board_info) {
  if (const auto code = call.ChipVerdict(board_info)) return *code;
  const auto board = call.chip()->Number("board_id");
  if (!board) return fake_dcmi::kNotSupported;
  *board_info = {};
  call.Set(board_info->board_id, "board_id", *board);
  call.Set(board_info->slot_id, "slot_id", call.chip()->Number("slot_id").value_or(0));
  return fake_dcmi::kOk;
}

// The 950 knows only DDIE, the others VDIE and DDIE.
int AnswerDie(Call call, int input_type, fake_dcmi::DieId* die_id) {
  if (const auto code = call.ChipVerdict(die_id)) return *code;
  if (input_type < 0 || input_type >= kInvalidDie) return fake_dcmi::kInvalidParameter;
  const auto* words = call.chip()->Find("die");
  const bool has_type =
      input_type == kDdie || (input_type == kVdie && call.machine().generation == 1);
  if (words == nullptr || words->size() != 5 || !has_type) return fake_dcmi::kNotSupported;
  for (std::size_t i = 0; i < words->size(); ++i) {
    call.Set(die_id->soc_die[i], "soc_die", fake_dcmi::ParseNumber((*words)[i]).value_or(0));
  }
  return fake_dcmi::kOk;
}

int AnswerElabel(const Call& call, const Chip& chip, fake_dcmi::ElabelInfo* elabel_info) {
  if (chip.Find("serial") == nullptr) return fake_dcmi::kNotSupported;
  call.SetText(elabel_info->product_name, "product_name", chip.Text("product"));
  call.SetText(elabel_info->model, "model", chip.Text("model"));
  call.SetText(elabel_info->manufacturer, "manufacturer", "Huawei");
  call.SetText(elabel_info->manufacturer_date, "manufacturer_date", "2024-01-01");
  call.SetText(elabel_info->serial_number, "serial_number", chip.Text("serial"));
  return fake_dcmi::kOk;
}

template <class Info>
int AnswerPcie(Call call, Info* pcie_info) {
  if (const auto code = call.ChipVerdict(pcie_info)) return *code;
  const auto address = call.chip()->Numbers("pcie", 4);
  if (!address) return fake_dcmi::kNotSupported;
  *pcie_info = {};
  call.Set(pcie_info->venderid, "venderid", kVendor);
  if constexpr (requires { pcie_info->domain; }) {
    call.Set(pcie_info->domain, "domain", (*address)[0]);
  }
  call.Set(pcie_info->bdf_busid, "bdf_busid", (*address)[1]);
  call.Set(pcie_info->bdf_deviceid, "bdf_deviceid", (*address)[2]);
  call.Set(pcie_info->bdf_funcid, "bdf_funcid", (*address)[3]);
  return fake_dcmi::kOk;
}

int AnswerComponentVersion(Call call, int component_type, unsigned char* version_str,
                           unsigned int len) {
  if (const auto code = call.ChipVerdict(RoomFor(len, version_str))) return *code;
  if (len < kMinVersionLength) return fake_dcmi::kInvalidParameter;
  const std::string version = call.chip()->Text("firmware");
  const bool has_component = component_type == kHboot1A || component_type == kUefi;
  if (version.empty() || !has_component) return fake_dcmi::kNotSupported;
  call.SetText(std::span<unsigned char>(version_str, len), "version_str", version);
  return fake_dcmi::kOk;
}

}  // namespace

int dcmi_get_dcmi_version(char* dcmi_ver, unsigned int len) {
  return AnswerLibraryVersion(Call(__func__), dcmi_ver, len);
}

int dcmiv2_get_dcmi_version(char* dcmi_ver, unsigned int len) {
  return AnswerLibraryVersion(Call(__func__), dcmi_ver, len);
}

int dcmi_get_driver_version(char* driver_ver, unsigned int len) {
  return AnswerDriverVersion(Call(__func__), driver_ver, len);
}

int dcmiv2_get_driver_version(char* driver_ver, unsigned int len) {
  return AnswerDriverVersion(Call(__func__), driver_ver, len);
}

int dcmi_get_device_type(int card_id, int device_id, int* device_type) {
  Call call(__func__, card_id, device_id);
  if (const auto code = call.Verdict(device_type)) return *code;
  if (device_type == nullptr) return fake_dcmi::kInvalidParameter;
  int type = fake_dcmi::kUnitInvalid;
  if (call.started()) {
    const auto& mcus = call.machine().mcu_ids;
    const auto mcu = mcus.find(card_id);
    if (call.chip() != nullptr) {
      type = fake_dcmi::kUnitNpu;
    } else if (mcu != mcus.end() && mcu->second == device_id) {
      type = fake_dcmi::kUnitMcu;
    } else {
      return fake_dcmi::kInvalidParameter;
    }
  }
  call.Set(*device_type, "device_type", type);
  return fake_dcmi::kOk;
}

int dcmi_get_device_phyid_from_logicid(unsigned int logicid, unsigned int* phyid) {
  Call call(__func__, fake_dcmi::LogicId{logicid});
  if (const auto code = call.ChipVerdict(phyid)) return *code;
  call.Set(*phyid, "phyid", call.chip()->physical_id);
  return fake_dcmi::kOk;
}

int dcmi_get_device_chip_info_v2(int card_id, int device_id, fake_dcmi::ChipInfoV2* chip_info) {
  return AnswerChipInfo(Call(__func__, card_id, device_id), chip_info);
}

int dcmiv2_get_device_chip_info(int dev_id, fake_dcmi::ChipInfoV2* chip_info) {
  return AnswerChipInfo(Call(__func__, Dev(dev_id)), chip_info);
}

int dcmi_get_device_board_info(int card_id, int device_id, fake_dcmi::BoardInfo* board_info) {
  return AnswerBoardInfo(Call(__func__, card_id, device_id), board_info);
}

int dcmiv2_get_device_board_info(int dev_id, fake_dcmi::BoardInfo* board_info) {
  return AnswerBoardInfo(Call(__func__, Dev(dev_id)), board_info);
}

int dcmi_get_device_die_v2(int card_id, int device_id, int input_type, fake_dcmi::DieId* die_id) {
  return AnswerDie(Call(__func__, card_id, device_id, input_type), input_type, die_id);
}

int dcmiv2_get_device_die_id(int dev_id, int input_type, fake_dcmi::DieId* die_id) {
  return AnswerDie(Call(__func__, Dev(dev_id), input_type), input_type, die_id);
}

int dcmi_get_card_elabel_v2(int card_id, fake_dcmi::ElabelInfo* elabel_info) {
  Call call(__func__, card_id);
  if (const auto code = call.Verdict(elabel_info)) return *code;
  const Chip* chip = call.started() ? call.machine().FirstOf(card_id) : nullptr;
  if (elabel_info == nullptr || chip == nullptr) return fake_dcmi::kInvalidParameter;
  return AnswerElabel(call, *chip, elabel_info);
}

int dcmiv2_get_device_elabel_info(int dev_id, fake_dcmi::ElabelInfo* elabel_info) {
  Call call(__func__, Dev(dev_id));
  if (const auto code = call.ChipVerdict(elabel_info)) return *code;
  return AnswerElabel(call, *call.chip(), elabel_info);
}

int dcmi_get_device_pcie_info(int card_id, int device_id, fake_dcmi::PcieInfo* pcie_info) {
  return AnswerPcie(Call(__func__, card_id, device_id), pcie_info);
}

int dcmi_get_device_pcie_info_v2(int card_id, int device_id, fake_dcmi::PcieInfoAll* pcie_info) {
  return AnswerPcie(Call(__func__, card_id, device_id), pcie_info);
}

int dcmiv2_get_device_pcie_info(int dev_id, fake_dcmi::PcieInfoAll* pcie_info) {
  return AnswerPcie(Call(__func__, Dev(dev_id)), pcie_info);
}

int dcmi_get_product_type(int card_id, int device_id, char* product_type_str, int buf_size) {
  Call call(__func__, card_id, device_id);
  if (const auto code = call.ChipVerdict(RoomFor(buf_size, product_type_str))) return *code;
  if (buf_size < kMinProductTypeLength) return fake_dcmi::kInvalidParameter;
  const std::string type = call.chip()->Text("product_type");
  if (type.empty()) return fake_dcmi::kNotSupported;
  call.SetText(std::span(product_type_str, static_cast<std::size_t>(buf_size)), "product_type_str",
               type);
  return fake_dcmi::kOk;
}

int dcmi_get_mainboard_id(int card_id, int device_id, unsigned int* mainboard_id) {
  return Call(__func__, card_id, device_id)
      .AnswerNumber("mainboard_id", mainboard_id, "mainboard_id");
}

int dcmiv2_get_mainboard_id(int dev_id, unsigned int* mainboard_id) {
  return Call(__func__, Dev(dev_id)).AnswerNumber("mainboard_id", mainboard_id, "mainboard_id");
}

int dcmi_get_device_component_static_version(int card_id, int device_id, int component_type,
                                             unsigned char* version_str, unsigned int len) {
  return AnswerComponentVersion(Call(__func__, card_id, device_id, component_type), component_type,
                                version_str, len);
}

int dcmiv2_get_device_component_static_version(int dev_id, int component_type,
                                               unsigned char* version_str, unsigned int len) {
  return AnswerComponentVersion(Call(__func__, Dev(dev_id), component_type), component_type,
                                version_str, len);
}

// What every version of the library has, together with card_list.cc.
#include "call.h"
#include "session.h"
#include "vendor_abi.h"

using fake_dcmi::Call;

int dcmi_init() {
  fake_dcmi::ForgetSession();
  Call call("dcmi_init");
  if (const auto code = call.Verdict()) return *code;
  return fake_dcmi::StartSession();
}

int dcmi_get_device_num_in_card(int card_id, int* device_num) {
  Call call("dcmi_get_device_num_in_card", card_id);
  if (const auto code = call.Verdict(device_num)) return *code;
  if (device_num == nullptr) return fake_dcmi::kInvalidParameter;
  if (call.started() && !call.machine().HasCard(card_id)) return fake_dcmi::kInvalidParameter;
  call.Set(*device_num, "device_num", call.started() ? call.machine().ChipsOf(card_id) : 0);
  return fake_dcmi::kOk;
}

int dcmi_get_device_logic_id(int* device_logic_id, int card_id, int device_id) {
  Call call("dcmi_get_device_logic_id", card_id, device_id);
  if (const auto code = call.ChipVerdict(device_logic_id)) return *code;
  call.Set(*device_logic_id, "device_logic_id", call.chip()->logic_id);
  return fake_dcmi::kOk;
}

int dcmi_get_device_chip_info(int card_id, int device_id, fake_dcmi::ChipInfo* chip_info) {
  Call call("dcmi_get_device_chip_info", card_id, device_id);
  if (const auto code = call.ChipVerdict(chip_info)) return *code;
  const auto* name = call.chip()->Find("chip_name");
  if (name == nullptr) return fake_dcmi::kNotSupported;
  *chip_info = {};
  call.SetText(chip_info->chip_type, "chip_type", "Ascend");
  call.SetText(chip_info->chip_name, "chip_name", name->front());
  call.SetText(chip_info->chip_ver, "chip_ver", "V1");
  call.Set(chip_info->aicore_cnt, "aicore_cnt", call.chip()->Number("aicore_cnt").value_or(0));
  return fake_dcmi::kOk;
}

int dcmi_get_device_health(int card_id, int device_id, unsigned int* health) {
  return Call("dcmi_get_device_health", card_id, device_id)
      .AnswerNumber("health", health, "health");
}

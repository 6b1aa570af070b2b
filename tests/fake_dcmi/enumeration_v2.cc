// How the second generation lists its chips.
#include "call.h"
#include "session.h"
#include "vendor_abi.h"

using fake_dcmi::Call;
using fake_dcmi::Dev;

int dcmiv2_init() {
  fake_dcmi::ForgetSession();
  Call call(__func__);
  if (const auto code = call.Verdict()) return *code;
  return fake_dcmi::StartSession();
}

int dcmiv2_get_device_list(int* device_list, int* device_cnt, int list_len) {
  Call call(__func__);
  if (const auto code = call.Verdict(fake_dcmi::RoomFor(list_len, device_list), device_cnt)) {
    return *code;
  }
  if (!call.started()) return fake_dcmi::kInnerError;
  const auto& chips = call.machine().chips;
  if (device_list == nullptr || device_cnt == nullptr ||
      list_len < static_cast<int>(chips.size())) {
    return fake_dcmi::kInvalidParameter;
  }
  for (std::size_t i = 0; i < chips.size(); ++i) device_list[i] = chips[i].logic_id;
  call.Set(*device_cnt, "device_cnt", static_cast<int>(chips.size()));
  return fake_dcmi::kOk;
}

int dcmiv2_get_all_device_count(int* all_device_count) {
  Call call(__func__);
  if (const auto code = call.Verdict(all_device_count)) return *code;
  if (!call.started()) return fake_dcmi::kInnerError;
  if (all_device_count == nullptr) return fake_dcmi::kInvalidParameter;
  call.Set(*all_device_count, "all_device_count", static_cast<int>(call.machine().chips.size()));
  return fake_dcmi::kOk;
}

int dcmiv2_get_device_type(int dev_id, int* device_type) {
  Call call(__func__, Dev(dev_id));
  if (const auto code = call.ChipVerdict(device_type)) return *code;
  call.Set(*device_type, "device_type", fake_dcmi::kUnitNpu);
  return fake_dcmi::kOk;
}

int dcmiv2_get_chip_phy_id_by_dev_id(int dev_id, unsigned int* phyid) {
  Call call(__func__, Dev(dev_id));
  if (const auto code = call.ChipVerdict(phyid)) return *code;
  call.Set(*phyid, "phyid", call.chip()->physical_id);
  return fake_dcmi::kOk;
}

int dcmiv2_get_slot_id_and_chip_id_by_dev_id(int dev_id, unsigned int* slot_id,
                                             unsigned int* chip_id) {
  Call call(__func__, Dev(dev_id));
  if (const auto code = call.ChipVerdict(slot_id, chip_id)) return *code;
  if (chip_id == nullptr) return fake_dcmi::kInvalidParameter;
  call.Set(*slot_id, "slot_id", call.chip()->card);
  call.Set(*chip_id, "chip_id", call.chip()->device_id);
  return fake_dcmi::kOk;
}

int dcmiv2_get_device_health(int dev_id, unsigned int* health) {
  return Call(__func__, Dev(dev_id)).AnswerNumber("health", health, "health");
}

// On its own, so that a library without this one symbol can be built.
#include <algorithm>

#include "call.h"
#include "vendor_abi.h"

int dcmi_get_card_list(int* card_num, int* card_list, int list_len) {
  fake_dcmi::Call call("dcmi_get_card_list");
  if (const auto code = call.Verdict(card_num, fake_dcmi::RoomFor(list_len, card_list)))
    return *code;
  if (!call.started()) return fake_dcmi::kInnerError;
  const auto& cards = call.machine().cards;
  if (card_num == nullptr || card_list == nullptr || list_len < static_cast<int>(cards.size())) {
    return fake_dcmi::kInvalidParameter;
  }
  std::ranges::copy(cards, card_list);
  call.Set(*card_num, "card_num", static_cast<int>(cards.size()));
  return fake_dcmi::kOk;
}

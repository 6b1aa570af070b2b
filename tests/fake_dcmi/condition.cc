// How the chips are. Keys of a chip: health (0 ok to 3 critical, 4 unknown); faults CODE...;
// fault.CODE SEVERITY TEXT (CODE of eight upper-case hex digits, SEVERITY 0 warning to 3 critical)
// for each code that the library can explain; compatibility (1 fits, 2 does not, 3 unknown);
// network_health (0 ok, 1 socket failed, 2 no answer, 3 unreachable, 4 time exceeded, 5 fault,
// 6 not begun: no address to check, 7 thread failed, 8 address is being set); fault_events 0 where
// the chip knows no fault events.
#include <algorithm>

#include "call.h"
#include "fault_event.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;
using fake_dcmi::Dev;
using fake_dcmi::RoomFor;

constexpr int kMinFaultTextLength = 48;

int AnswerFaults(Call call, int* error_count, unsigned int* error_code_list,
                 unsigned int list_len) {
  if (const auto code = call.ChipVerdict(error_count, RoomFor(list_len, error_code_list))) {
    return *code;
  }
  const auto codes = fake_dcmi::FaultsOf(*call.chip());
  if (error_code_list == nullptr || list_len < codes.size()) return fake_dcmi::kInvalidParameter;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    call.Set(error_code_list[i], "error_code_list", codes[i]);
  }
  call.Set(*error_count, "error_count", static_cast<std::int64_t>(codes.size()));
  return fake_dcmi::kOk;
}

// Longer text is cut to the buffer, with its end.
int AnswerFaultText(Call call, unsigned int error_code, unsigned char* error_info, int buf_size) {
  if (const auto code = call.ChipVerdict(RoomFor(buf_size, error_info))) return *code;
  if (buf_size < kMinFaultTextLength) return fake_dcmi::kInvalidParameter;
  const auto known = fake_dcmi::FaultTextOf(*call.chip(), error_code);
  if (!known) return fake_dcmi::kNotSupported;
  const auto size = static_cast<std::size_t>(buf_size);
  call.SetText(std::span(error_info, size), "error_info", known->text.substr(0, size - 1));
  return fake_dcmi::kOk;
}

// Only chips that can explain a code have this call.
int AnswerFaultEvents(Call call, fake_dcmi::Event* event_buf, int length, int* output_event_cnt) {
  if (const auto code = call.ChipVerdict(RoomFor(length, event_buf), output_event_cnt)) {
    return *code;
  }
  const auto& values = call.chip()->values;
  const bool explains = std::ranges::any_of(
      values, [](const auto& item) { return item.first.starts_with("fault."); });
  if (!explains || call.chip()->Number("fault_events") == 0) return fake_dcmi::kNotSupported;
  const auto codes = fake_dcmi::FaultsOf(*call.chip());
  const int count = static_cast<int>(codes.size());
  if (output_event_cnt == nullptr || length < count) return fake_dcmi::kInvalidParameter;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    event_buf[i] = fake_dcmi::MakeEvent(*call.chip(), codes[i], fake_dcmi::kOccurrence);
    auto& fault = event_buf[i].fault;
    call.Set(fault.event_id, "event_id", fault.event_id);
    call.Set(fault.severity, "severity", fault.severity);
    call.Set(fault.assertion, "assertion", fault.assertion);
    call.SetText(fault.event_name, "event_name", fault.event_name);
  }
  call.Set(*output_event_cnt, "output_event_cnt", count);
  return fake_dcmi::kOk;
}

int AnswerDriverHealth(Call call, unsigned int* health) {
  if (const auto code = call.Verdict(health)) return *code;
  if (health == nullptr) return fake_dcmi::kInvalidParameter;
  if (!call.machine().driver_health) return fake_dcmi::kNotSupported;
  call.Set(*health, "health", *call.machine().driver_health);
  return fake_dcmi::kOk;
}

}  // namespace

int dcmi_get_device_errorcode_v2(int card_id, int device_id, int* error_count,
                                 unsigned int* error_code_list, unsigned int list_len) {
  return AnswerFaults(Call(__func__, card_id, device_id), error_count, error_code_list, list_len);
}

int dcmiv2_get_device_error_code_list(int dev_id, int* error_count, unsigned int* error_code_list,
                                      unsigned int list_len) {
  return AnswerFaults(Call(__func__, Dev(dev_id)), error_count, error_code_list, list_len);
}

int dcmi_get_device_errorcode_string(int card_id, int device_id, unsigned int error_code,
                                     unsigned char* error_info, int buf_size) {
  return AnswerFaultText(Call(__func__, card_id, device_id), error_code, error_info, buf_size);
}

int dcmiv2_get_device_error_info(int dev_id, unsigned int error_code, unsigned char* error_info,
                                 int buf_size) {
  return AnswerFaultText(Call(__func__, Dev(dev_id)), error_code, error_info, buf_size);
}

int dcmi_get_device_current_fault_event(int card_id, int device_id, fake_dcmi::Event* event_buf,
                                        int input_event_buf_length, int* output_event_cnt) {
  return AnswerFaultEvents(Call(__func__, card_id, device_id), event_buf, input_event_buf_length,
                           output_event_cnt);
}

int dcmiv2_get_device_current_fault_event(int dev_id, fake_dcmi::Event* event_buf,
                                          int input_event_buf_length, int* output_event_cnt) {
  return AnswerFaultEvents(Call(__func__, Dev(dev_id)), event_buf, input_event_buf_length,
                           output_event_cnt);
}

int dcmi_get_driver_health(unsigned int* health) {
  return AnswerDriverHealth(Call(__func__), health);
}

int dcmiv2_get_driver_health(unsigned int* health) {
  return AnswerDriverHealth(Call(__func__), health);
}

int dcmi_get_device_compatibility(int card_id, int device_id, int* compatibility) {
  return Call(__func__, card_id, device_id)
      .AnswerNumber("compatibility", compatibility, "compatibility");
}

int dcmiv2_get_device_compatibility(int dev_id, int* compatibility) {
  return Call(__func__, Dev(dev_id)).AnswerNumber("compatibility", compatibility, "compatibility");
}

int dcmi_get_device_network_health(int card_id, int device_id, int* result) {
  return Call(__func__, card_id, device_id).AnswerNumber("network_health", result, "result");
}

int dcmiv2_get_device_network_health(int dev_id, int* result) {
  return Call(__func__, Dev(dev_id)).AnswerNumber("network_health", result, "result");
}

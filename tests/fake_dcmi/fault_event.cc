#include "fault_event.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace fake_dcmi {
namespace {

constexpr int kMinor = 1;

std::atomic<int> serial = 0;

}  // namespace

std::optional<FaultText> FaultTextOf(const Chip& chip, unsigned int code) {
  char key[32];
  std::snprintf(key, sizeof(key), "fault.%08X", code);
  const auto* words = chip.Find(key);
  if (words == nullptr || words->size() != 2) return std::nullopt;
  return FaultText{static_cast<int>(ParseNumber(words->front()).value_or(0)), words->back()};
}

std::vector<unsigned int> FaultsOf(const Chip& chip) {
  std::vector<unsigned int> codes;
  for (const std::int64_t code : chip.Numbers("faults", 0).value_or(std::vector<std::int64_t>())) {
    codes.push_back(static_cast<unsigned int>(code));
  }
  return codes;
}

Event MakeEvent(const Chip& chip, unsigned int code, int assertion) {
  const FaultText known = FaultTextOf(chip, code).value_or(FaultText{kMinor, ""});
  Event event = {};
  event.fault.event_id = code;
  event.fault.deviceid = static_cast<unsigned short>(chip.logic_id);
  event.fault.severity = static_cast<unsigned char>(known.severity);
  event.fault.assertion = static_cast<unsigned char>(assertion);
  event.fault.event_serial_num = ++serial;
  event.fault.notify_serial_num = event.fault.event_serial_num;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  event.fault.alarm_raised_time = static_cast<unsigned long long>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  std::memcpy(event.fault.event_name, known.text.data(),
              std::min(known.text.size(), sizeof(event.fault.event_name) - 1));
  return event;
}

}  // namespace fake_dcmi

#include "hal/dcmi/fault_details.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "hal/dcmi/abi.h"
#include "hal/dcmi/vendor_values.h"

namespace ascend::dcmi {
namespace {

constexpr std::size_t kMaxKnownFaults = 1024;
constexpr std::size_t kTextLength = 256;  // the library's whole text
constexpr std::size_t kMaxEvents = kMaxFaultCodes;
constexpr std::array<FaultSeverity, 4> kSeverities = {FaultSeverity::kWarning,
                                                      FaultSeverity::kMinor, FaultSeverity::kMajor,
                                                      FaultSeverity::kCritical};

int AskText(const Functions& functions, DeviceAddress at, std::uint32_t code, FaultDetail& detail) {
  Room<std::array<unsigned char, kTextLength>> text(Room<int>::kZeros);
  const int answer =
      functions.errorcode_string(at, code, text.value.data(), static_cast<int>(kTextLength));
  if (answer == kOk) detail.description = TextOf(std::span<const unsigned char>(text.value));
  return answer;
}

// The severity is known while the fault is active.
int AskSeverity(const Functions& functions, DeviceAddress at, std::uint32_t code,
                FaultDetail& detail) {
  using Events = Room<std::array<Event, kMaxEvents>>;
  const auto events = std::make_unique<Events>(Events::kOnes);  // 46 KB
  int count = 0;
  const int answer =
      functions.current_fault_event(at, events->value.data(), static_cast<int>(kMaxEvents), &count);
  if (answer != kOk || count < 0 || count > static_cast<int>(kMaxEvents)) return answer;
  for (const Event& event : std::span(events->value).first(static_cast<std::size_t>(count))) {
    const DmsFaultEvent& fault = event.fault;
    if (event.type != kFaultEvent || fault.event_id != code) continue;
    if (fault.severity < kSeverities.size()) detail.severity = kSeverities[fault.severity];
  }
  return answer;
}

}  // namespace

std::optional<FaultDetail> KnownFaults::Find(std::uint32_t code) const {
  MutexLock lock(mutex_);
  const auto found = details_.find(code);
  if (found == details_.end()) return std::nullopt;
  return found->second;
}

void KnownFaults::Keep(std::uint32_t code, const FaultDetail& detail) {
  MutexLock lock(mutex_);
  if (details_.size() >= kMaxKnownFaults) details_.erase(details_.begin());
  details_.insert_or_assign(code, detail);
}

bool AskDetail(const Functions& functions, DeviceLacks& lacks, DeviceAddress at, std::uint32_t code,
               FaultDetail& detail) {
  const auto final = [](int answer) { return answer == kOk || IsUnsupported(answer); };
  const int text = AskText(functions, at, code, detail);  // one that has no text is one of many
  const int severity =
      lacks.Ask(Question::kFaultEvents, [&] { return AskSeverity(functions, at, code, detail); });
  return final(text) && final(severity);
}

}  // namespace ascend::dcmi
